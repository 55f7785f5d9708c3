import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { parseChoice } from '../parameters/parsing';
import * as operations from './index';
import type { Operation, Question } from './operation';

/** In the order of their names, as n8n wants them in the dropdown. */
const OPERATIONS: Operation[] = Object.values(operations).sort((a, b) => a.option.name.localeCompare(b.option.name));

export const operationOptions = OPERATIONS.map(({ option }) => option);

/** The choice of the operation, and the fields of each, shown where it is chosen. */
export const nodeProperties: INodeProperties[] = [
	{
		// Nobody sees it, but only with a resource does n8n tell an AI agent what the chosen operation does.
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
		options: operationOptions,
		default: 'list',
	},
	...OPERATIONS.flatMap(({ option, properties }) =>
		properties.map((property) => ({
			...property,
			displayOptions: { show: { operation: [option.value], ...property.displayOptions?.show } },
		})),
	),
];

/** What one input item asks for. Throws where a parameter cannot be meant. */
export function prepareQuestion(context: IExecuteFunctions, itemIndex: number, nowMs: number): Question {
	const values = operationOptions.map(({ value }) => value);
	const chosen = parseChoice(context.getNodeParameter('operation', itemIndex), 'Operation', values);
	return OPERATIONS[values.indexOf(chosen)].prepare(context, itemIndex, nowMs);
}
