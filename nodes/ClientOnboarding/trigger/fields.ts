import type { INodeProperties } from 'n8n-workflow';
import {
	fieldsToReturn,
	filtersField,
	optionsField,
	pagingOptions,
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
	displayName: 'Store Quiet Changes',
	name: 'quietChanges',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description:
				'An execution for each such poll. Nothing is missed; a long list that changes often fills the database.',
		},
		{
			name: 'Automatic',
			value: 'automatic',
			description:
				'The same, but no more than about 10 MB a day: enough for 1,000 clients; with 50,000, every hour or two',
		},
		{
			name: 'Never',
			value: 'never',
			description:
				'No such executions after the first. What came since the last event may be missed after a restart or an edit.',
		},
	],
	default: 'automatic',
	description:
		'A poll may learn something that starts no workflow, such as a new client while you look for changes of status. To store it, n8n adds an execution without items to its list, with a copy of what the trigger remembers.',
};

const maxEvents: INodeProperties = {
	displayName: 'Max Events per Poll',
	name: 'maxEvents',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: DEFAULT_MAX_EVENTS,
	description: 'The rest comes with the next polls, the oldest clients first. Events of the same client stay together.',
};

const rememberNames: INodeProperties = {
	displayName: 'Remember Names and E-Mails',
	name: 'rememberNames',
	type: 'boolean',
	displayOptions: showFor(['clientRemoved']),
	default: false,
	description:
		'Whether Client Removed also tells the name and e-mail address. They are then kept in the workflow and in the record of every execution.',
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
		type: 'multiOptions',
		displayOptions: showFor(['requestStatusChanged', 'statusReached']),
		options: statusOptions,
		default: [],
		description:
			'Which statuses to tell. Client Reaches a Status needs at least one; for Request Status Changed, leave empty to be told every change.',
	},
	{
		displayName: 'Watched Fields',
		name: 'watchedFields',
		type: 'multiOptions',
		displayOptions: showFor(['clientUpdated']),
		options: [...WATCHABLE_FIELDS],
		default: ['client_name', 'email', 'group_name'],
		description: 'Which fields to tell changes of',
	},
	{
		displayName: 'Stalled After (Days)',
		name: 'stalledAfterDays',
		type: 'number',
		displayOptions: showFor(['clientStalled']),
		typeOptions: { minValue: 0 },
		default: 7,
		description:
			'How many days a client has to be in one of the stalled statuses. Counted from when this trigger saw the client get there; before that, from its creation.',
	},
	{
		displayName: 'Repeat After (Days)',
		name: 'repeatAfterDays',
		type: 'number',
		displayOptions: showFor(['clientStalled']),
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'After how many days to remind again, as long as the client stays in that status. 0 tells it once.',
	},
	{
		displayName: 'Stalled Statuses',
		name: 'stalledStatuses',
		type: 'multiOptions',
		displayOptions: showFor(['clientStalled']),
		options: statusOptions,
		default: ['pending', 'requested'],
		description: 'In which statuses a client can be stalled',
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
				description: 'Clients that are there already are told, too: as new, in their status, or stalled',
			},
			{
				name: 'From Now',
				value: 'fromNow',
				description: 'Only what happens from now on; who has stalled already is told with the next reminder, if any',
			},
		],
		default: 'fromNow',
		description: 'What to tell when the workflow is activated or published for the first time',
	},
	filtersField,
	optionsField([fieldsToReturn, maxEvents, ...pagingOptions, quietChanges, rememberNames, textMatchOption]),
];
