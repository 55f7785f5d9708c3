import { pickFields } from '../parameters/pickFields';
import { fieldsToReturn, onIncompleteOption, optionsField, pagingOptions } from '../parameters/properties';
import { parseBoolean, parseChoice, parseEmail, parseText, requireText, valueOrDefault } from '../parameters/parsing';
import type { Selection } from '../query/batchReader';
import { NO_FILTERS } from '../query/filters';
import type { Operation } from './operation';

const NOT_FOUND_ADVICE =
	'To get the items without a client, turn on "Error If Not Found", and set "On Error" in the settings of this node to "Continue (using error output)".';

interface FindQuery {
	selection?: Selection;
	referenceId?: string;
	notFound: string;
	errorIfNotFound: boolean;
	fields: string[];
}

export const find: Operation<FindQuery> = {
	option: {
		name: 'Find Client',
		value: 'find',
		description: 'Find one client by reference ID, or every client with an email address',
		action: 'Find client',
	},
	properties: [
		{
			displayName: 'Find By',
			name: 'findBy',
			type: 'options',
			options: [
				{ name: 'Email', value: 'email', description: 'Returns every client with this address' },
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
			description: 'The reference_id of the client. Case is ignored, unless two IDs differ only in case.',
		},
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			displayOptions: { show: { findBy: ['email'] } },
			required: true,
			placeholder: 'name@email.com',
			default: '',
			description: 'Email address of the client. Case is ignored.',
		},
		optionsField([
			{
				displayName: 'Error If Not Found',
				name: 'errorIfNotFound',
				type: 'boolean',
				default: true,
				description:
					'Whether to stop the workflow if no client is found. Without this option, the node outputs no item.',
			},
			fieldsToReturn,
			{
				displayName: 'Include Input Fields',
				name: 'includeInput',
				type: 'boolean',
				default: true,
				description:
					'Whether to keep the fields of the input item, such as the columns of a row. An input field with the name of a client field is renamed, for example to input_email.',
			},
			onIncompleteOption,
			...pagingOptions,
		]),
	],
	parse({ parameter, options, fields }) {
		const findBy = parseChoice(parameter('findBy').value, 'Find By', ['referenceId', 'email']);
		const flag = valueOrDefault(options.at('errorIfNotFound'), 'Error If Not Found', false);
		const common = { fields, errorIfNotFound: parseBoolean(flag, 'Error If Not Found') };
		if (findBy === 'email') {
			const text = requireText(parameter('email').value, 'Email', parseEmail);
			const filters = { ...NO_FILTERS, texts: { email: { text, match: 'whole' as const } } };
			const notFound = `No client has the email address "${text}"`;
			const advice = 'To search by part of an email address, use List Clients with the option "Text Match"';
			return {
				...common,
				selection: { filters, limit: Infinity },
				notFound: text.includes('@') ? notFound : `${notFound}. ${advice}`,
			};
		}
		const referenceId = requireText(parameter('referenceId').value, 'Reference ID', parseText);
		const notFound = `No client has the reference ID "${referenceId}"`;
		const isEmail = referenceId.includes('@');
		return {
			...common,
			referenceId,
			notFound: isEmail ? `${notFound}. To search by email address, set "Find By" to "Email"` : notFound,
		};
	},
	async run({ selection, referenceId = '', notFound, errorIfNotFound, fields }, reader) {
		const { clients, warning } = selection ? await reader.read(selection) : await reader.findById(referenceId);
		if (clients.length > 0) return { items: pickFields(clients, fields), warning };
		if (errorIfNotFound) throw new Error(warning ? `${notFound}. ${warning}` : notFound);
		return { items: [], warning, noMatch: `${notFound}.`, noMatchAdvice: NOT_FOUND_ADVICE };
	},
};
