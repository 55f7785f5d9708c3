import type { INodeProperties } from 'n8n-workflow';
import { filtersField, optionsField, pagingOptions, statusOptions, textMatchOption } from '../parameters/fields';
import { eventOptions } from './events';

const quietChanges: INodeProperties = {
	displayName: 'Store Quiet Changes',
	name: 'quietChanges',
	type: 'options',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'At once. Nothing is missed while n8n is off; a long list that changes often fills the database.',
		},
		{
			name: 'Automatic',
			value: 'automatic',
			description:
				'At once as long as that takes less than about 10 MB a day, which 1,000 clients do; 50,000 clients every hour or two',
		},
		{
			name: 'Never',
			value: 'never',
			description:
				'Only with the next event. No executions without items; while n8n is off, changes of clients that came since the last event are missed.',
		},
	],
	default: 'automatic',
	description:
		'What to do when a poll learns something that starts no workflow, such as a new client while you look for changes of status. To store it, n8n adds an execution without items to its list, with a copy of what the trigger remembers.',
};

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'multiOptions',
		required: true,
		options: eventOptions,
		default: ['clientCreated'],
	},
	{
		displayName: 'Status Becomes',
		name: 'statusBecomes',
		type: 'multiOptions',
		displayOptions: { show: { triggerOn: ['requestStatusChanged'] } },
		options: statusOptions,
		default: [],
		description: 'Which changes of status to tell. Leave empty for all.',
	},
	{
		displayName: 'Stalled After (Days)',
		name: 'stalledAfterDays',
		type: 'number',
		displayOptions: { show: { triggerOn: ['clientStalled'] } },
		typeOptions: { minValue: 0 },
		default: 7,
		description:
			'How many days a client has to be in one of the stalled statuses. Counted from when this trigger saw the client get there; before that, from its creation.',
	},
	{
		displayName: 'Stalled Statuses',
		name: 'stalledStatuses',
		type: 'multiOptions',
		displayOptions: { show: { triggerOn: ['clientStalled'] } },
		options: statusOptions,
		default: ['pending', 'requested'],
		description: 'In which statuses a client can be stalled',
	},
	{
		displayName: 'First Activation',
		name: 'firstActivation',
		type: 'options',
		options: [
			{
				name: 'All Existing',
				value: 'allExisting',
				description: 'Clients that are there already count as new, and stalled ones as newly stalled',
			},
			{
				name: 'From Now',
				value: 'fromNow',
				description: 'Only what happens after the workflow is activated',
			},
		],
		default: 'fromNow',
		description: 'What to tell when the workflow is activated for the first time',
	},
	filtersField,
	optionsField([...pagingOptions, textMatchOption, quietChanges]),
];
