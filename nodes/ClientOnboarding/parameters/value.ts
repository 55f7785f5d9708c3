import type { IExecuteFunctions, INodeParameters, IPollFunctions } from 'n8n-workflow';
import { asRecord } from '../api/record';

export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The values in a list of any depth, or the one value, without blank ones. */
export function valuesOf(value: unknown): unknown[] {
	return [value].flat(Infinity).filter((item) => !isBlank(item));
}

/** The value of a parameter, and where it came from: that decides what a blank one means. */
export class ParameterValue {
	constructor(
		readonly value: unknown,
		/** As saved in the workflow: an expression is still its text. */
		private readonly raw?: unknown,
	) {}

	/** One value of a collection. */
	at(key: string): ParameterValue {
		const record = asRecord(this.value) ?? {};
		if (!isExpression(this.raw)) return new ParameterValue(record[key], asRecord(this.raw)?.[key]);
		// An expression for the whole collection sets what is in it, and nothing else.
		return new ParameterValue(record[key], key in record ? this.raw : undefined);
	}

	/** Chosen or typed, not an expression. */
	get isFixed(): boolean {
		return !isExpression(this.raw);
	}

	/** An AI agent leaves blank what it does not need. */
	get isFromAgent(): boolean {
		return isExpression(this.raw) && /\$fromai/i.test(JSON.stringify(this.raw));
	}

	/** The user's expression resolved to nothing. */
	get isMissing(): boolean {
		return !this.isFixed && !this.isFromAgent && this.isEmpty;
	}

	get isEmpty(): boolean {
		return valuesOf(this.value).length === 0;
	}
}

export type Parameters = (name: string) => ParameterValue;

export function itemParameters(context: IExecuteFunctions, itemIndex: number): Parameters {
	return readParameters(context.getNode().parameters, (name) => context.getNodeParameter(name, itemIndex));
}

export function triggerParameters(context: IPollFunctions): Parameters {
	return readParameters(context.getNode().parameters, (name) => context.getNodeParameter(name));
}

function readParameters(raw: INodeParameters, evaluate: (name: string) => unknown): Parameters {
	// n8n removes parameters that its conditions hide, and throws if one of them is read.
	return (name) =>
		raw[name] === undefined ? new ParameterValue(undefined) : new ParameterValue(evaluate(name), raw[name]);
}

/** A single entry of a list may be an expression, too. */
function isExpression(raw: unknown): boolean {
	return [raw].flat(Infinity).some((text) => typeof text === 'string' && text.startsWith('='));
}
