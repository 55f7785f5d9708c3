import {
	fieldsToReturn,
	filtersField,
	optionsField,
	pagingOptions,
	sortOption,
	textMatchOption,
} from '../parameters/fields';
import { parseSort, pickFields } from '../parameters/input';
import { parseBoolean, parseNumber, settingOf } from '../parameters/parsing';
import { sortClients } from '../list/sorting';
import { prepareAsking } from './asking';
import type { Operation, Question } from './operation';

export const list: Operation = {
	option: {
		name: 'List Clients',
		value: 'list',
		description: 'List onboarded clients, filtered by status, type, group, e-mail or date',
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
		optionsField([fieldsToReturn, ...pagingOptions, sortOption, textMatchOption]),
	],
	prepare(...item) {
		const { given, options, input, isTool, fields, need: upTo } = prepareAsking(...item);
		const isAll = parseBoolean(settingOf(given('returnAll'), 'Return All', false), 'Return All');
		const limit = isAll ? Infinity : parseNumber(settingOf(given('limit'), 'Limit', 50), 'Limit', { min: 1 });
		const sort = parseSort(options.at('sort'));
		// A model sees the clients and nothing else, so the last of them tells it where the limit cut the list.
		const need = upTo(sort ? Infinity : isTool ? limit + 1 : limit);

		const answer: Question['answer'] = async (reading) => {
			const found = await reading.read(need);
			const sorted = sort ? sortClients(found, sort) : found;
			const clients = pickFields(sorted.slice(0, limit), fields);
			if (isTool && found.length > limit) {
				clients.push({ ...clients.pop(), more_clients: `More clients match than the limit of ${limit}` });
			}
			return clients;
		};
		return { input, need, form: { fields, sort, limit }, answer };
	},
};
