import type { Client } from '../service/client';
import { createdMs } from '../service/client';
import type { Condition } from './conditions';
import { isChanged, noticeClient, shareConditions } from './conditions';
import type { EventName } from './events';
import type { Key } from './marks';
import { keysOf } from './marks';
import type { State } from './state/state';
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

/** What is noticed about one client, and what there is to tell of it. */
interface Notice {
	key: Key;
	now: Condition;
	events: ClientEvent[];
	/** An event would be missed, or told wrongly, if this were forgotten. */
	matters: boolean;
}

/** What happened to the clients since the state was written. */
export function findChanges(before: State | undefined, look: Look, watch: Watch): Changes {
	const known = before && isSameAccount(before, look, watch) ? before : undefined;
	const isTold = (event: EventName) => isToldNow(event, watch, known, before);
	const past = known?.conditions ?? new Map<Key, Condition>();
	const keys = keysOf(look.clients, past, known?.salt ?? 0);
	const present = noticePresent(known, look, keys, watch, isTold);
	const absent = look.isComplete ? noticeAbsent(past, keys, isTold) : [];
	const notices = [...present, ...absent];
	const isSameWatch = known?.events.join() === watch.events.join();
	const state = nextState(known, look, watch);
	const isUnchanged = known && isSameWatch && notices.length === 0 && isSameBut(known, state);
	return {
		events: notices.flatMap(({ events }) => events),
		state: isUnchanged ? known : { ...state, conditions: withNoticed(past, notices) },
		isAnyAbsent: absent.length > 0,
		hasLearnt: !isSameWatch || notices.some(({ matters }) => matters),
		isAnotherAccount: before !== undefined && !known,
	};
}

/** An event that was not looked for before has no past to compare with; from now on it has. */
function isToldNow(event: EventName, watch: Watch, known: State | undefined, before: State | undefined): boolean {
	if (!watch.events.includes(event)) return false;
	return known ? known.events.includes(event) : !before && watch.includesExisting;
}

type IsTold = (event: EventName) => boolean;

/** The listed clients about which something is not as it was, the oldest first. */
function noticePresent(known: State | undefined, look: Look, keys: Key[], watch: Watch, isTold: IsTold): Notice[] {
	const revealed = known ? findRevealed(known, look, keys) : new Set<Client>();
	const notices: Array<Notice & { sinceMs: number }> = [];
	look.clients.forEach((client, index) => {
		const key = keys[index];
		const was = known?.conditions.get(key);
		const now = noticeClient(client, was, look.atMs, watch);
		if (now === was) return;
		const events = revealed.has(client) ? [] : describeClient(client, was, now, watch);
		notices.push({
			key,
			now,
			events: events.filter(({ event }) => isTold(event)),
			matters: matters(client, was, now, watch),
			sinceMs: createdMs(client),
		});
	});
	return notices.sort((a, b) => a.sinceMs - b.sinceMs || 0);
}

/** The clients that were listed and are not any more. */
function noticeAbsent(past: ReadonlyMap<Key, Condition>, keys: Key[], isTold: IsTold): Notice[] {
	const listed = new Set(keys);
	const absent = [...past].filter(([key, { presence }]) => presence !== 'gone' && !listed.has(key));
	const areTooMany = areTooManyAbsent(absent, past);
	return absent.map(([key, was]) => {
		const now = depart(was, areTooMany);
		const isEvent = now.presence === 'gone' && was.isWanted && isTold('clientRemoved');
		return { key, now, events: isEvent ? [describeGone(key, now)] : [], matters: false };
	});
}

function nextState(known: State | undefined, { clients, excess, atMs }: Look, watch: Watch): State {
	const { place, account, events } = watch;
	const { salt = 0, conditions = new Map<Key, Condition>() } = known ?? {};
	const isUnsure = !known && excess > 0;
	return {
		...known,
		place,
		account,
		events,
		salt,
		conditions,
		// Without clients, services name all kinds of totals.
		excess: known && clients.length === 0 ? known.excess : excess,
		unsureSinceMs: isUnsure ? atMs : undefined,
	};
}

/** Nothing that is remembered besides the clients is another. */
function isSameBut(known: State, { account, excess, unsureSinceMs }: State): boolean {
	return known.account === account && known.excess === excess && known.unsureSinceMs === unsureSinceMs;
}

function withNoticed(past: ReadonlyMap<Key, Condition>, notices: Notice[]): Map<Key, Condition> {
	const conditions = new Map(past);
	const share = shareConditions();
	for (const { key, now } of notices) conditions.set(key, share(now));
	return conditions;
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
