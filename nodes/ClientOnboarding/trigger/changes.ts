import type { Client } from '../service/client';
import { createdMs } from '../service/client';
import type { Condition } from './conditions';
import { isChanged, noticeClient, shareConditions } from './conditions';
import type { EventName } from './events';
import type { Key } from './marks';
import { keysOf } from './marks';
import type { State } from './state';
import type { ClientEvent } from './telling';
import { describeClient, describeGone } from './telling';
import type { Watch } from './watch';

export interface Look {
	clients: Client[];
	/** Whether these are all clients, so that one that is not among them is gone. */
	isComplete: boolean;
	atMs: number;
	/** So many more clients does the service speak of. */
	excess: number;
}

export interface Changes {
	events: ClientEvent[];
	/** What to remember once the events have been told; the same as before where nothing happened. */
	state: State;
	/** Clients that were listed are not listed any more. */
	isAnyAbsent: boolean;
	/** Something that nobody is told now would be missing if it were forgotten. */
	hasLearnt: boolean;
	/** What was remembered is about another account. */
	isAnotherAccount: boolean;
}

/** So many clients at least, and such a share of the list, leave at once only where the next look finds the same. */
const MANY = 10;
const LARGE_SHARE = 0.1;
/** Where a new API key shows fewer than this share of the known clients, it is that of another account. */
const SAME_SHARE = 0.1;

/** What happened to the clients since the state was written. */
export function findChanges(before: State | undefined, look: Look, watch: Watch): Changes {
	const isAnotherAccount = before !== undefined && !isSameAccount(before, look, watch);
	const known = isAnotherAccount ? undefined : before;
	// An event that was not looked for before has no past to compare with; from now on it has.
	const isTold = (event: EventName) =>
		watch.events.includes(event) && (known ? known.events.includes(event) : !before && watch.includesExisting);

	const salt = known?.salt ?? 0;
	const past = known?.conditions ?? new Map<Key, Condition>();
	const keys = keysOf(look.clients, past, salt);
	const revealed = known ? findRevealed(known, look, keys) : new Set<Client>();
	const conditions = new Map(past);
	const events: ClientEvent[] = [];
	const share = shareConditions();
	const isSameWatch = known?.events.join() === watch.events.join();
	let hasLearnt = !isSameWatch;
	let hasChanged = !isSameWatch || known?.account !== watch.account;
	look.clients.forEach((client, index) => {
		const was = past.get(keys[index]);
		const now = noticeClient(client, was, look.atMs, watch);
		if (now === was) return;
		conditions.set(keys[index], share(now));
		hasChanged = true;
		hasLearnt ||= matters(client, was, now, watch);
		if (revealed.has(client)) return;
		for (const event of describeClient(client, was, now, watch)) if (isTold(event.event)) events.push(event);
	});
	events.sort((a, b) => createdMs(a) - createdMs(b) || 0);

	const absent = look.isComplete ? findAbsent(past, keys) : [];
	const areTooMany = areTooManyAbsent(absent, past);
	for (const [key, was] of absent) {
		const now = depart(was, areTooMany);
		conditions.set(key, share(now));
		if (now.presence === 'gone' && was.isWanted && isTold('clientRemoved')) events.push(describeGone(key, now));
	}
	const { atMs } = look;
	// Without clients, services name all kinds of totals.
	const excess = known && look.clients.length === 0 ? known.excess : look.excess;
	const unsureSinceMs = !known && excess > 0 ? atMs : undefined;
	const isSame =
		!hasChanged && absent.length === 0 && known?.excess === excess && known.unsureSinceMs === unsureSinceMs;
	const { place, account } = watch;
	const next = { ...known, place, account, events: watch.events, salt, conditions, excess, unsureSinceMs };
	return {
		events,
		state: known && isSame ? known : next,
		isAnyAbsent: absent.length > 0,
		hasLearnt,
		isAnotherAccount,
	};
}

/** A key that shows the same clients is one of the same account. A state of version 0.1.0 does not tell its place. */
function isSameAccount({ place, account, conditions, salt }: State, { clients }: Look, watch: Watch): boolean {
	if (account === watch.account) return true;
	if (place !== '' && place !== watch.place) return false;
	const recognised = keysOf(clients, conditions, salt).filter((key) => conditions.has(key)).length;
	// A list without clients tells nothing about whose it is.
	return clients.length === 0 || recognised >= SAME_SHARE * countListed(conditions);
}

export function countListed(conditions: ReadonlyMap<Key, Condition>): number {
	let listed = 0;
	for (const { presence } of conditions.values()) if (presence === 'listed') listed += 1;
	return listed;
}

/**
 * The look before was the very first one, and the service spoke of more clients than it gave. Those who are listed now, were
 * created before that look and are spoken of no more were there all the time.
 */
function findRevealed({ conditions, excess, unsureSinceMs = 0 }: State, look: Look, keys: Key[]): Set<Client> {
	const overlooked = look.clients.filter(
		(client, index) => createdMs(client) < unsureSinceMs && !conditions.has(keys[index]),
	);
	return new Set(overlooked.slice(0, Math.max(0, excess - look.excess)));
}

function findAbsent(past: ReadonlyMap<Key, Condition>, keys: Key[]): Array<[Key, Condition]> {
	const listed = new Set(keys);
	return [...past].filter(([key, { presence }]) => presence !== 'gone' && !listed.has(key));
}

function areTooManyAbsent(absent: Array<[Key, Condition]>, past: ReadonlyMap<Key, Condition>): boolean {
	const left = absent.filter(([, { presence }]) => presence === 'listed').length;
	return left > MANY && left > LARGE_SHARE * countListed(past);
}

function depart(was: Condition, areTooMany: boolean): Condition {
	if (areTooMany && was.presence === 'listed') return { ...was, presence: 'missing' };
	return { ...was, presence: 'gone', departures: was.departures + 1 };
}

/** Whether an event would be missed, or told wrongly, if this were forgotten. */
function matters(client: Client, was: Condition | undefined, now: Condition, watch: Watch): boolean {
	const { events } = watch;
	if (!was) return events.some((event) => event !== 'clientCreated') || (!now.isWanted && watch.mayMatchLater);
	const isAboutRemoval = was.isWanted !== now.isWanted || was.presence !== now.presence;
	if (events.includes('clientRemoved') && isAboutRemoval) return true;
	return isChanged(client, was) && events.some((event) => event !== 'clientCreated');
}
