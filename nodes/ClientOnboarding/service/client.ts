import type { IDataObject } from 'n8n-workflow';

/** A client record exactly as the service sent it. */
export type Client = IDataObject;

export const REQUEST_STATUSES = ['accepted', 'completed', 'declined', 'pending', 'requested'];

export const CLIENT_TYPES = ['company', 'individual'];

/** Values are compared without minding case. */
export function folded(value: unknown): string {
	return String(value ?? '').trim().toLowerCase();
}

/** NaN, which no comparison holds for, where the record has no usable date. */
export function createdMs(client: Client): number {
	return Date.parse(String(client.created_at));
}

/** What makes a client the same client on two pages. */
export function clientKey(client: Client): string {
	const id = client.reference_id;
	// A record without an id is still a client; only an identical record counts as the same one.
	return typeof id === 'string' && id !== '' ? id : JSON.stringify(client);
}
