import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { tallyGroups } from '../service/tally';
import { ClientReader } from './clientReader';
import { optionsField, readingOptions } from './fields';

export const listGroupsOption: INodePropertyOptions = {
	name: 'List Groups',
	value: 'listGroups',
	description: 'List the groups of clients, each with its number of clients by status',
	action: 'List groups of clients',
};

export const listGroupsProperties: INodeProperties[] = [optionsField('listGroups', readingOptions)];

export async function listGroups(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const clients = await new ClientReader(context, itemIndex).read(Infinity);
	return tallyGroups(clients).map((group) => ({ ...group }));
}
