import type { IExecuteFunctions } from 'n8n-workflow';
import type { Filters } from '../list/filters';
import type { Need } from '../list/needs';
import type { Given } from '../parameters/given';
import { givenTo } from '../parameters/given';
import type { Input } from '../parameters/input';
import { parseFields, parseInput } from '../parameters/input';

/** What all operations ask with. */
export interface Asking {
	given: (name: string) => Given;
	options: Given;
	input: Input;
	/** Whether an AI agent asks. */
	isTool: boolean;
	/** The fields to return; none for all. */
	fields: string[];
	/** Up to `limit` clients that match the filters of the node and these. */
	need: (limit: number, filters?: Partial<Filters>) => Need;
}

/** Throws where a parameter cannot be meant. */
export function prepareAsking(context: IExecuteFunctions, itemIndex: number, nowMs: number): Asking {
	const given = givenTo(context, itemIndex);
	const options = given('options');
	const input = parseInput(given('filters'), options, context.getTimezone(), nowMs);
	const { rangeFields } = input;
	const isTool = context.getNode().type.endsWith('Tool');
	const fields = parseFields(options.at('fields'));
	// A model that is given a client wants to speak of it.
	if (isTool && fields.length > 0 && !fields.includes('reference_id')) fields.unshift('reference_id');
	return {
		given,
		options,
		input,
		isTool,
		fields,
		need: (limit, filters) => ({
			filters: { ...input.filters, ...filters },
			limit,
			hasTextMatch: filters === undefined,
			rangeFields,
		}),
	};
}
