import type { Client } from '../api/record';
import { createdMs } from '../api/record';
import type { Condition } from './conditions';
import { countListed, isChanged, noticeClient, remindersDue } from './conditions';
import type { EventName } from './events';
import type { Key } from './marks';
import { markIn } from './marks';
import type { Place, State } from './state/state';
import type { ClientEvent } from './telling';
import { describeClient, describeGone } from './telling';
import type { Watch } from './watch';
import { looksForNewOnly } from './watch';

export interface Look {
	clients: Client[];
	/** Whether these are all clients, so that one that is not among them is gone. */
	isComplete: boolean;
	atMs: number;
	/** So many more clients does the service speak of. */
	excess: number;
	/** So many clients that are not known were not read. */
	unread: number;
}

/** What is noticed about one client, and what there is to tell of it. */
export interface Notice {
	key: Key;
	/** Where the client stands among all: when it was created, where those who left come last; and its mark. */
	place: Place;
	/** Undefined for a client that has never been listed. */
	was?: Condition;
	now: Condition;
	events: ClientEvent[];
	/** An event would be missed, or told wrongly, if this were forgotten. */
	matters: boolean;
}

/** So many clients at least, and such a share of the list, leave at once only where the next look finds the same. */
const MANY = 10;
const LARGE_SHARE = 0.1;
/** No client is created then. */
const LAST_MS = Number.MAX_SAFE_INTEGER;

type IsTold = (event: EventName) => boolean;

/** The listed clients about which something is not as it was, the oldest first. */
export function noticePresent(
	known: State | undefined,
	past: ReadonlyMap<Key, Condition>,
	look: Look,
	keys: Key[],
	watch: Watch,
	isTold: IsTold,
): Notice[] {
	const revealed = known ? findRevealed(known, look, keys) : new Set<Client>();
	const keepTime = known ? timekeeper(known, look.atMs, watch) : undefined;
	const notices: Notice[] = [];
	look.clients.forEach((client, index) => {
		const key = keys[index];
		const before = past.get(key);
		const was = before && keepTime ? keepTime(client, before) : before;
		const now = noticeClient(client, was, look.atMs, watch);
		if (now === before) return;
		const events = revealed.has(client)
			? []
			: describeClient(client, was, now, { atMs: look.atMs, beganMs: known?.beganMs }, watch);
		notices.push({
			key,
			place: [createdMs(client) || 0, markIn(key)],
			was,
			now,
			events: events.filter(({ event }) => isTold(event)),
			matters: matters(client, was, now, watch),
		});
	});
	return sortByPlace(notices, watch);
}

function sortByPlace(notices: Notice[], watch: Watch): Notice[] {
	if (!looksForNewOnly(watch)) return notices.sort(({ place: a }, { place: b }) => a[0] - b[0] || a[1] - b[1]);
	// Those of one time stay in the order of the list, so that a part of them is one piece of it.
	if (Number(notices[0]?.place[0]) > Number(notices.at(-1)?.place[0])) notices.reverse();
	return notices.sort(({ place: a }, { place: b }) => a[0] - b[0]);
}

/**
 * Where clients stall by another rhythm than before, reminders that would have been due by it have had their time, unless one was
 * due by the old one and not told yet. Undefined where the rhythm is the same.
 */
function timekeeper(
	{ rhythm }: State,
	atMs: number,
	watch: Watch,
): ((client: Client, was: Condition) => Condition) | undefined {
	const { stalledAfterMs, repeatAfterMs } = watch;
	if (!rhythm || rhythm.join() === [stalledAfterMs, repeatAfterMs].join()) return undefined;
	const before = { ...watch, stalledAfterMs: rhythm[0], repeatAfterMs: rhythm[1] };
	return (client, was) => {
		if (was.reminders === 0 || isChanged(client, was)) return was;
		const isOverdue = remindersDue(client, was.sinceMinutes, before, atMs) > was.reminders;
		const due = Math.max(1, remindersDue(client, was.sinceMinutes, watch, atMs));
		return { ...was, reminders: due - Number(isOverdue) };
	};
}

/** The clients that were listed and are not any more. */
export function noticeAbsent(
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
			place: [LAST_MS, markIn(key)],
			was,
			now: forget(now),
			events: isEvent ? [describeGone(key, now, beganMs, watch)] : [],
			matters: false,
		};
	});
	// Whoever is not told need not wait.
	return notices.sort((a, b) => a.events.length - b.events.length || a.place[1] - b.place[1]);
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
