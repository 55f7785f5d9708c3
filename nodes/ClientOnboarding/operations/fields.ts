import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** Without an operation, for a node that has none. */
export function filtersField(operation?: string): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		...shownFor(operation),
		placeholder: 'Add Filter',
		default: {},
		description: 'Only clients that match every filter count',
		options: filters,
	};
}

export function optionsField(operation: string | undefined, options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		...shownFor(operation),
		placeholder: 'Add Option',
		default: {},
		options,
	};
}

function shownFor(operation?: string): Pick<INodeProperties, 'displayOptions'> {
	return operation === undefined ? {} : { displayOptions: { show: { operation: [operation] } } };
}

export const statusOptions: INodePropertyOptions[] = [
	{ name: 'Accepted', value: 'accepted' },
	{ name: 'Completed', value: 'completed' },
	{ name: 'Declined', value: 'declined' },
	{ name: 'Pending', value: 'pending' },
	{ name: 'Requested', value: 'requested' },
];

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
		displayName: 'Client Type',
		name: 'clientType',
		type: 'options',
		options: [
			{ name: 'Company', value: 'company' },
			{ name: 'Individual', value: 'individual' },
		],
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
		displayName: 'Request Status',
		name: 'requestStatus',
		type: 'multiOptions',
		options: statusOptions,
		default: [],
		description: 'How far the request of the client is. Choose one or more.',
	},
];

export const fieldsToReturn: INodeProperties = {
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
};

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

/** How the list is read, for every operation. */
export const readingOptions: INodeProperties[] = [
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 100,
		description: 'How many clients to ask for at once. Without this option a good size is chosen for you.',
	},
	{
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 20, numberPrecision: 0 },
		default: 5,
		description: 'How many pages to read at the same time at most, from 1 to 20; fewer while the service is slow',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 300 },
		default: 30,
		description: 'How many seconds to wait for one page before trying again',
	},
];
