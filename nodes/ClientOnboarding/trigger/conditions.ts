import type { Client } from '../service/client';
import { createdMs, folded, textOf } from '../service/client';
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
	/** Whether the client was found stalled since it came to its status. */
	readonly hasStalled: boolean;
	/** How often the client came to a status, each in lower case. Not by name, because services may call one "constructor". */
	readonly arrivals: readonly Arrival[];
	/** How often the client was gone. */
	readonly departures: number;
}

export const UNSEEN: Condition = {
	status: '',
	isWanted: true,
	presence: 'listed',
	sinceMinutes: 0,
	hasStalled: false,
	arrivals: [],
	departures: 0,
};

/** The condition of a listed client now; the very same object where nothing about it has changed. */
export function noticeClient(client: Client, was: Condition | undefined, atMs: number, watch: Watch): Condition {
	const status = textOf(client.request_status);
	const hasMoved = isChanged(client, was);
	const { arrivals, departures, ...past } = was ?? UNSEEN;
	const sinceMinutes = hasMoved ? Math.floor(atMs / MINUTE_MS) : past.sinceMinutes;
	const now = {
		status,
		isWanted: watch.matches(client),
		presence: 'listed' as const,
		sinceMinutes,
		hasStalled: (!hasMoved && past.hasStalled) || isStalled(client, sinceMinutes, watch, atMs),
	};
	if (was && hasSame(was, now)) return was;
	return { ...now, arrivals: hasMoved ? arriveAt(folded(status), arrivals) : arrivals, departures };
}

function arriveAt(status: string, arrivals: readonly Arrival[]): Arrival[] {
	const others = arrivals.filter(([name]) => name !== status);
	const times = arrivalsAt(status, arrivals) + 1;
	// In one order, so that clients that went the same ways share a condition.
	return [...others, [status, times] as const].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** How often the client came to this status, in lower case. */
export function arrivalsAt(status: string, arrivals: readonly Arrival[]): number {
	return arrivals.find(([name]) => name === status)?.[1] ?? 0;
}

function hasSame(was: Condition, now: Omit<Condition, 'arrivals' | 'departures'>): boolean {
	return Object.entries(now).every(([name, value]) => was[name as keyof Condition] === value);
}

export function isChanged(client: Client, was?: Condition): boolean {
	return was !== undefined && folded(was.status) !== folded(client.request_status);
}

/** The days are counted from when the client was seen to come to its status; before that, from its creation. */
function isStalled(client: Client, sinceMinutes: number, watch: Watch, atMs: number): boolean {
	if (!watch.events.includes('clientStalled')) return false;
	if (!watch.stalledStatuses.includes(folded(client.request_status))) return false;
	const sinceMs = sinceMinutes > 0 ? sinceMinutes * MINUTE_MS : createdMs(client);
	return sinceMs + watch.stalledAfterMs <= atMs;
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
