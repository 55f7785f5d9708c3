import { hash } from 'node:crypto';
import type { Client } from '../api/record';
import { clientKey, createdMs } from '../api/record';

/** A client is remembered by a mark, five bytes that do not tell who it is. */
export const MARK_BYTES = 5;
const LONG_MARK_BYTES = 16;

/** A mark or, for a client whose mark belongs to another one, a long mark as text. In a list of 50,000, one new client in 20 million needs it. */
export type Key = number | string;

/** The salt changes all marks; only states of version 0.1.0 may have one. */
export function markOf(client: Client, salt: number): number {
	const bytes = digest(client, salt, 'binary');
	let mark = 0;
	for (let index = 0; index < MARK_BYTES; index++) mark = mark * 256 + bytes.charCodeAt(index);
	return mark;
}

function longMarkOf(client: Client, salt: number): string {
	return digest(client, salt, 'hex').slice(0, 2 * LONG_MARK_BYTES);
}

/** Without a salt, a mark can be had from any program that knows SHA-256. */
function digest(client: Client, salt: number, encoding: 'binary' | 'hex'): string {
	const key = clientKey(client);
	return hash('sha256', salt === 0 ? key : `${salt} ${key}`, encoding);
}

/** By what each of the clients is remembered. */
export function keysOf(clients: Client[], known: ReadonlyMap<Key, unknown>, salt: number): Key[] {
	const marks = clients.map((client) => markOf(client, salt));
	const longMarks = [...known.keys()].filter((key) => typeof key === 'string');
	if (longMarks.length === 0 && new Set(marks).size === marks.length) return marks;

	const longKnown = new Set(longMarks);
	const owners = new Map<number, Client>();
	const isLong = clients.map((client) => longKnown.has(longMarkOf(client, salt)));
	clients.forEach((client, index) => {
		if (isLong[index]) return;
		const owner = owners.get(marks[index]);
		// The mark belongs to the older one, who had it first.
		if (!owner || createdMs(client) < createdMs(owner)) owners.set(marks[index], client);
	});
	return clients.map((client, index) => {
		const owner = owners.get(marks[index]) as Client;
		const isOwner = !isLong[index] && clientKey(owner) === clientKey(client);
		return isOwner ? marks[index] : longMarkOf(client, salt);
	});
}

/** The mark in a key, which two clients may share. */
export function markIn(key: Key): number {
	return typeof key === 'number' ? key : parseInt(key.slice(0, 2 * MARK_BYTES), 16);
}

/** The hash of a client's reference ID that users see: the same ten digits, whichever mark it is remembered by. */
export function formatKey(key: Key): string {
	return markIn(key)
		.toString(16)
		.padStart(2 * MARK_BYTES, '0');
}
