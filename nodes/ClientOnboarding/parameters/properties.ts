import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { capitalize, CLIENT_TYPES, REQUEST_STATUSES } from '../api/record';

export const statusOptions = toOptions(REQUEST_STATUSES);

const filters: INodeProperties[] = [
	{
		displayName: 'Client Email',
		name: 'clientEmail',
		type: 'string',
		placeholder: 'name@email.com',
		default: '',
		description: 'Email address of the client. Case is ignored.',
	},
	{
		displayName: 'Client Status',
		name: 'clientStatus',
		type: 'string',
		placeholder: 'e.g. active',
		default: '',
		description: 'Status of the client record, such as active. For Pending or Declined, use Request Status.',
	},
	{
		displayName: 'Client Type',
		name: 'clientType',
		type: 'options',
		options: toOptions(CLIENT_TYPES),
		default: 'individual',
		description: 'Type of the client: an individual or a company',
	},
	{
		displayName: 'Created After',
		name: 'createdAfter',
		type: 'dateTime',
		default: '',
		description: 'Clients created at this time or later. Without a time zone, the time zone of the workflow applies.',
	},
	{
		displayName: 'Created Before',
		name: 'createdBefore',
		type: 'dateTime',
		default: '',
		description: 'Clients created before this time. Without a time zone, the time zone of the workflow applies.',
	},
	{
		displayName: 'Created Within (Days)',
		name: 'createdWithinDays',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 7,
		description: 'Clients created at most this many days ago. A day is 24 hours.',
	},
	{
		displayName: 'Group',
		name: 'groupName',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'Group that the client was onboarded into',
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
				hint: 'Name of the group. Case is ignored.',
			},
		],
	},
	{
		displayName: 'Created More Than (Days Ago)',
		name: 'olderThanDays',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 30,
		description: 'Clients created more than this many days ago. A day is 24 hours.',
	},
	{
		displayName: 'Request Status',
		name: 'requestStatus',
		type: 'multiOptions',
		options: statusOptions,
		default: [],
		description:
			'Status of the onboarding request, such as Pending or Declined. Clients with any of the chosen statuses match.',
	},
];

export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	description: 'Only clients that match all filters',
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
	return values.map((value) => ({ name: capitalize(value), value }));
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
	description: 'Fields of each client to output. Leave empty for all fields.',
} satisfies INodeProperties;

export const textMatchOption: INodeProperties = {
	displayName: 'Text Match',
	name: 'textMatch',
	type: 'options',
	options: [
		{ name: 'Exact', value: 'whole', description: 'The value equals the text' },
		{
			name: 'Contains',
			value: 'part',
			description:
				'The value contains the text. The service has no such filter, so the node reads the list and compares the text itself.',
		},
	],
	// Preset for users who add the option; without it, the match is exact.
	default: 'part',
	description:
		'How the filters Client Email and Group compare text. Case is ignored. Without this option, the match is exact.',
};

export const onIncompleteOption: INodeProperties = {
	displayName: 'If List May Be Incomplete',
	name: 'onIncomplete',
	type: 'options',
	options: [
		{
			name: 'Stop',
			value: 'fail',
			description: 'Stops the workflow without output. Use it for exports that must be complete.',
		},
		{
			name: 'Warn',
			value: 'warn',
			description: 'Outputs the clients, and shows a warning in the output panel',
		},
	],
	// Preset for users who add the option; without it, the node warns.
	default: 'fail',
	description:
		'What to do if the service reports more clients than it returns, or if the list keeps changing. Without this option, the node warns.',
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
		'Order of the clients. The node reads all matching clients and then applies the limit. Without this option, the clients are in the order of the service.',
};

const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 100,
	description:
		'Number of clients per request. If the service cannot return that many, the node requests fewer. Without this option, the node chooses the size.',
};

const parallelRequests: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'parallelRequests',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
	default: 5,
	description:
		'Maximum number of requests at the same time, from 1 to 20. After a rate limit (429), the node sends fewer.',
};

const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 30,
	description: 'How long to wait for a response before the node retries the request',
};

const consistency = {
	displayName: 'Read Mode',
	name: 'consistency',
	type: 'options',
	options: [
		{
			name: 'Complete',
			value: 'exact',
			description:
				'Reads a list of several pages until two reads agree, at most four times. If clients may still be missing, the node warns.',
		},
		{
			name: 'Fast',
			value: 'fast',
			description:
				'Reads each page once: about half the requests. If the list changes meanwhile, clients can be missing.',
		},
	],
	// Preset for users who add the option; without it, the mode is Complete.
	default: 'fast',
	description: 'How to read a list of several pages. Without this option, the mode is Complete.',
} satisfies INodeProperties;

/** How pages are requested, in every operation and in the trigger. */
export const requestOptions = [pageSize, parallelRequests, timeout];

export const pagingOptions = [consistency, ...requestOptions];

/** The values if these options are not added. */
export const DEFAULTS = { parallelRequests: parallelRequests.default, timeout: timeout.default };
