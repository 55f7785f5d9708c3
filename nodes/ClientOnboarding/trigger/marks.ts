import { hash } from 'node:crypto';
import type { Client } from '../service/client';
import { clientKey, createdMs } from '../service/client';

/** A client is remembered by a mark, five bytes that do not tell who it is. */
export const MARK_BYTES = 5;

const DIGITS = 2 * MARK_BYTES;
const MAX_SALT = 20;

/** The salt changes all marks; without one, a mark can be had from any program that knows SHA-256. */
export function markOf(client: Client, salt: number): number {
	const key = clientKey(client);
	const bytes = hash('sha256', salt === 0 ? key : `${salt} ${key}`, 'binary');
	let mark = 0;
	for (let index = 0; index < MARK_BYTES; index++) mark = mark * 256 + bytes.charCodeAt(index);
	return mark;
}

export function marksOf(clients: Client[], salt: number): Float64Array {
	const marks = new Float64Array(clients.length);
	for (let index = 0; index < marks.length; index++) marks[index] = markOf(clients[index], salt);
	return marks;
}

/** Clients whose mark is that of an older client. In a list of 50,000, one new client in 20 million is. */
export function findClashing(clients: Client[], marks: Float64Array): Set<Client> {
	const clashing = new Set<Client>();
	const sorted = marks.slice().sort();
	if (sorted.every((mark, index) => mark !== sorted[index - 1])) return clashing;
	const owners = new Map<number, Client>();
	clients.forEach((client, index) => {
		const owner = owners.get(marks[index]);
		const isOldest = owner === undefined || createdMs(client) < createdMs(owner);
		if (owner) clashing.add(isOldest ? owner : client);
		if (isOldest) owners.set(marks[index], client);
	});
	return clashing;
}

/** A salt with which every client has a mark of its own. */
export function saltWithoutClash(clients: Client[]): number {
	let salt = 0;
	// The chance that one is not enough is tiny; but a loop that has no end is worse than a clash.
	while (salt < MAX_SALT && findClashing(clients, marksOf(clients, salt)).size > 0) salt += 1;
	return salt;
}

export function formatMark(mark: number): string {
	return mark.toString(16).padStart(DIGITS, '0');
}
