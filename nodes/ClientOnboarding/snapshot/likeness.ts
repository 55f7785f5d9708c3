import { clientKey } from '../service/client';
import type { Page } from '../service/response';

/** Whether the same clients stand on both pages in the same order. */
export function areIdentical(one: Page, other: Page): boolean {
	const [keys, others] = [one, other].map(({ clients }) => clients.map(clientKey).join('\n'));
	return keys === others;
}

/** Whether most rows of the smaller page are on the other one. */
export function areAlike(one: Page, other: Page): boolean {
	const keys = new Set(one.clients.map(clientKey));
	const shared = other.clients.filter((client) => keys.has(clientKey(client))).length;
	return areMost(shared, one.clients.length, other.clients.length);
}

/** Clients come and go between two looks at a page: half of the smaller one is enough. */
export function areMost(shared: number, one: number, other: number): boolean {
	return one === 0 || other === 0 ? one === other : shared >= Math.min(one, other) / 2;
}
