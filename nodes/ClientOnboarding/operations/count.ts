import { filtersField, optionsField, pagingOptions, textMatchOption } from '../parameters/fields';
import { ClientReader } from './clientReader';
import type { Operation } from './operation';

export const count: Operation = {
	option: {
		name: 'Count Clients',
		value: 'count',
		description: 'Count clients in total, by request status and by client type',
		action: 'Count clients',
	},
	properties: [filtersField, optionsField([...pagingOptions, textMatchOption])],
	async execute(context, itemIndex) {
		return [{ ...(await new ClientReader(context, itemIndex).count()) }];
	},
};
