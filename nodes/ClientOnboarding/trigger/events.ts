import type { INodePropertyOptions } from 'n8n-workflow';

/** In the order of their names, as n8n wants them in the dropdown. */
const CHOICES = [
	{
		name: 'Client Reaches a Status',
		value: 'statusReached',
		description: 'A client enters a chosen status, such as Declined, or is first listed with it. Event: statusReached.',
	},
	{
		name: 'Client Removed',
		value: 'clientRemoved',
		description: 'A client is no longer listed. To include name and email, add an option. Event: clientRemoved.',
	},
	{
		name: 'Client Stalled',
		value: 'clientStalled',
		description: 'A client stays in a status for the number of days you set. Event: clientStalled.',
	},
	{
		name: 'Client Updated',
		value: 'clientUpdated',
		description: "A watched field changes, such as the client's name, email or group. Event: clientUpdated.",
	},
	{
		name: 'New Client',
		value: 'clientCreated',
		description: 'A client is listed for the first time. Event: clientCreated.',
	},
	{
		name: 'Request Status Changed',
		value: 'requestStatusChanged',
		description:
			"The request status of a known client changes. New clients don't trigger this. Event: requestStatusChanged.",
	},
] as const satisfies INodePropertyOptions[];

export type EventName = (typeof CHOICES)[number]['value'];

export const eventOptions: INodePropertyOptions[] = [...CHOICES];

export const EVENTS: EventName[] = CHOICES.map(({ value }) => value).sort();

/** The fields that Client Updated can watch. */
export const WATCHABLE_FIELDS = [
	{ name: 'Client Name', value: 'client_name' },
	{ name: 'Client Status', value: 'client_status' },
	{ name: 'Client Type', value: 'client_type' },
	{ name: 'Email', value: 'email' },
	{ name: 'Group Name', value: 'group_name' },
] as const satisfies INodePropertyOptions[];
