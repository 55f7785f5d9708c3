import { tallyGroups } from '../list/tally';
import { filtersField, optionsField, pagingOptions, textMatchOption } from '../parameters/fields';
import { ClientReader } from './clientReader';
import type { Operation } from './operation';

export const listGroups: Operation = {
	option: {
		name: 'List Groups',
		value: 'listGroups',
		description: 'List the groups of clients, each with its number of clients by status',
		action: 'List groups of clients',
	},
	properties: [filtersField, optionsField([...pagingOptions, textMatchOption])],
	async execute(context, itemIndex) {
		const clients = await new ClientReader(context, itemIndex).read(Infinity);
		return tallyGroups(clients).map((group) => ({ ...group }));
	},
};
