import { hash } from 'node:crypto';
import type { Client } from '../service/client';
import { clientKey, createdMs } from '../service/client';

/** A client is remembered by a mark, five bytes that do not tell who it is. */
export const MARK_BYTES = 5;

const DIGITS = 2 * MARK_BYTES;

export interface MarkedClient {
	mark: number;
	client: Client;
	/** Another client, an older one, has the same mark. */
	isClashing: boolean;
}

/** The salt changes all marks; without one, a mark can be had from any program that knows SHA-256. */
export function markOf(client: Client, salt: number): number {
	const key = clientKey(client);
	return Number.parseInt(hash('sha256', salt === 0 ? key : `${salt} ${key}`).slice(0, DIGITS), 16);
}

export function markAll(clients: Client[], salt: number): MarkedClient[] {
	const owners = new Map<number, MarkedClient>();
	return clients.map((client) => {
		const marked = { mark: markOf(client, salt), client, isClashing: false };
		const owner = owners.get(marked.mark);
		const loser = owner && createdMs(owner.client) <= createdMs(client) ? marked : owner;
		if (loser) loser.isClashing = true;
		if (loser !== marked) owners.set(marked.mark, marked);
		return marked;
	});
}

/** A salt with which every client has a mark of its own. */
export function saltWithoutClash(clients: Client[]): number {
	let salt = 0;
	while (markAll(clients, salt).some(({ isClashing }) => isClashing)) salt += 1;
	return salt;
}

export function formatMark(mark: number): string {
	return mark.toString(16).padStart(DIGITS, '0');
}
