import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ClientReader } from './clientReader';
import { filtersField, optionsField, readingOptions, textMatchOption } from './fields';

export const countOption: INodePropertyOptions = {
	name: 'Count Clients',
	value: 'count',
	description: 'Count clients in total, by request status and by client type',
	action: 'Count clients',
};

export const countProperties: INodeProperties[] = [
	filtersField('count'),
	optionsField('count', [...readingOptions, textMatchOption]),
];

export async function count(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	return [{ ...(await new ClientReader(context, itemIndex).count()) }];
}
