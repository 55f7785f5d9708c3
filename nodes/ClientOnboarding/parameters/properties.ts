import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { capitalise, CLIENT_TYPES, REQUEST_STATUSES } from '../api/record';

export const statusOptions = toOptions(REQUEST_STATUSES);

const filters: INodeProperties[] = [
	{
		displayName: 'Client Email',
		name: 'clientEmail',
		type: 'string',
		placeholder: 'name@email.com',
		default: '',
		description: 'The e-mail address of the client. Upper and lower case do not matter.',
	},
	{
		displayName: 'Client Status',
		name: 'clientStatus',
		type: 'string',
		placeholder: 'e.g. active',
		default: '',
		description:
			'The status of the client itself, such as active; its request has another one. Where nobody has it, a hint names those there are.',
	},
	{
		displayName: 'Client Type',
		name: 'clientType',
		type: 'options',
		options: toOptions(CLIENT_TYPES),
		default: 'individual',
	},
	{
		displayName: 'Created After',
		name: 'createdAfter',
		type: 'dateTime',
		default: '',
		description: 'Clients created at this time or later',
	},
	{
		displayName: 'Created Before',
		name: 'createdBefore',
		type: 'dateTime',
		default: '',
		description: 'Clients created earlier than this time',
	},
	{
		displayName: 'Created in the Last (Days)',
		name: 'createdWithinDays',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 7,
		description: 'Clients created within this many days, of 24 hours each, before now',
	},
	{
		displayName: 'Group',
		name: 'groupName',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'The group the client was onboarded into',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a group…',
				typeOptions: { searchListMethod: 'searchGroups', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. Retail customers',
				hint: 'The name of the group. Upper and lower case do not matter.',
			},
		],
	},
	{
		displayName: 'Older Than (Days)',
		name: 'olderThanDays',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 7,
		description: 'Clients created more than this many days, of 24 hours each, before now',
	},
	{
		displayName: 'Request Status',
		name: 'requestStatus',
		type: 'multiOptions',
		options: statusOptions,
		default: [],
		description: 'How far the request of the client is. Choose one or more.',
	},
];

export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'Only clients matching all filters are returned',
	options: sortByLabel(filters),
};

export function optionsField(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: sortByLabel(options),
	};
}

function sortByLabel(properties: INodeProperties[]): INodeProperties[] {
	return [...properties].sort((a, b) => a.displayName.localeCompare(b.displayName));
}

function toOptions(values: readonly string[]): INodePropertyOptions[] {
	return values.map((value) => ({ name: capitalise(value), value }));
}

export const fieldsToReturn = {
	displayName: 'Fields to Return',
	name: 'fields',
	type: 'multiOptions',
	options: [
		{ name: 'Client Name', value: 'client_name' },
		{ name: 'Client Status', value: 'client_status' },
		{ name: 'Client Type', value: 'client_type' },
		{ name: 'Created At', value: 'created_at' },
		{ name: 'Email', value: 'email' },
		{ name: 'Group Name', value: 'group_name' },
		{ name: 'Group Token', value: 'group_token' },
		{ name: 'Reference ID', value: 'reference_id' },
		{ name: 'Request Status', value: 'request_status' },
	],
	default: [],
	description: 'Leave empty for all fields',
} satisfies INodeProperties;

export const textMatchOption: INodeProperties = {
	displayName: 'Text Filters Match',
	name: 'textMatch',
	type: 'options',
	options: [
		{ name: 'The Whole Value', value: 'whole' },
		{ name: 'Part of the Value', value: 'part', description: 'Reads the whole list, so it takes longer' },
	],
	default: 'whole',
	description: 'How the filters Client Email and Group are compared. Upper and lower case never matter.',
};

export const onIncompleteOption: INodeProperties = {
	displayName: 'If List May Be Incomplete',
	name: 'onIncomplete',
	type: 'options',
	options: [
		{ name: 'Stop', value: 'fail', description: 'Stops and outputs nothing. For exports that must be complete.' },
		{
			name: 'Warn',
			value: 'warn',
			description: 'Outputs the clients. The warning is shown in the output panel of this node.',
		},
	],
	// Preset for users who add the option; without it, the node warns.
	default: 'fail',
	description:
		'What to do if the service reports more clients than it returns, or if the list keeps changing. If you do not add this option, the node outputs the clients with a warning.',
};

export const sortOption: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'By Name', value: 'name', description: 'From A to Z' },
		{ name: 'By Request Status', value: 'status', description: 'From A to Z' },
		{ name: 'Newest First', value: 'newestFirst' },
		{ name: 'Oldest First', value: 'oldestFirst' },
	],
	default: 'newestFirst',
	description:
		'In which order clients come. Reads all that match, so that with a limit you get the first of them all; without this option they come as the service lists them.',
};

const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description: 'How many clients to ask for at once. Without this option a good size is chosen for you.',
};

const parallelRequests: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'parallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 5,
	description: 'How many pages to read at the same time at most, from 1 to 20; fewer while the service is slow',
};

const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 30,
	description: 'How long to wait for one page before trying again',
};

const consistency = {
	displayName: 'If the List Changes Meanwhile',
	name: 'consistency',
	type: 'options',
	options: [
		{
			name: 'Miss Nobody',
			value: 'exact',
			description: 'Looks again where needed, so that nobody is left out while others join or leave',
		},
		{
			name: 'Read Faster',
			value: 'fast',
			description: 'About half as many requests on long lists. While others join and leave, a client may be left out.',
		},
	],
	default: 'exact',
	description: 'Whether nobody may be left out, or speed matters more, while clients join and leave',
} satisfies INodeProperties;

/** How pages are requested, in every operation and in the trigger. */
export const requestOptions = [pageSize, parallelRequests, timeout];

export const pagingOptions = [consistency, ...requestOptions];

/** What holds where these options are not added. */
export const DEFAULTS = { parallelRequests: parallelRequests.default, timeout: timeout.default };
