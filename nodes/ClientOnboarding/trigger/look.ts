import { readClients } from '../list/clients';
import { NO_FILTERS } from '../list/filters';
import type { SortedList } from '../list/newest';
import { orderOf, readNewest } from '../list/newest';
import type { Paging } from '../snapshot/snapshot';
import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Changes, Watch } from './changes';
import { findChanges } from './changes';
import { markOf } from './marks';
import type { State } from './state';

/** A list that is known to be sorted is nevertheless read as a whole this often. */
const LOOK_AROUND_MS = 24 * 60 * 60 * 1000;
/** A shorter list is read as a whole in as few requests. */
const LONG_LIST = 1_000;

export class MovingListError extends Error {}

/** Reads as much of the list as is needed to know every change since `before`. */
export async function lookForChanges(
	ask: AskForPage,
	before: State | undefined,
	watch: Watch,
	paging: Paging,
): Promise<Changes> {
	const atMs = Date.now();
	const sortedList = sortedListOf(before, watch, atMs);
	const newest = sortedList && (await readNewest(ask, sortedList));
	if (newest) {
		const changes = findChanges(before, { clients: newest, isComplete: false, atMs }, watch);
		return withSorted(changes, before?.sorted);
	}

	// Whom the first look overlooks would be told as new by the next one.
	let clients = await readAll(ask, { ...paging, consistency: before ? 'fast' : 'exact' });
	let changes = findChanges(before, { clients, isComplete: true, atMs }, watch);
	if (changes.isAnyGone) {
		// Who moves from one page to another while they are read can be overlooked. Only who is missing twice is gone.
		clients = merge(await readAll(ask, { ...paging, consistency: 'exact' }), clients);
		changes = findChanges(before, { clients, isComplete: true, atMs }, watch);
	}
	const order = looksForNewOnly(watch) && clients.length >= LONG_LIST ? orderOf(clients) : undefined;
	return withSorted(changes, order && { order, atMs });
}

function withSorted(changes: Changes, sorted: State['sorted']): Changes {
	return changes.state.sorted === sorted ? changes : { ...changes, state: { ...changes.state, sorted } };
}

/** Only new clients stand where they can be found without reading the rest. */
function looksForNewOnly({ events }: Pick<Watch, 'events'>): boolean {
	return events.length === 1 && events[0] === 'clientCreated';
}

/** The list as it was remembered, where its newest clients are all that has to be read. */
function sortedListOf(before: State | undefined, watch: Watch, atMs: number): SortedList | undefined {
	if (!before?.sorted || before.service !== watch.service || !looksForNewOnly(watch)) return undefined;
	const { conditions, salt, sorted } = before;
	const ageMs = atMs - sorted.atMs;
	if (ageMs < 0 || ageMs >= LOOK_AROUND_MS) return undefined;
	return { order: sorted.order, count: conditions.size, isKnown: (client) => conditions.has(markOf(client, salt)) };
}

async function readAll(ask: AskForPage, paging: Paging): Promise<Client[]> {
	const { clients, doubt } = await readClients(ask, NO_FILTERS, { ...paging, limit: Infinity });
	if (doubt && !doubt.isAboutTotal) throw new MovingListError(doubt.words);
	return clients;
}

/** Clients of both lists; of one that stands in both, the first. */
function merge(first: Client[], second: Client[]): Client[] {
	const keys = new Set(first.map(clientKey));
	return [...first, ...second.filter((client) => !keys.has(clientKey(client)))];
}
