import {
	filtersField,
	onIncompleteOption,
	optionsField,
	pagingOptions,
	textMatchOption,
} from '../parameters/properties';
import { parseChoices, valueOrDefault } from '../parameters/parsing';
import type { Selection } from '../query/batchReader';
import { explainNoMatch } from '../query/noMatchHint';
import type { Dimension } from '../query/report';
import { buildReport, DIMENSIONS } from '../query/report';
import type { Operation } from './operation';

interface CountQuery {
	selection: Selection;
	/** None for one count of all. */
	dimensions: Dimension[];
	timeZone: string;
}

export const count: Operation<CountQuery> = {
	option: {
		name: 'Count Clients',
		value: 'count',
		description: 'Count clients in total, by request status and client type, or in groups for a report',
		action: 'Count clients',
	},
	properties: [
		{
			displayName: 'Group By',
			name: 'groupBy',
			type: 'multiOptions',
			options: [
				{ name: 'Age', value: 'age', description: 'Up to 7 days, 7 to 30 days, 30 to 90 days, over 90 days' },
				{ name: 'Client Type', value: 'clientType' },
				{ name: 'Group', value: 'group' },
				{ name: 'Month Created', value: 'monthCreated', description: 'In the time zone of the workflow' },
				{ name: 'Request Status', value: 'requestStatus' },
			],
			default: [],
			description:
				'Outputs one item per combination that has clients, with their number and the oldest creation date. Leave empty for one item with the totals.',
		},
		filtersField,
		optionsField([onIncompleteOption, ...pagingOptions, textMatchOption]),
	],
	parse({ parameter, filters, timeZone }) {
		const dimensions = parseChoices(valueOrDefault(parameter('groupBy'), 'Group By', []), 'Group By', DIMENSIONS);
		return { selection: { filters, limit: Infinity }, dimensions, timeZone };
	},
	async run({ selection, dimensions, timeZone }, reader) {
		if (dimensions.length > 0) {
			const { clients, returned, warning } = await reader.read(selection);
			const items = buildReport(clients, dimensions, { nowMs: Date.now(), timeZone });
			return { items, warning, noMatch: items.length === 0 ? explainNoMatch(selection.filters, returned) : undefined };
		}
		const { summary, returned, warning } = await reader.count(selection);
		const noMatch = summary.total === 0 ? explainNoMatch(selection.filters, returned) : undefined;
		return { items: [summary], warning, noMatch };
	},
};
