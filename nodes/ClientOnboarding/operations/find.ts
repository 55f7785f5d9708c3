import { fieldsToReturn, optionsField, pagingOptions } from '../parameters/fields';
import { givenTo } from '../parameters/given';
import { parseFields, pickFields } from '../parameters/input';
import { parseBoolean, parseChoice, parseEmail, parseText, requireText, settingOf } from '../parameters/parsing';
import type { Client } from '../service/client';
import { clientKey, folded } from '../service/client';
import { ClientReader } from './clientReader';
import type { Operation } from './operation';

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
	async execute(context, itemIndex) {
		const given = givenTo(context, itemIndex);
		const findBy = parseChoice(given('findBy').value, 'Find By', ['referenceId', 'email']);
		const isByEmail = findBy === 'email';
		const wanted = isByEmail
			? requireText(given('email').value, 'Email', parseEmail)
			: requireText(given('referenceId').value, 'Reference ID', parseText);
		const reader = new ClientReader(context, itemIndex);
		const fields = parseFields(reader.options.at('fields'));
		const errorIfNotFound = settingOf(reader.options.at('errorIfNotFound'), 'Error If Not Found', false);
		const isErrorIfNotFound = parseBoolean(errorIfNotFound, 'Error If Not Found');
		const clients = isByEmail
			? await reader.read(Infinity, { clientEmail: wanted, textMatch: 'whole' })
			: await findById(reader, wanted);

		if (clients.length === 0 && isErrorIfNotFound) {
			throw new Error(`No client has the ${isByEmail ? 'e-mail address' : 'reference ID'} "${wanted}"`);
		}
		return pickFields(clients, fields);
	},
};

/** The client with this very ID or, where there is none, the only one whose ID differs in upper and lower case. */
async function findById(reader: ClientReader, referenceId: string): Promise<Client[]> {
	const similar = new Map<string, Client>();
	const exact = await reader.read(1, { referenceId }, (client) => {
		if (folded(client.reference_id) === folded(referenceId)) similar.set(clientKey(client), client);
	});
	return exact.length === 0 && similar.size === 1 ? [...similar.values()] : exact;
}
