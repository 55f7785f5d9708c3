import type { IDataObject } from 'n8n-workflow';
import { readTimeMs } from './dates';

/** A client record exactly as the service sent it. */
export type Client = IDataObject;

/** In the order of the alphabet, as dropdowns show them. */
export const REQUEST_STATUSES = ['accepted', 'completed', 'declined', 'pending', 'requested'];

export const CLIENT_TYPES = ['company', 'individual'];

/** A field as text. What is no text is never turned into one by its own rules: they may be the service's. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Values are compared without minding case. */
export function folded(value: unknown): string {
	// An accent may be a sign of its own.
	return textOf(value).trim().toLowerCase().normalize('NFC');
}

/** A choice with a capital, as dropdowns and many services write it. */
export function capitalise(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** NaN, which no comparison holds for, where the record has no usable date. With a fraction where it has microseconds. */
export function createdMs(client: Client): number {
	return readTimeMs(textOf(client.created_at).trim());
}

/** What makes a client the same client on two pages. */
export function clientKey(client: Client): string {
	// Any other number may have lost digits, so that two clients may share it.
	const id = Number.isSafeInteger(client.reference_id) ? String(client.reference_id) : client.reference_id;
	// A record without an id is still a client; only an identical record counts as the same one.
	return typeof id === 'string' && id !== '' ? id : JSON.stringify(client);
}
