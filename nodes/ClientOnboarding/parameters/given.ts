import type { IExecuteFunctions, INodeParameters, IPollFunctions } from 'n8n-workflow';
import { asRecord } from '../api/record';

/** A value that is none, or text that nobody sees. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** What there is in a value or a list, however deep the list. */
export function valuesOf(value: unknown): unknown[] {
	return [value].flat(Infinity).filter((item) => !isBlank(item));
}

/** The value of a parameter, and who gave it: that decides what it means where it is empty. */
export class Given {
	constructor(
		readonly value: unknown,
		/** As it is saved in the workflow, where an expression is still its text. */
		private readonly raw?: unknown,
	) {}

	/** One value of a collection. */
	at(key: string): Given {
		const record = asRecord(this.value) ?? {};
		if (!isExpression(this.raw)) return new Given(record[key], asRecord(this.raw)?.[key]);
		// An expression for the whole collection has set what is in it, and nothing else.
		return new Given(record[key], key in record ? this.raw : undefined);
	}

	/** Chosen or typed as it is, so that nothing was evaluated. */
	get isFixed(): boolean {
		return !isExpression(this.raw);
	}

	/** An AI agent leaves blank what it does not need. */
	get isFromAgent(): boolean {
		return isExpression(this.raw) && /\$fromai/i.test(JSON.stringify(this.raw));
	}

	/** Somebody meant a value to be here, but nothing came of the expression. */
	get isMissing(): boolean {
		return !this.isFixed && !this.isFromAgent && this.isEmpty;
	}

	get isEmpty(): boolean {
		return valuesOf(this.value).length === 0;
	}
}

/** Gives the parameters of one input item by their names. */
export function givenTo(context: IExecuteFunctions, itemIndex: number): (name: string) => Given {
	return givenFrom(context.getNode().parameters, (name) => context.getNodeParameter(name, itemIndex));
}

/** Gives the parameters of a trigger by their names. */
export function givenToTrigger(context: IPollFunctions): (name: string) => Given {
	return givenFrom(context.getNode().parameters, (name) => context.getNodeParameter(name));
}

function givenFrom(raw: INodeParameters, evaluate: (name: string) => unknown): (name: string) => Given {
	// n8n leaves out what its conditions hide, and throws where that is asked for.
	return (name) => (raw[name] === undefined ? new Given(undefined) : new Given(evaluate(name), raw[name]));
}

/** Also one entry of a list may be an expression. */
function isExpression(raw: unknown): boolean {
	return [raw].flat(Infinity).some((text) => typeof text === 'string' && text.startsWith('='));
}
