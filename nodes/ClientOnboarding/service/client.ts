import type { IDataObject } from 'n8n-workflow';

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

const EPOCH = /^\d{9,14}$/;
const EPOCH_MS_DIGITS = 12;

/** NaN, which no comparison holds for, where the record has no usable date. With a fraction where it has microseconds. */
export function createdMs(client: Client): number {
	const text = textOf(client.created_at);
	// Some services count seconds or milliseconds instead of writing a date.
	if (EPOCH.test(text)) return Number(text) * (text.length < EPOCH_MS_DIGITS ? 1000 : 1);
	return Date.parse(text) + microsecondsMs(/\.(\d+)/.exec(text)?.[1] ?? '');
}

/** What the digits after the third of a fraction of a second add; JavaScript leaves them out. */
export function microsecondsMs(fraction: string): number {
	return Number(`0.${fraction.slice(3, 6) || '0'}`);
}

/** What makes a client the same client on two pages. */
export function clientKey(client: Client): string {
	// A larger number has lost its last digits on the way, so that two clients may share it.
	const id = Number.isSafeInteger(client.reference_id) ? String(client.reference_id) : client.reference_id;
	// A record without an id is still a client; only an identical record counts as the same one.
	return typeof id === 'string' && id !== '' ? id : JSON.stringify(client);
}
