import { tallyGroups } from '../list/tally';
import { filtersField, optionsField, pagingOptions, textMatchOption } from '../parameters/fields';
import { prepareAsking } from './asking';
import type { Operation, Question } from './operation';

export const listGroups: Operation = {
	option: {
		name: 'List Groups',
		value: 'listGroups',
		description: 'List the groups of clients, each with its number of clients by status',
		action: 'List groups of clients',
	},
	properties: [filtersField, optionsField([...pagingOptions, textMatchOption])],
	prepare(...item) {
		const { input, need: upTo } = prepareAsking(...item);
		const need = upTo(Infinity);
		const answer: Question['answer'] = async (reading) =>
			tallyGroups(await reading.read(need)).map((group) => ({ ...group }));
		return { input, need, form: {}, answer };
	},
};
