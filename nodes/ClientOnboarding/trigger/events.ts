import type { INodePropertyOptions } from 'n8n-workflow';

/** What a trigger can be told to look for, in the order of the names, as n8n wants them in the dropdown. */
const CHOICES = [
	{
		name: 'Client Reaches a Status',
		value: 'statusReached',
		description: 'Gets to a status you choose, or is new in it',
	},
	{
		name: 'Client Removed',
		value: 'clientRemoved',
		description: 'Is no longer listed',
	},
	{
		name: 'Client Stalled',
		value: 'clientStalled',
		description: 'Stays in a status for some days; can remind',
	},
	{
		name: 'Client Updated',
		value: 'clientUpdated',
		description: 'Has another name, e-mail address, group …',
	},
	{
		name: 'New Client',
		value: 'clientCreated',
		description: 'Is listed for the first time ever',
	},
	{
		name: 'Request Status Changed',
		value: 'requestStatusChanged',
		description: 'Has another status than before',
	},
] as const satisfies INodePropertyOptions[];

export type EventName = (typeof CHOICES)[number]['value'];

export const eventOptions: INodePropertyOptions[] = [...CHOICES];

/** In the order of the alphabet, as states that are stored have them. */
export const EVENTS: EventName[] = CHOICES.map(({ value }) => value).sort();

/** The fields that Client Updated can watch. */
export const WATCHABLE_FIELDS = [
	{ name: 'Client Name', value: 'client_name' },
	{ name: 'Client Status', value: 'client_status' },
	{ name: 'Client Type', value: 'client_type' },
	{ name: 'Email', value: 'email' },
	{ name: 'Group', value: 'group_name' },
] as const satisfies INodePropertyOptions[];
