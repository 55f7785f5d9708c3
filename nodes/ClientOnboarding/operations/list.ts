import { fieldsToReturn, filtersField, optionsField, pagingOptions, textMatchOption } from '../parameters/fields';
import { givenTo } from '../parameters/given';
import { parseFields, pickFields } from '../parameters/input';
import { parseBoolean, parseNumber, settingOf } from '../parameters/parsing';
import { ClientReader } from './clientReader';
import type { Operation } from './operation';

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
		optionsField([fieldsToReturn, ...pagingOptions, textMatchOption]),
	],
	async execute(context, itemIndex) {
		const given = givenTo(context, itemIndex);
		const isAll = parseBoolean(settingOf(given('returnAll'), 'Return All', false), 'Return All');
		const limit = isAll ? Infinity : parseNumber(settingOf(given('limit'), 'Limit', 50), 'Limit', { min: 1 });
		const reader = new ClientReader(context, itemIndex);
		const fields = parseFields(reader.options.at('fields'));
		const isTool = context.getNode().type.endsWith('Tool');

		// A model sees the clients and nothing else, so the last of them tells it where the limit cut the list.
		const found = await reader.read(isTool ? limit + 1 : limit);
		const clients = pickFields(found.slice(0, limit), fields);
		if (found.length > limit) {
			clients.push({ ...clients.pop(), more_clients: `More clients match than the limit of ${limit}` });
		}
		return clients;
	},
};
