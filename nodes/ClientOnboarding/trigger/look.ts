import { listClients } from '../query/listClients';
import { NO_FILTERS } from '../query/filters';
import type { Part, SortedList } from './newestFirst';
import { orderOf, readNewest, readOldestUnknown } from './newestFirst';
import type { Source } from '../pagination/source';
import type { Paging } from '../pagination/readList';
import type { Client } from '../api/record';
import { clientKey } from '../api/record';
import type { Changes } from './changes';
import { findChanges } from './changes';
import { countListed } from './conditions';
import { forgetDoubt, hesitates } from './hesitation';
import { markOf } from './marks';
import type { State } from './state/state';
import type { Watch } from './watch';
import { looksForNewOnly } from './watch';

/** A list that is known to be sorted is nevertheless read as a whole this often. */
const LOOK_AROUND_MS = 24 * 60 * 60 * 1000;
/** A shorter list is read as a whole in as few requests. */
const LONG_LIST = 1_000;

/** The list cannot be relied on just now. */
export class DoubtfulListError extends Error {}

/** Reads as much of the list as is needed to know every change since `before`. */
export async function lookForChanges(
	source: Source,
	before: State | undefined,
	watch: Watch,
	{ paging, trigger }: { paging: Paging; trigger: string },
): Promise<Changes> {
	const atMs = Date.now();
	const sortedList = sortedListOf(before, watch, atMs);
	const part = sortedList && (await readPart(source, sortedList, before?.waiting, watch));
	if (before && part) {
		const { excess, sorted } = before;
		const look = { clients: part.clients, isComplete: false, atMs, excess, unread: part.rest };
		return withSorted(findChanges(before, look, watch), sorted);
	}

	// Whom the first look overlooks would be told as new by the next one.
	let read = await readAll(source, { ...paging, consistency: before ? 'fast' : 'exact' });
	let changes = findChanges(before, { ...read, isComplete: true, atMs, unread: 0 }, watch);
	if (changes.isAnyAbsent || changes.isAnotherAccount) {
		// Who moves from one page to another while they are read can be overlooked. Only who is missing twice is gone.
		const again = await readAll(source, { ...paging, consistency: 'exact' });
		read = { ...again, clients: merge(again.clients, read.clients) };
		changes = findChanges(before, { ...read, isComplete: true, atMs, unread: 0 }, watch);
	}
	if (changes.isAnotherAccount) demandClients(read, trigger);
	if (changes.isAnyAbsent) demandTotal(read, Number(before?.excess), trigger);
	forgetDoubt(trigger);
	const order = looksForNewOnly(watch) && read.clients.length >= LONG_LIST ? orderOf(read.clients) : undefined;
	return withSorted(changes, order && { order, atMs });
}

/** Where the service speaks of more clients than it usually holds back, those who are absent may be there again soon. */
function demandTotal({ clients, excess }: Reading, usualExcess: number, trigger: string): void {
	if (excess <= usualExcess || !hesitates(trigger, excess)) return;
	throw new DoubtfulListError(`The service speaks of ${clients.length + excess} clients, but ${clients.length} came`);
}

/** A list without anybody tells little about whose it is. */
function demandClients({ clients }: Reading, trigger: string): void {
	if (clients.length > 0 || !hesitates(trigger, 0)) return;
	throw new DoubtfulListError('The credential was changed, and nobody is listed with it');
}

/** Those who wait are the oldest that are not known; nobody has to read those who come after them yet. */
async function readPart(
	source: Source,
	list: SortedList,
	waiting: number | undefined,
	{ maxEvents, matches }: Watch,
): Promise<Part | undefined> {
	if (waiting) return await readOldestUnknown(source, list, maxEvents, matches);
	const clients = await readNewest(source, list);
	return clients && { clients, rest: 0 };
}

function withSorted(changes: Changes, sorted: State['sorted']): Changes {
	return changes.state.sorted === sorted ? changes : { ...changes, state: { ...changes.state, sorted } };
}

/** The list as it was remembered, where its newest clients are all that has to be read. */
function sortedListOf(before: State | undefined, watch: Watch, atMs: number): SortedList | undefined {
	if (!before?.sorted || before.account !== watch.account || !looksForNewOnly(watch)) return undefined;
	const { conditions, salt, sorted } = before;
	const ageMs = atMs - sorted.atMs;
	if (ageMs < 0 || ageMs >= LOOK_AROUND_MS) return undefined;
	const isKnown = (client: Client) => conditions.has(markOf(client, salt));
	return { order: sorted.order, count: countListed(conditions), isKnown };
}

interface Reading {
	clients: Client[];
	excess: number;
}

async function readAll(source: Source, paging: Paging): Promise<Reading> {
	const { clients, total, completeness, warning } = await listClients(source, NO_FILTERS, {
		...paging,
		limit: Infinity,
	});
	if (completeness === 'changing' || completeness === 'endless') throw new DoubtfulListError(warning);
	return { clients, excess: Math.max(0, total - clients.length) };
}

/** Clients of both lists; of one that stands in both, the first. */
function merge(first: Client[], second: Client[]): Client[] {
	const keys = new Set(first.map(clientKey));
	return [...first, ...second.filter((client) => !keys.has(clientKey(client)))];
}
