import type { Client } from '../api/record';
import { clientKey, createdMs, folded } from '../api/record';

export const SORTS = ['newestFirst', 'oldestFirst', 'name', 'status'] as const;
export type Sort = (typeof SORTS)[number];

/** What clients are sorted by: a number, or text in alphabetical order. */
const KEYS: Record<Sort, (client: Client) => number | string> = {
	newestFirst: (client) => -createdMs(client),
	oldestFirst: (client) => createdMs(client),
	name: (client) => folded(client.client_name),
	status: (client) => folded(client.request_status),
};

const { compare } = new Intl.Collator('en');

/** Clients without the value come last; equal ones are sorted by reference ID. */
export function sortClients(clients: Client[], sort: Sort): Client[] {
	const keyOf = KEYS[sort];
	// Each date is parsed once, not at every comparison.
	const rows = clients.map((client) => ({ client, key: keyOf(client), id: clientKey(client) }));
	rows.sort((a, b) => Number(isMissing(a.key)) - Number(isMissing(b.key)) || order(a.key, b.key) || byCode(a.id, b.id));
	return rows.map(({ client }) => client);
}

function isMissing(key: number | string): boolean {
	return key === '' || Number.isNaN(key);
}

function byCode(a: string, b: string): number {
	return a < b ? -1 : Number(a > b);
}

function order(a: number | string, b: number | string): number {
	return typeof a === 'number' ? a - Number(b) || 0 : compare(a, String(b));
}
