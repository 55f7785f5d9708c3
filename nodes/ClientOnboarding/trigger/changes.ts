import type { Client } from '../service/client';
import { createdMs } from '../service/client';
import type { Condition } from './conditions';
import { isChanged, noticeClient, remindersDue, shareConditions } from './conditions';
import type { EventName } from './events';
import type { Key } from './marks';
import { keysOf } from './marks';
import { rearrangePrints } from './prints';
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
	const past = conditionsOf(known, watch);
	const keys = keysOf(look.clients, past, known?.salt ?? 0);
	const present = noticePresent(known, past, look, keys, watch, isTold);
	const absent = look.isComplete ? noticeAbsent(known?.beganMs, past, keys, watch, isTold) : [];
	const { notices, waiting } = takeTurns([...present, ...absent], watch.maxEvents);
	const isSameWatch = known?.events.join() === watch.events.join();
	const state = nextState(known, look, watch, waiting);
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

/** What is known of the clients, with fingerprints of the fields that are watched now. */
function conditionsOf(known: State | undefined, { events, watchedFields }: Watch): ReadonlyMap<Key, Condition> {
	if (!known) return new Map();
	const from = known.watchedFields ?? [];
	if (!events.includes('clientUpdated') || from.join() === watchedFields.join()) return known.conditions;
	return new Map(
		[...known.conditions].map(([key, condition]) => [
			key,
			{ ...condition, prints: rearrangePrints(condition.prints, from, watchedFields) },
		]),
	);
}

/**
 * Whose turn it is: the first of them with so many events in all, but at least one. The events of one client stay together;
 * who has to wait is left as it was, also where there is nothing to tell, so that those who are known stay side by side in a list.
 */
function takeTurns(all: Notice[], maxEvents: number): { notices: Notice[]; waiting: number } {
	let told = 0;
	const end = all.findIndex(({ events }) => {
		const isTooMuch = told > 0 && told + events.length > maxEvents;
		told += events.length;
		return isTooMuch;
	});
	return end === -1 ? { notices: all, waiting: 0 } : { notices: all.slice(0, end), waiting: all.length - end };
}

type IsTold = (event: EventName) => boolean;

/** The listed clients about which something is not as it was, the oldest first. */
function noticePresent(
	known: State | undefined,
	past: ReadonlyMap<Key, Condition>,
	look: Look,
	keys: Key[],
	watch: Watch,
	isTold: IsTold,
): Notice[] {
	const revealed = known ? findRevealed(known, look, keys) : new Set<Client>();
	const isOtherRhythm = known?.rhythm !== undefined && known.rhythm !== rhythmOf(watch);
	const notices: Array<Notice & { sinceMs: number }> = [];
	look.clients.forEach((client, index) => {
		const key = keys[index];
		const before = past.get(key);
		const was = before && isOtherRhythm ? keepTime(client, before, look.atMs, watch) : before;
		const now = noticeClient(client, was, look.atMs, watch);
		if (now === before) return;
		const events = revealed.has(client)
			? []
			: describeClient(client, was, now, { atMs: look.atMs, beganMs: known?.beganMs }, watch);
		notices.push({
			key,
			now,
			events: events.filter(({ event }) => isTold(event)),
			matters: matters(client, was, now, watch),
			sinceMs: createdMs(client),
		});
	});
	// Those of one time stay in the order of the list, so that a part of them is one piece of it.
	if (Number(notices[0]?.sinceMs) > Number(notices.at(-1)?.sinceMs)) notices.reverse();
	return notices.sort((a, b) => a.sinceMs - b.sinceMs || 0);
}

/** Reminders that would have been due by another rhythm have had their time. */
function keepTime(client: Client, was: Condition, atMs: number, watch: Watch): Condition {
	if (was.reminders === 0 || isChanged(client, was)) return was;
	return { ...was, reminders: Math.max(1, remindersDue(client, was.sinceMinutes, watch, atMs)) };
}

/** The clients that were listed and are not any more. */
function noticeAbsent(
	beganMs: number | undefined,
	past: ReadonlyMap<Key, Condition>,
	keys: Key[],
	watch: Watch,
	isTold: IsTold,
): Notice[] {
	const listed = new Set(keys);
	const absent = [...past].filter(([key, { presence }]) => presence !== 'gone' && !listed.has(key));
	const areTooMany = areTooManyAbsent(absent, past);
	const notices = absent.map(([key, was]): Notice => {
		const now = depart(was, areTooMany);
		const isEvent = now.presence === 'gone' && was.isWanted && isTold('clientRemoved');
		return {
			key,
			now: forget(now),
			events: isEvent ? [describeGone(key, now, beganMs, watch)] : [],
			matters: false,
		};
	});
	// Whoever is not told need not wait.
	return notices.sort((a, b) => a.events.length - b.events.length);
}

function nextState(known: State | undefined, { clients, excess, atMs }: Look, watch: Watch, waiting: number): State {
	const { place, account, events, watchedFields } = watch;
	const { salt = 0, conditions = new Map<Key, Condition>() } = known ?? {};
	// Those who wait are listed later, too, but were not overlooked.
	const isUnsure = !known && excess > 0 && waiting === 0;
	return {
		...known,
		place,
		account,
		events,
		salt,
		conditions,
		// Without clients, services name all kinds of totals.
		excess: known && clients.length === 0 ? known.excess : excess,
		beganMs: known ? known.beganMs : atMs,
		unsureSinceMs: isUnsure ? atMs : undefined,
		watchedFields: events.includes('clientUpdated') ? watchedFields : undefined,
		rhythm: events.includes('clientStalled') ? rhythmOf(watch) : undefined,
		waiting: waiting > 0 ? waiting : undefined,
	};
}

/** Nothing that is remembered besides the clients is another. */
function isSameBut(known: State, next: State): boolean {
	const names = ['account', 'excess', 'unsureSinceMs', 'rhythm', 'waiting'] as const;
	return (
		names.every((name) => known[name] === next[name]) && String(known.watchedFields) === String(next.watchedFields)
	);
}

function rhythmOf({ stalledAfterMs, repeatAfterMs }: Watch): string {
	return `${stalledAfterMs}/${repeatAfterMs}`;
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

/** Of a client that is gone, who it was is not kept. */
function forget({ identity, ...condition }: Condition): Condition {
	return condition.presence === 'gone' || !identity ? condition : { ...condition, identity };
}

/** Whether an event would be missed, or told wrongly, if this were forgotten. */
function matters(client: Client, was: Condition | undefined, now: Condition, watch: Watch): boolean {
	const { events } = watch;
	if (!was) return events.some((event) => event !== 'clientCreated') || (!now.isWanted && watch.mayMatchLater);
	const isAboutRemoval =
		was.isWanted !== now.isWanted || was.presence !== now.presence || was.identity !== now.identity;
	if (events.includes('clientRemoved') && isAboutRemoval) return true;
	if (was.prints !== now.prints) return true;
	return isChanged(client, was) && events.some((event) => event !== 'clientCreated');
}
