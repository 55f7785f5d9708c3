import type { IDataObject } from 'n8n-workflow';
import { parseTimestamp } from './timestamp';

/** A client record exactly as the service sent it. */
export type Client = IDataObject;

/** In alphabetical order, as dropdowns show them. */
export const REQUEST_STATUSES = ['accepted', 'completed', 'declined', 'pending', 'requested'];

export const CLIENT_TYPES = ['company', 'individual'];

export function asRecord(value: unknown): Record<string, unknown> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: undefined;
}

/** A field as text. Objects never convert themselves: their toString would be the service's. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Values are compared without case. */
export function folded(value: unknown): string {
	// An accent may be a character of its own.
	return textOf(value).trim().toLowerCase().normalize('NFC');
}

export function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** NaN, for which every comparison is false, if the record has no usable date. */
export function createdMs(client: Client): number {
	return parseTimestamp(textOf(client.created_at).trim())?.timeMs ?? NaN;
}

/** Two records with the same key are the same client. */
export function clientKey(client: Client): string {
	// A record without an ID is still a client; only an identical record is the same one.
	return textOf(client.reference_id) || JSON.stringify(client);
}
