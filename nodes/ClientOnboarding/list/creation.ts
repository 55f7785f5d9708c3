import type { Client } from '../api/record';
import { createdMs, textOf } from '../api/record';

const known = new WeakMap<Client, number>();

/** When the client was created. Of a long list that thousands of questions are asked about, each date is read once. */
export function creationMs(client: Client): number {
	const time = known.get(client) ?? createdMs(client);
	known.set(client, time);
	return time;
}

/** It has a date, which cannot be read. */
export function isMisdated(client: Client): boolean {
	return Number.isNaN(creationMs(client)) && textOf(client.created_at).trim() !== '';
}
