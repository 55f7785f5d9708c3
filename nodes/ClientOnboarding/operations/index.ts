import type { INodeProperties } from 'n8n-workflow';
import { count } from './count';
import { find } from './find';
import { list } from './list';
import { listGroups } from './listGroups';
import type { Operation } from './operation';

/** Sorted by name, as n8n wants them in the dropdown. */
export const operations: Operation[] = [count, find, list, listGroups];

/** The choice of the operation, and the fields of each. */
export const nodeProperties: INodeProperties[] = [
	{
		// Hidden: n8n describes the chosen operation to an AI agent only if there is a resource.
		displayName: 'Resource',
		name: 'resource',
		type: 'hidden',
		noDataExpression: true,
		options: [{ name: 'Client', value: 'client' }],
		default: 'client',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['client'] } },
		options: operations.map(({ option }) => option),
		default: 'list',
	},
	...operations.flatMap(({ option, properties }) =>
		properties.map((property) => ({
			...property,
			displayOptions: { show: { operation: [option.value], ...property.displayOptions?.show } },
		})),
	),
];
