import type { Condition } from './conditions';
import { holdBack, shareConditions } from './conditions';
import type { EventName } from './events';
import type { Key } from './marks';
import { keysOf } from './marks';
import type { Look, Notice } from './noticing';
import { noticeAbsent, noticePresent } from './noticing';
import { rearrangePrints } from './prints';
import type { State } from './state/state';
import type { ClientEvent } from './telling';
import { takeTurns } from './turns';
import type { Watch } from './watch';
import { looksForNewOnly } from './watch';

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

/**
 * Where a new API key shows fewer than this share of the known clients, it is that of another account; so it is where of those it
 * shows, fewer than this share are known.
 */
const SAME_SHARE = 0.1;
/** Fewer may have come since the last look. */
const MANY_STRANGERS = 10;

/** What happened to the clients since the state was written. */
export function findChanges(before: State | undefined, look: Look, watch: Watch): Changes {
	const known = before && isSameAccount(before, look, watch) ? before : undefined;
	const isTold = (event: EventName) => isToldNow(event, watch, known, before);
	const past = conditionsOf(known, watch);
	const keys = keysOf(look.clients, past, known?.salt ?? 0);
	const present = noticePresent(known, past, look, keys, watch, isTold);
	const absent = look.isComplete ? noticeAbsent(known?.beganMs, past, keys, watch, isTold) : [];
	const { notices, held, turn } = takeTurns([...present, ...absent], watch.maxEvents, {
		after: known?.turn,
		isForOne: looksForNewOnly(watch),
	});
	const isSameWatch = known?.events.join() === watch.events.join();
	const waiting = held.length + look.unread;
	const state = nextState(known, look, watch, { waiting: waiting || undefined, turn });
	const isUnchanged = known && isSameWatch && notices.length === 0 && isSameBut(known, state);
	return {
		events: notices.flatMap(({ events }) => events),
		state: isUnchanged ? known : { ...state, conditions: withNoticed(past, notices, held, watch) },
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

/** All but the clients. */
function nextState(
	known: State | undefined,
	{ clients, excess, atMs }: Look,
	{ place, account, events, watchedFields, stalledAfterMs, repeatAfterMs }: Watch,
	{ waiting, turn }: Pick<State, 'waiting' | 'turn'>,
): Omit<State, 'conditions'> {
	// Those who wait are listed later, too, but were not overlooked.
	const isUnsure = !known && excess > 0 && !waiting;
	return {
		...known,
		place,
		account,
		events,
		salt: known?.salt ?? 0,
		// Without clients, services name all kinds of totals.
		excess: known && clients.length === 0 ? known.excess : excess,
		beganMs: known ? known.beganMs : atMs,
		unsureSinceMs: isUnsure ? atMs : undefined,
		watchedFields: events.includes('clientUpdated') ? watchedFields : undefined,
		rhythm: events.includes('clientStalled') ? [stalledAfterMs, repeatAfterMs] : undefined,
		waiting,
		turn,
	};
}

/** Nothing that is remembered besides the clients is another. */
function isSameBut(known: State, next: Omit<State, 'conditions'>): boolean {
	const names = ['account', 'excess', 'unsureSinceMs', 'watchedFields', 'rhythm', 'waiting', 'turn'] as const;
	return names.every((name) => String(known[name]) === String(next[name]));
}

function withNoticed(
	past: ReadonlyMap<Key, Condition>,
	notices: Notice[],
	held: Notice[],
	watch: Watch,
): Map<Key, Condition> {
	const conditions = new Map(past);
	const share = shareConditions();
	for (const { key, now } of notices) conditions.set(key, share(now));
	for (const { key, was, now } of held) if (was) conditions.set(key, share(holdBack(was, now, watch)));
	return conditions;
}

/** A key that shows the same clients is one of the same account. A state of version 0.1.0 does not tell its place. */
function isSameAccount({ place, account, conditions, salt }: State, { clients }: Look, watch: Watch): boolean {
	if (account === watch.account) return true;
	if (place !== '' && place !== watch.place) return false;
	const recognised = keysOf(clients, conditions, salt).filter((key) => conditions.has(key)).length;
	const remaining = [...conditions.values()].filter(({ presence }) => presence !== 'gone').length;
	const areFew = clients.length < MANY_STRANGERS;
	return recognised >= SAME_SHARE * remaining && (areFew || recognised >= SAME_SHARE * clients.length);
}
