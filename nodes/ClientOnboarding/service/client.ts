import type { IDataObject } from 'n8n-workflow';

/** A client record exactly as the service sent it. */
export type Client = IDataObject;

export const REQUEST_STATUSES = ['accepted', 'completed', 'declined', 'pending', 'requested'];

export const CLIENT_TYPES = ['company', 'individual'];

/** What makes a client the same client on two pages. */
export function clientKey(client: Client): string {
	const id = client.reference_id;
	// A record without an id is still a client; only an identical record counts as the same one.
	return typeof id === 'string' && id !== '' ? id : JSON.stringify(client);
}
