import {
	filtersField,
	onIncompleteOption,
	optionsField,
	pagingOptions,
	textMatchOption,
} from '../parameters/properties';
import type { Selection } from '../query/batchReader';
import type { Operation } from './operation';

export const count: Operation<{ selection: Selection }> = {
	option: {
		name: 'Count Clients',
		value: 'count',
		description: 'Count clients in total, by request status and by client type',
		action: 'Count clients',
	},
	properties: [filtersField, optionsField([onIncompleteOption, ...pagingOptions, textMatchOption])],
	parse: ({ filters }) => ({ selection: { filters, limit: Infinity } }),
	async answer({ selection }, reader) {
		const { warning, ...summary } = await reader.count(selection);
		return { items: [summary], warning };
	},
};
