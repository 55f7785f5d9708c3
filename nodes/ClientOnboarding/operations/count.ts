import { filtersField, optionsField, pagingOptions, textMatchOption } from '../parameters/fields';
import { prepareAsking } from './asking';
import type { Operation } from './operation';

export const count: Operation = {
	option: {
		name: 'Count Clients',
		value: 'count',
		description: 'Count clients in total, by request status and by client type',
		action: 'Count clients',
	},
	properties: [filtersField, optionsField([...pagingOptions, textMatchOption])],
	prepare(...item) {
		const { input, need: upTo } = prepareAsking(...item);
		const need = upTo(Infinity);
		return { input, need, form: {}, answer: async (reading) => [{ ...(await reading.count(need)) }] };
	},
};
