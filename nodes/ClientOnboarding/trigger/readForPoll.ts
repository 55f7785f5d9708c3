import type { Client } from '../api/record';
import { clientKey } from '../api/record';
import type { ListRead, Paging } from '../pagination/readList';
import type { Source } from '../pagination/source';
import { NO_FILTERS } from '../query/filters';
import { listClients } from '../query/listClients';
import type { TriggerConfig } from './config';
import { orderOf, readNewest } from './newestFirst';
import { findAbsent } from './removals';
import type { State } from './state/state';
import { idHash } from './trackedClient';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A shorter list is read as a whole in as few requests. */
const LONG_LIST = 1_000;

/** What a poll has read. */
export interface PollRead {
	clients: Client[];
	/** Clients of the state that are not listed any more. None if that is not sure. */
	absent: string[];
	/** What the next poll needs to read the newest clients alone. */
	newest?: State['newest'];
}

/** Reads as much of the list as the events need. `state` is undefined if the list is not known to belong to it. */
export async function readForPoll(
	source: Source,
	state: State | undefined,
	paging: Paging,
	config: TriggerConfig,
	nowMs: number,
): Promise<PollRead> {
	const newest = state && (await readNewestClients(source, state, config, nowMs));
	if (newest) return newest;
	if (!state) {
		const read = await readAll(source, { ...paging, consistency: 'exact' });
		if (read.completeness === 'changing' || read.completeness === 'endless') throw new Error(read.warning);
		return { clients: read.clients, absent: [], newest: sortedList(read, config, nowMs) };
	}
	const read = await readAll(source, { ...paging, consistency: 'fast' });
	const findAbsentIn = (clients: Client[]) =>
		config.events.includes('clientRemoved') ? findAbsent(state, new Set(clients.map(idHash))) : [];
	if (findAbsentIn(read.clients).length === 0) {
		return { clients: read.clients, absent: [], newest: sortedList(read, config, nowMs) };
	}
	// A fast read may miss a client that moves to another page meanwhile.
	const again = await readAll(source, { ...paging, consistency: 'exact' });
	const clients = mergeClients(again.clients, read.clients);
	return { clients, absent: again.completeness === 'complete' ? findAbsentIn(clients) : [] };
}

/** New clients are the only ones whose place in a list is known. */
function watchesNewClientsOnly({ events }: TriggerConfig): boolean {
	return events.length === 1 && events[0] === 'clientCreated';
}

async function readNewestClients(
	source: Source,
	{ newest, clients: known }: State,
	config: TriggerConfig,
	nowMs: number,
): Promise<PollRead | undefined> {
	if (!newest || !watchesNewClientsOnly(config)) return undefined;
	const ageMs = nowMs - newest.wholeReadMs;
	if (ageMs < 0 || ageMs >= DAY_MS) return undefined;
	const clients = await readNewest(source, { ...newest, isKnown: (client) => known.has(idHash(client)) });
	return clients && { clients, absent: [], newest: { ...newest, count: newest.count + clients.length } };
}

function sortedList({ clients, total }: ListRead, config: TriggerConfig, nowMs: number): State['newest'] {
	if (!watchesNewClientsOnly(config) || clients.length < LONG_LIST || clients.length !== total) return undefined;
	const order = orderOf(clients);
	return order && { order, count: clients.length, wholeReadMs: nowMs };
}

async function readAll(source: Source, paging: Paging): Promise<ListRead> {
	return await listClients(source, NO_FILTERS, { ...paging, limit: Infinity });
}

/** The clients of both lists; of a client in both, the first record. */
function mergeClients(first: Client[], second: Client[]): Client[] {
	const keys = new Set(first.map(clientKey));
	return [...first, ...second.filter((client) => !keys.has(clientKey(client)))];
}
