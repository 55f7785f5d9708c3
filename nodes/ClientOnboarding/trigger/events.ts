import type { INodePropertyOptions } from 'n8n-workflow';

/** What a trigger can be told to look for, in the order of the names, as n8n wants them in the dropdown. */
const CHOICES = [
	{
		name: 'Client Removed',
		value: 'clientRemoved',
		description: 'A client is no longer listed. Who it was is told only by a hash of its reference ID.',
	},
	{
		name: 'Client Stalled',
		value: 'clientStalled',
		description: 'A client has been in the same status for some days',
	},
	{
		name: 'New Client',
		value: 'clientCreated',
		description: 'A client is listed for the first time ever',
	},
	{
		name: 'Request Status Changed',
		value: 'requestStatusChanged',
		description: 'The request of a client has another status than before',
	},
] as const satisfies INodePropertyOptions[];

export type EventName = (typeof CHOICES)[number]['value'];

export const eventOptions: INodePropertyOptions[] = [...CHOICES];

/** In the order of the alphabet, as states that are stored have them. */
export const EVENTS: EventName[] = CHOICES.map(({ value }) => value).sort();
