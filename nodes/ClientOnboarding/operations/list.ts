import { pickFields } from '../parameters/pickFields';
import {
	fieldsToReturn,
	filtersField,
	onIncompleteOption,
	optionsField,
	pagingOptions,
	sortOption,
	textMatchOption,
} from '../parameters/properties';
import { parseSort } from '../parameters/filtersAndOptions';
import { parseBoolean, parseNumber, valueOrDefault } from '../parameters/parsing';
import type { Selection } from '../query/batchReader';
import { explainNoMatch } from '../query/noMatchHint';
import type { Sort } from '../query/sort';
import { sortClients } from '../query/sort';
import type { Operation } from './operation';

interface ListQuery {
	selection: Selection;
	limit: number;
	sort?: Sort;
	fields: string[];
	isTool: boolean;
}

export const list: Operation<ListQuery> = {
	option: {
		name: 'List Clients',
		value: 'list',
		description: 'List onboarded clients, filtered by status, type, group, email or date',
		action: 'List clients',
	},
	properties: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			displayOptions: { show: { returnAll: [false] } },
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
		},
		filtersField,
		optionsField([fieldsToReturn, onIncompleteOption, ...pagingOptions, sortOption, textMatchOption]),
	],
	parse({ parameter, options, filters, fields, isTool }) {
		const isAll = parseBoolean(valueOrDefault(parameter('returnAll'), 'Return All', false), 'Return All');
		const limit = isAll ? Infinity : parseNumber(valueOrDefault(parameter('limit'), 'Limit', 50), 'Limit', { min: 1 });
		const sort = parseSort(options.at('sort'));
		// A model sees only the items, so the last one says whether the limit cut the list.
		const selection = { filters, limit: sort ? Infinity : isTool ? limit + 1 : limit };
		return { selection, limit, sort, fields, isTool };
	},
	async run({ selection, limit, sort, fields, isTool }, reader) {
		const { clients, returned, warning } = await reader.read(selection);
		if (clients.length === 0) return { items: [], warning, noMatch: explainNoMatch(selection.filters, returned) };
		const sorted = sort ? sortClients(clients, sort) : clients;
		const items = pickFields(sorted.slice(0, limit), fields);
		if (isTool && clients.length > limit) {
			items.push({ ...items.pop(), more_clients: `More clients match. The list was cut at the limit of ${limit}.` });
		}
		return { items, warning };
	},
};
