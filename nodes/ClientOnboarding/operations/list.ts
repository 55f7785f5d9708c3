import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Client } from '../service/client';
import { parseFilters } from '../service/filters';
import { readClients } from '../service/reading';
import { openService } from '../service/request';
import { filtersField, optionsField } from './fields';
import { parseChoice, parseNames, parseNumber } from './input';

export const listOption: INodePropertyOptions = {
	name: 'List Clients',
	value: 'list',
	description: 'List onboarded clients, filtered by status, type, group, e-mail or date',
	action: 'List clients',
};

const displayOptions = { show: { operation: ['list'] } };

export const listProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		displayOptions,
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		displayOptions: { show: { operation: ['list'], returnAll: [false] } },
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
	},
	{ ...filtersField, displayOptions },
	{ ...optionsField, displayOptions },
];

export async function list(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const parameter = (name: string, fallback?: unknown) => context.getNodeParameter(name, itemIndex, fallback);
	const { fields, pageSize, parallelRequests = 5, textMatch = 'whole', timeout = 30 } = parameter('options', {}) as IDataObject;

	const limit = parameter('returnAll') === true ? Infinity : parseNumber(parameter('limit'), 'Limit', { min: 1 });
	const filters = parseFilters(
		parameter('filters', {}) as IDataObject,
		parseChoice(textMatch, 'Text Filters Match', ['whole', 'part']),
		context.getTimezone(),
	);
	const readOptions = {
		limit,
		pageSize: pageSize === undefined ? undefined : parseNumber(pageSize, 'Page Size', { min: 1 }),
		parallelRequests: parseNumber(parallelRequests, 'Parallel Requests', { min: 1, max: 20 }),
	};
	const timeoutMs = 1000 * parseNumber(timeout, 'Timeout', { min: 1, max: 300, isWhole: false });

	const ask = await openService(context, { itemIndex, timeoutMs });
	const { clients, doubt } = await readClients(ask, filters, readOptions);
	if (doubt) context.addExecutionHints({ message: doubt, type: 'warning', location: 'outputPane' });
	const names = parseNames(fields);
	return names.length > 0 ? clients.map((client) => pick(client, names)) : clients;
}

function pick(client: Client, names: string[]): Client {
	return Object.fromEntries(names.filter((name) => Object.hasOwn(client, name)).map((name) => [name, client[name]]));
}
