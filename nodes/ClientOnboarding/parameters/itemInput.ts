import type { IExecuteFunctions } from 'n8n-workflow';
import type { Filters } from '../query/filters';
import type { ReadSettings } from './filtersAndOptions';
import { parseFields, parseFilters, parseReadSettings } from './filtersAndOptions';
import { parseBoolean, parseChoice, valueOrDefault } from './parsing';
import type { ParameterValue } from './value';
import { itemParameters } from './value';

/** `fail`: a list that may be incomplete stops the workflow. */
export type OnIncomplete = 'warn' | 'fail';

/** What all operations know about an input item. */
export interface ItemInput {
	parameter: (name: string) => ParameterValue;
	options: ParameterValue;
	filters: Filters;
	/** None for all. */
	fields: string[];
	/** Whether an AI agent calls the node. */
	isTool: boolean;
	/** Of the workflow. */
	timeZone: string;
	/** Whether each item keeps the fields of its input item. */
	includeInput: boolean;
	settings: ReadSettings & { onIncomplete: OnIncomplete };
}

export function parseItemInput(context: IExecuteFunctions, itemIndex: number): ItemInput {
	const parameter = itemParameters(context, itemIndex);
	const options = parameter('options');
	const isTool = context.getNode().type.endsWith('Tool');
	const fields = parseFields(options.at('fields'));
	const timeZone = context.getTimezone();
	const includeInput = valueOrDefault(options.at('includeInput'), 'Include Input Fields', false);
	const onIncomplete = valueOrDefault(options.at('onIncomplete'), 'If List May Be Incomplete', 'warn');
	return {
		parameter,
		options,
		filters: parseFilters(parameter('filters'), options, timeZone),
		// A model cannot refer to a client without its ID.
		fields: isTool && fields.length > 0 ? [...new Set(['reference_id', ...fields])] : fields,
		isTool,
		timeZone,
		includeInput: parseBoolean(includeInput, 'Include Input Fields'),
		settings: {
			...parseReadSettings(options),
			onIncomplete: parseChoice(onIncomplete, 'If List May Be Incomplete', ['warn', 'fail']),
		},
	};
}
