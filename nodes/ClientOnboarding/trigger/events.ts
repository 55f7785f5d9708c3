import type { INodePropertyOptions } from 'n8n-workflow';

/** In the order of their names, as n8n wants them in the dropdown. */
const CHOICES = [
	{
		name: 'Client Reaches a Status',
		value: 'statusReached',
		description: 'A client enters a status you choose, or is new in it',
	},
	{
		name: 'Client Removed',
		value: 'clientRemoved',
		description: 'A client is no longer listed',
	},
	{
		name: 'Client Stalled',
		value: 'clientStalled',
		description: 'A client stays in a status for some days. Can repeat.',
	},
	{
		name: 'Client Updated',
		value: 'clientUpdated',
		description: "A client's name, email, group, type or client status changes",
	},
	{
		name: 'New Client',
		value: 'clientCreated',
		description: 'A client is listed for the first time',
	},
	{
		name: 'Request Status Changed',
		value: 'requestStatusChanged',
		description: "A client's request status changes",
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
	{ name: 'Group', value: 'group_name' },
] as const satisfies INodePropertyOptions[];
