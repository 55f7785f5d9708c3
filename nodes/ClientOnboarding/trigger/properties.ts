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
	displayName: 'Save Changes Without Events',
	name: 'quietChanges',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'Saves at once, with an execution for each such poll. Nothing is missed.',
		},
		{
			name: 'Automatic',
			value: 'automatic',
			description: 'Saves the first change at once, later ones together, with at most one execution an hour',
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Saves with the next event. After a restart, events about unsaved changes may be missed.',
		},
	],
	default: 'automatic',
	description:
		'Some changes trigger nothing now but are needed later, such as a client that leaves a status. n8n saves them only with an execution, here one without items, which counts toward the execution limit of paid plans.',
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
		'The most events that one poll emits. The next polls emit the rest, oldest clients first. Events of the same client stay together.',
};

const rememberNames: INodeProperties = {
	displayName: 'Save Names and Emails',
	name: 'rememberNames',
	type: 'boolean',
	displayOptions: showFor(['clientRemoved']),
	default: false,
	description:
		'Whether Client Removed includes the name and email. n8n then saves them with the workflow, and some versions with every execution.',
};

const includePrevious: INodeProperties = {
	displayName: 'Include Previous Values',
	name: 'includePrevious',
	type: 'boolean',
	displayOptions: showFor(['clientUpdated']),
	default: false,
	description:
		'Whether Client Updated includes what the changed fields were before. n8n then saves the watched fields of all clients with the workflow.',
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: ['clientCreated'],
		description: 'What starts the workflow. Several events of one poll arrive as several items.',
	},
	{
		displayName: 'Status Becomes',
		name: 'statusBecomes',
		...STATUSES,
		required: true,
		displayOptions: showFor(['statusReached']),
		description: 'Statuses that trigger when a client enters them',
	},
	{
		displayName: 'Status Becomes',
		name: 'statusBecomes',
		...STATUSES,
		displayOptions: { ...showFor(['requestStatusChanged']), hide: { '/triggerOn': ['statusReached'] } },
		description: 'Statuses that trigger when a client changes to them. Leave empty for every status.',
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
			'How many days a client has to stay in one of the stalled statuses. The days count from the poll that saw the client enter the status, or from its creation.',
	},
	{
		displayName: 'Repeat After (Days)',
		name: 'repeatAfterDays',
		type: 'number',
		displayOptions: showFor(['clientStalled']),
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'After how many days the event repeats while the client stays in the status. 0 means never.',
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
		displayName: 'First Activation',
		name: 'firstActivation',
		type: 'options',
		displayOptions: showFor(['clientCreated', 'clientStalled', 'statusReached']),
		options: [
			{
				name: 'All Existing',
				value: 'allExisting',
				description: 'Existing clients trigger, too: as new, in their status, or stalled',
			},
			{
				name: 'From Now',
				value: 'fromNow',
				description: 'Only later changes trigger. A client that has stalled already triggers when the event repeats.',
			},
		],
		default: 'fromNow',
		description: 'What triggers when the workflow is published for the first time',
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
