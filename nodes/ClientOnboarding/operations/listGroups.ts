import {
	filtersField,
	onIncompleteOption,
	optionsField,
	pagingOptions,
	textMatchOption,
} from '../parameters/properties';
import type { Selection } from '../query/batchReader';
import { explainNoMatch } from '../query/noMatchHint';
import { summarizeGroups } from '../query/summarize';
import type { Operation } from './operation';

export const listGroups: Operation<{ selection: Selection }> = {
	option: {
		name: 'List Groups',
		value: 'listGroups',
		description: 'List groups with the number of clients in each, by request status',
		action: 'List groups',
	},
	properties: [filtersField, optionsField([onIncompleteOption, ...pagingOptions, textMatchOption])],
	parse: ({ filters }) => ({ selection: { filters, limit: Infinity } }),
	async run({ selection }, reader) {
		const { clients, returned, warning } = await reader.read(selection);
		if (clients.length === 0) return { items: [], warning, noMatch: explainNoMatch(selection.filters, returned) };
		return { items: summarizeGroups(clients), warning };
	},
};
