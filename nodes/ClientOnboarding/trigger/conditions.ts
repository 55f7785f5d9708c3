import type { Client } from '../api/record';
import { createdMs, folded, textOf } from '../api/record';
import type { Identity } from './identity';
import { identityOf } from './identity';
import { changedPrints, printsOf } from './prints';
import type { Watch } from './watch';

const MINUTE_MS = 60_000;

type Arrival = readonly [status: string, times: number];

/** What is remembered of a client. Many share one, so an object is never changed. */
export interface Condition {
	/** As the service wrote it. */
	readonly status: string;
	/** Whether the client matched the filters. */
	readonly isWanted: boolean;
	/** `missing`: not listed at the last look, like too many others to be believed at once. */
	readonly presence: 'listed' | 'missing' | 'gone';
	/** When the client was seen to come to its status, in minutes since 1970; 0 where it was in it from the first look on. */
	readonly sinceMinutes: number;
	/** How often it was time to tell that the client is stalled, since it came to its status. */
	readonly reminders: number;
	/** How often the client was in a status, each in lower case, once it has moved. Not by name, because services may call one "constructor". */
	readonly arrivals: readonly Arrival[];
	/** How often the client was gone. */
	readonly departures: number;
	/** How often a watched field was another one. */
	readonly updates: number;
	/** What the watched fields were, where they are watched. */
	readonly prints?: string;
	/** Who the client is, where removals are looked for. */
	readonly identity?: Identity;
}

export const UNSEEN: Condition = {
	status: '',
	isWanted: true,
	presence: 'listed',
	sinceMinutes: 0,
	reminders: 0,
	arrivals: [],
	departures: 0,
	updates: 0,
};

/** The condition of a listed client now; the very same object where nothing about it has changed. */
export function noticeClient(client: Client, was: Condition | undefined, atMs: number, watch: Watch): Condition {
	const { arrivals, departures, updates, ...past } = was ?? UNSEEN;
	const status = textOf(client.request_status);
	const hasMoved = isChanged(client, was);
	// Where nobody says since when the client is there, it is since now.
	const isUndated = past.sinceMinutes === 0 && mayStall(client, watch) && Number.isNaN(createdMs(client));
	const sinceMinutes = hasMoved || isUndated ? Math.floor(atMs / MINUTE_MS) : past.sinceMinutes;
	const due = remindersDue(client, sinceMinutes, watch, atMs);
	const prints = printsOf(client, watch);
	const isWanted = watch.matches(client);
	const now = {
		status,
		isWanted,
		presence: 'listed' as const,
		sinceMinutes,
		reminders: hasMoved ? due : Math.max(past.reminders, due),
		prints,
		// Of those whose removal nobody wants to know, nothing has to be known.
		identity: isWanted ? identityOf(client, past.identity, watch) : undefined,
	};
	if (was && hasSame(was, now)) return was;
	return {
		...now,
		arrivals: hasMoved ? moveTo(folded(status), folded(past.status), arrivals) : arrivals,
		departures,
		updates: updates + Number(changedPrints(past.prints, prints).length > 0),
	};
}

function hasSame(was: Condition, now: Omit<Condition, 'arrivals' | 'departures' | 'updates'>): boolean {
	return Object.entries(now).every(([name, value]) => was[name as keyof Condition] === value);
}

function moveTo(status: string, from: string, arrivals: readonly Arrival[]): Arrival[] {
	// Of the status in which the client was first seen, nobody saw it come.
	const times = new Map(arrivals).set(from, stayNumber(from, arrivals));
	times.set(status, (times.get(status) ?? 0) + 1);
	// In one order, so that clients that went the same ways share a condition.
	return [...times].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Which of its stays in this status, in lower case, the client is at or was at last. */
export function stayNumber(status: string, arrivals: readonly Arrival[]): number {
	return new Map(arrivals).get(status) ?? 1;
}

export function isChanged(client: Client, was?: Condition): boolean {
	return was !== undefined && folded(was.status) !== folded(client.request_status);
}

/** The condition of a client who has to wait: as it was, but for what no event is about. */
export function holdBack(was: Condition, now: Condition, { events }: Watch): Condition {
	if (now.presence !== 'listed') return was;
	const { isWanted, presence, identity, status, sinceMinutes, arrivals } = now;
	const held = { ...was, isWanted, presence, identity };
	if (events.includes('requestStatusChanged') || events.includes('statusReached')) return held;
	const hasMoved = sinceMinutes !== was.sinceMinutes;
	return { ...held, status, sinceMinutes, arrivals, reminders: hasMoved ? 0 : was.reminders };
}

/** Since when the client is in its status: when it was seen to come to it; before that, its creation. */
export function statusSinceMs(client: Client, sinceMinutes: number): number {
	return sinceMinutes > 0 ? sinceMinutes * MINUTE_MS : createdMs(client);
}

function mayStall(client: Client, { events, stalledStatuses }: Watch): boolean {
	return events.includes('clientStalled') && stalledStatuses.includes(folded(client.request_status));
}

/** How often it has been time to tell that the client is stalled. */
export function remindersDue(client: Client, sinceMinutes: number, watch: Watch, atMs: number): number {
	if (!mayStall(client, watch)) return 0;
	const overdueMs = atMs - statusSinceMs(client, sinceMinutes) - watch.stalledAfterMs;
	if (!(overdueMs >= 0)) return 0;
	return watch.repeatAfterMs > 0 ? 1 + Math.floor(overdueMs / watch.repeatAfterMs) : 1;
}

export function countListed(conditions: ReadonlyMap<unknown, Condition>): number {
	let listed = 0;
	for (const { presence } of conditions.values()) if (presence === 'listed') listed += 1;
	return listed;
}

/** One object for all clients in the same condition. */
export function shareConditions(): (condition: Condition) => Condition {
	const shared = new Map<string, Condition>();
	return (condition) => {
		const key = JSON.stringify(condition);
		const same = shared.get(key) ?? condition;
		shared.set(key, same);
		return same;
	};
}
