import type { INodeProperties } from 'n8n-workflow';
import { filtersField, optionsField, pagingOptions, statusOptions, textMatchOption } from '../parameters/fields';
import { eventOptions } from './events';

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
		description: 'How many days after its creation a client counts as stalled. Told once for each client and status.',
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
	optionsField([...pagingOptions, textMatchOption]),
];
