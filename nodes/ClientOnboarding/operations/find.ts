import { fieldsToReturn, optionsField, pagingOptions } from '../parameters/fields';
import { pickFields } from '../parameters/input';
import { parseBoolean, parseChoice, parseEmail, parseText, requireText, settingOf } from '../parameters/parsing';
import { prepareAsking } from './asking';
import type { Operation, Question } from './operation';

export const find: Operation = {
	option: {
		name: 'Find Client',
		value: 'find',
		description: 'Find one client by reference ID, or all with an e-mail address',
		action: 'Find a client',
	},
	properties: [
		{
			displayName: 'Find By',
			name: 'findBy',
			type: 'options',
			options: [
				{ name: 'Email', value: 'email', description: 'Gives every client with this address' },
				{ name: 'Reference ID', value: 'referenceId' },
			],
			default: 'referenceId',
		},
		{
			displayName: 'Reference ID',
			name: 'referenceId',
			type: 'string',
			displayOptions: { show: { findBy: ['referenceId'] } },
			required: true,
			default: '',
			placeholder: 'e.g. ONB-48B0ED59',
			description:
				'The reference_id of the client. Upper and lower case matter only where two clients differ in nothing else.',
		},
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			displayOptions: { show: { findBy: ['email'] } },
			required: true,
			placeholder: 'name@email.com',
			default: '',
			description: 'The e-mail address of the client. Upper and lower case do not matter.',
		},
		optionsField([
			{
				displayName: 'Error If Not Found',
				name: 'errorIfNotFound',
				type: 'boolean',
				default: false,
				description: 'Whether to stop with an error where no client is found, instead of giving no item',
			},
			fieldsToReturn,
			...pagingOptions,
		]),
	],
	prepare(...item) {
		const { given, options, input, fields, need: upTo } = prepareAsking(...item);
		const findBy = parseChoice(given('findBy').value, 'Find By', ['referenceId', 'email']);
		const isByEmail = findBy === 'email';
		const wanted = isByEmail
			? requireText(given('email').value, 'Email', parseEmail)
			: requireText(given('referenceId').value, 'Reference ID', parseText);
		const errorIfNotFound = settingOf(options.at('errorIfNotFound'), 'Error If Not Found', false);
		const isErrorIfNotFound = parseBoolean(errorIfNotFound, 'Error If Not Found');
		const need = isByEmail ? upTo(Infinity, { clientEmail: wanted, textMatch: 'whole' }) : undefined;

		const notFound = isByEmail ? `No client has the e-mail address "${wanted}"` : describeMissingId(wanted);

		const answer: Question['answer'] = async (reading) => {
			const clients = need ? await reading.read(need) : await reading.findById(wanted);
			if (clients.length === 0 && isErrorIfNotFound) throw new Error(notFound);
			return pickFields(clients, fields);
		};
		const referenceId = isByEmail ? undefined : wanted;
		return { input, need, referenceId, sought: wanted, notFound, form: { fields, isErrorIfNotFound }, answer };
	},
};

function describeMissingId(id: string): string {
	return id.includes('@')
		? `No client has the reference ID "${id}". For an e-mail address, set "Find By" to "Email"`
		: `No client has the reference ID "${id}"`;
}
