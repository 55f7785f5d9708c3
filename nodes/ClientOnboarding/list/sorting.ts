import type { Client } from '../api/record';
import { clientKey, folded } from '../api/record';
import { creationMs } from './creation';

export const SORTS = ['newestFirst', 'oldestFirst', 'name', 'status'] as const;
export type Sort = (typeof SORTS)[number];

/** In this order; whoever is equal in it, by reference ID. Whoever lacks the value comes last. */
export function sortClients(clients: Client[], sort: Sort): Client[] {
	const compare = COMPARISONS[sort];
	return [...clients].sort((a, b) => compare(a, b) || byCode(clientKey(a), clientKey(b)));
}

const { compare: byAlphabet } = new Intl.Collator('en');

const COMPARISONS: Record<Sort, (a: Client, b: Client) => number> = {
	newestFirst: (a, b) => byTime(-creationMs(a), -creationMs(b)),
	oldestFirst: (a, b) => byTime(creationMs(a), creationMs(b)),
	name: (a, b) => byWords(folded(a.client_name), folded(b.client_name)),
	status: (a, b) => byWords(folded(a.request_status), folded(b.request_status)),
};

function byTime(a: number, b: number): number {
	return Number(Number.isNaN(a)) - Number(Number.isNaN(b)) || a - b || 0;
}

function byWords(a: string, b: string): number {
	return Number(a === '') - Number(b === '') || byAlphabet(a, b);
}

function byCode(a: string, b: string): number {
	return a < b ? -1 : Number(a > b);
}
