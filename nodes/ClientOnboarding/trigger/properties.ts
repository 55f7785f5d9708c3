import type { INodeProperties } from 'n8n-workflow';
import {
	fieldsToReturn,
	filtersField,
	optionsField,
	requestOptions,
	statusOptions,
	textMatchOption,
} from '../parameters/properties';
import type { EventName } from './events';
import { eventOptions, WATCHABLE_FIELDS } from './events';

export const DEFAULT_MAX_EVENTS = 1_000;

/** With the slash, because the editor empties a list that depends on a field by its plain name whenever that field changes. */
function showFor(events: EventName[]): INodeProperties['displayOptions'] {
	return { show: { '/triggerOn': events } };
}

const quietChanges: INodeProperties = {
	displayName: 'Save State Without Events',
	name: 'quietChanges',
	type: 'options',
	options: [
		{
			name: 'Hourly',
			value: 'automatic',
			description: 'Saves the first change immediately and later ones together, with at most one execution an hour',
		},
		{
			name: 'Immediately',
			value: 'always',
			description: 'Starts one execution for each poll that finds such a change',
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Saves with the next event. After a restart, events about unsaved changes can be missing.',
		},
	],
	// Preset for users who add the option; without it, the state is saved hourly.
	default: 'always',
	description:
		'When to save changes that trigger nothing now but affect later events, such as a client leaving a status. n8n saves state only with an execution, so the trigger starts one without items. It counts toward the execution limit of paid plans. Without this option, the state is saved hourly.',
};

const STATUSES = {
	type: 'multiOptions',
	options: statusOptions,
	default: [],
} as const satisfies Partial<INodeProperties>;

const maxEvents: INodeProperties = {
	displayName: 'Max Events per Poll',
	name: 'maxEvents',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: DEFAULT_MAX_EVENTS,
	description:
		'Maximum number of events per poll. The next polls emit the rest, oldest clients first. Events of one client stay together, even beyond the maximum.',
};

const rememberNames: INodeProperties = {
	displayName: 'Include Name and Email When Removed',
	name: 'rememberNames',
	type: 'boolean',
	displayOptions: showFor(['clientRemoved']),
	default: true,
	description:
		'Whether Client Removed includes the name and email of the client. n8n then saves the names and emails of all clients with the workflow. Some versions of n8n also save them with every execution.',
};

const includePrevious: INodeProperties = {
	displayName: 'Include Previous Values',
	name: 'includePrevious',
	type: 'boolean',
	displayOptions: showFor(['clientUpdated', 'requestStatusChanged']),
	default: true,
	description:
		'Whether Client Updated and Request Status Changed include an object with the previous values. For Client Updated, n8n then saves the watched fields of all clients with the workflow.',
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: ['clientCreated'],
		description: 'Events that start the workflow. Each event is one item, with its name in the "event" field.',
	},
	{
		displayName: 'New Status',
		name: 'statusBecomes',
		...STATUSES,
		required: true,
		hint: 'At least one status is required',
		displayOptions: showFor(['statusReached']),
		description: 'Statuses that start the workflow when a client enters them or is first listed with them',
	},
	{
		displayName: 'New Status',
		name: 'statusBecomes',
		...STATUSES,
		displayOptions: { ...showFor(['requestStatusChanged']), hide: { '/triggerOn': ['statusReached'] } },
		description: 'Statuses that start the workflow when a client changes to them. Leave empty for every status.',
	},
	{
		displayName: 'Watched Fields',
		name: 'watchedFields',
		type: 'multiOptions',
		displayOptions: showFor(['clientUpdated']),
		options: [...WATCHABLE_FIELDS],
		default: ['client_name', 'email', 'group_name'],
		description: 'Fields that trigger Client Updated when they change',
	},
	{
		displayName: 'Stalled After (Days)',
		name: 'stalledAfterDays',
		type: 'number',
		displayOptions: showFor(['clientStalled']),
		typeOptions: { minValue: 0 },
		default: 7,
		description:
			"Number of days in the same status before the event. Days count from the poll that saw the client enter the status, or from the client's creation if it was first listed with that status.",
	},
	{
		displayName: 'Remind Every (Days)',
		name: 'repeatAfterDays',
		type: 'number',
		displayOptions: showFor(['clientStalled']),
		typeOptions: { minValue: 0 },
		default: 0,
		hint: '0 = never',
		description: 'Number of days after which the event repeats while the client stays in the status',
	},
	{
		displayName: 'Stalled Statuses',
		name: 'stalledStatuses',
		type: 'multiOptions',
		displayOptions: showFor(['clientStalled']),
		options: statusOptions,
		default: ['pending', 'requested'],
		description: 'Statuses in which a client can stall',
	},
	{
		displayName: 'Existing Clients',
		name: 'firstActivation',
		type: 'options',
		displayOptions: showFor(['clientCreated', 'clientStalled', 'statusReached']),
		options: [
			{
				name: 'Emit',
				value: 'allExisting',
				description: 'Existing clients that match the chosen events start the workflow, too',
			},
			{
				name: 'Ignore',
				value: 'fromNow',
				description:
					'Only later changes start the workflow. With Client Stalled, clients that have already stalled trigger reminders only.',
			},
		],
		default: 'fromNow',
		description: 'What to do with existing clients when the workflow is published for the first time',
	},
	{
		displayName:
			'Client Removed items contain only the reference ID and the last status of the client. To include the name and email, add the option "Include Name and Email When Removed".',
		name: 'removedNotice',
		type: 'notice',
		displayOptions: { ...showFor(['clientRemoved']), hide: { '/options.rememberNames': [true] } },
		default: '',
	},
	{
		displayName:
			'When you publish this workflow for the first time, the first poll only saves the current list. n8n shows it as an execution without items. Later polls start the workflow when an event occurs.',
		name: 'firstPollNotice',
		type: 'notice',
		displayOptions: { hide: { firstActivation: ['allExisting'] } },
		default: '',
	},
	filtersField,
	optionsField([
		fieldsToReturn,
		includePrevious,
		maxEvents,
		...requestOptions,
		quietChanges,
		rememberNames,
		textMatchOption,
	]),
];
