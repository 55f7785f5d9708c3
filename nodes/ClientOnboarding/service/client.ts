import type { IDataObject } from 'n8n-workflow';

/** A client record exactly as the service sent it. */
export type Client = IDataObject;

export const REQUEST_STATUSES = ['accepted', 'completed', 'declined', 'pending', 'requested'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const CLIENT_TYPES = ['company', 'individual'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const CLIENT_FIELDS = [
	'client_name',
	'client_status',
	'client_type',
	'created_at',
	'email',
	'group_name',
	'group_token',
	'reference_id',
	'request_status',
] as const;

/** What makes a client the same client on two pages. */
export function clientKey(client: Client): string {
	const id = client.reference_id;
	// A record without an id is still a client; only an identical record counts as the same one.
	return typeof id === 'string' && id !== '' ? id : JSON.stringify(client);
}
