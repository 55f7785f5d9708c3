import {
	filtersField,
	onIncompleteOption,
	optionsField,
	pagingOptions,
	textMatchOption,
} from '../parameters/properties';
import type { Selection } from '../query/batchReader';
import { explainNoMatch } from '../query/noMatchHint';
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
	async run({ selection }, reader) {
		const { summary, returned, warning } = await reader.count(selection);
		const noMatch = summary.total === 0 ? explainNoMatch(selection.filters, returned) : undefined;
		return { items: [summary], warning, noMatch };
	},
};
