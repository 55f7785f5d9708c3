import type { IDataObject, IExecuteFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ClientReader } from './clientReader';
import { fieldsToReturn, optionsField, readingOptions } from './fields';
import { parseChoice, parseText, pickFields } from './input';

export const findOption: INodePropertyOptions = {
	name: 'Find Client',
	value: 'find',
	description: 'Find one client by reference ID, or all with an e-mail address',
	action: 'Find a client',
};

export const findProperties: INodeProperties[] = [
	{
		displayName: 'Find By',
		name: 'findBy',
		type: 'options',
		displayOptions: { show: { operation: ['find'] } },
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
		displayOptions: { show: { operation: ['find'], findBy: ['referenceId'] } },
		required: true,
		default: '',
		description: 'The reference_id of the client, exactly as the service writes it',
	},
	{
		displayName: 'Email',
		name: 'email',
		type: 'string',
		displayOptions: { show: { operation: ['find'], findBy: ['email'] } },
		required: true,
		placeholder: 'name@email.com',
		default: '',
		description: 'The e-mail address of the client. Upper and lower case do not matter.',
	},
	optionsField('find', [
		{
			displayName: 'Error If Not Found',
			name: 'errorIfNotFound',
			type: 'boolean',
			default: false,
			description: 'Whether to stop with an error where no client is found, instead of giving no item',
		},
		fieldsToReturn,
		...readingOptions,
	]),
];

export async function find(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const findBy = parseChoice(context.getNodeParameter('findBy', itemIndex), 'Find By', ['referenceId', 'email']);
	const label = findBy === 'email' ? 'Email' : 'Reference ID';
	const wanted = parseText(context.getNodeParameter(findBy, itemIndex), label);
	const reader = new ClientReader(context, itemIndex);
	const clients =
		findBy === 'email'
			? await reader.read(Infinity, { clientEmail: wanted })
			: await reader.read(1, { referenceId: wanted });

	if (clients.length === 0 && reader.options.errorIfNotFound === true) {
		throw new Error(`No client has the ${findBy === 'email' ? 'e-mail address' : 'reference ID'} "${wanted}"`);
	}
	return pickFields(clients, reader.options.fields);
}
