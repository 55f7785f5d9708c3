import { createHash } from 'node:crypto';
import type { Client } from '../../../sandbox/data/client.mts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What the trigger is told to look for. */
export interface Watch {
	triggerOn: string[];
	statusBecomes: string[];
	clientType?: string;
	requestStatus: string[];
	stalledAfterDays: number;
	/** 0 for once. */
	repeatAfterDays: number;
	stalledStatuses: string[];
	watchedFields: Array<keyof Client>;
	maxEvents: number;
	rememberNames: boolean;
}

/** What is known of a client that was ever listed. */
interface Acquaintance {
	client: Client;
	/** When it was seen to come to its status; undefined where it was in it when it was first seen. */
	sinceMs?: number;
	isWanted: boolean;
	/** How often its time as stalled has come. */
	reminders: number;
	/** `missing`: not there at the last look, together with many others. */
	presence: 'there' | 'missing' | 'gone';
}

/** What a reader of the whole list knows after a look, written down independently of the product. */
export type Look = Map<string, Acquaintance>;

export interface Expected {
	events: string[];
	look: Look;
	/** Something was learnt that would be missing if it were forgotten. */
	hasLearnt: boolean;
	/** Where the last one stands who was told, if others have to wait. */
	turn?: Place;
}

const MANY = 10;

type Place = readonly [createdMs: number, hash: number];

/** What is found about one client, and what there is to tell of it. */
interface Finding {
	id: string;
	place: Place;
	acquaintance: Acquaintance;
	events: string[];
	hasLearnt: boolean;
}

/**
 * What has to be told now of a list that was known like this; of an unknown one nothing, unless existing clients count. `told` are
 * those of whom something was told.
 */
export function expectEvents(
	watch: Watch,
	served: Iterable<Client>,
	known: Look | undefined,
	turn: Place | undefined,
	includesExisting: boolean,
	told: ReadonlySet<unknown>,
): Expected {
	const isTold = (event: string) => watch.triggerOn.includes(event) && (known !== undefined || includesExisting);
	const present = [...served].map((client) => findOut(client, known?.get(client.reference_id), watch, isTold));
	// After those who were told last; of clients that are only told once, also those of the same time.
	const isOnce = watch.triggerOn.join() === 'clientCreated';
	const tie = (a: Finding, b: Finding) =>
		isOnce ? Number(told.has(b.id)) - Number(told.has(a.id)) : a.place[1] - b.place[1];
	present.sort((a, b) => a.place[0] - b.place[0] || tie(a, b));
	const absent = findAbsent(known, new Set(present.map(({ id }) => id)), isTold);
	// Of those who left, the ones of whom nothing is told come first.
	absent.sort((a, b) => a.events.length - b.events.length || a.place[1] - b.place[1]);

	// Whose turn has not come stays as it was, until there is room again.
	const look: Look = new Map(known);
	const events: string[] = [];
	let hasLearnt = known === undefined;
	let isFull = false;
	const all = [...present, ...absent];
	const isNext = ({ place: [ms, mark] }: Finding) =>
		!turn || ms > turn[0] || (ms === turn[0] && (isOnce || mark > turn[1]));
	let lastPlace: Place | undefined;
	for (const finding of [...all.filter(isNext), ...all.filter((one) => !isNext(one))]) {
		const isNews = finding.events.length > 0;
		isFull ||= isNews && events.length > 0 && events.length + finding.events.length > watch.maxEvents;
		if (isFull) {
			const before = known?.get(finding.id);
			if (before) look.set(finding.id, holdBack(before, finding.acquaintance, watch));
			continue;
		}
		if (isNews) lastPlace = finding.place;
		look.set(finding.id, finding.acquaintance);
		events.push(...finding.events);
		hasLearnt ||= finding.hasLearnt;
	}
	return { events, look, hasLearnt, turn: isFull ? lastPlace : undefined };
}

/** When a client was created, to the microsecond, and the hash of its ID. */
function placeOf({ created_at, reference_id }: Client): Place {
	const ms = Date.parse(created_at) + Number(`0.${/\.\d{3}(\d+)/.exec(created_at)?.[1] ?? 0}`);
	return [ms, hashOf(reference_id)];
}

function hashOf(id: string): number {
	return parseInt(createHash('sha256').update(id).digest('hex').slice(0, 10), 16);
}

/** Of a client that has to wait, whatever no event is about is known at once. */
function holdBack(before: Acquaintance, now: Acquaintance, { triggerOn }: Watch): Acquaintance {
	if (now.presence !== 'there') return before;
	const held = { ...before, isWanted: now.isWanted, presence: now.presence };
	if (triggerOn.includes('requestStatusChanged') || triggerOn.includes('statusReached')) return held;
	const hasMoved = lower(before.client.request_status) !== lower(now.client.request_status);
	return {
		...held,
		client: { ...before.client, request_status: now.client.request_status },
		sinceMs: now.sinceMs,
		reminders: hasMoved ? 0 : before.reminders,
	};
}

function findOut(
	client: Client,
	before: Acquaintance | undefined,
	watch: Watch,
	isTold: (event: string) => boolean,
): Finding {
	const events: string[] = [];
	const status = lower(client.request_status);
	const tell = (event: string, detail?: string) => {
		if (isTold(event) && isWanted(client, watch))
			events.push([event, client.reference_id, detail].filter(Boolean).join(' '));
	};
	const hasMoved = before !== undefined && lower(before.client.request_status) !== status;
	const previous = hasMoved ? before.client.request_status : undefined;
	const changed = watch.watchedFields.filter((field) => before && before.client[field] !== client[field]);
	const sinceMs = hasMoved ? Date.now() : before?.sinceMs;
	const past = hasMoved ? 0 : (before?.reminders ?? 0);
	const reminders = Math.max(past, remindersDue(client, sinceMs, watch));
	if (!before) tell('clientCreated');
	if (hasMoved && (watch.statusBecomes.length === 0 || watch.statusBecomes.includes(status)))
		tell('requestStatusChanged', previous);
	if ((hasMoved || !before) && watch.statusBecomes.includes(status)) tell('statusReached', previous);
	if (changed.length > 0) tell('clientUpdated', changed.join('+'));
	if (reminders > past) tell('clientStalled');

	const looksForMore = watch.triggerOn.some((event) => event !== 'clientCreated');
	const hasLearnt = before
		? looksForMore && (hasMoved || changed.length > 0 || isOther(client, before, watch))
		: looksForMore || (!isWanted(client, watch) && hasFilters(watch));
	const acquaintance: Acquaintance = {
		client: { ...client },
		isWanted: isWanted(client, watch),
		sinceMs,
		reminders,
		presence: 'there',
	};
	return { id: client.reference_id, place: placeOf(client), acquaintance, events, hasLearnt };
}

function findAbsent(known: Look | undefined, there: Set<string>, isTold: (event: string) => boolean): Finding[] {
	const absent = [...(known ?? [])].filter(([id, { presence }]) => presence !== 'gone' && !there.has(id));
	const wereThere = [...(known?.values() ?? [])].filter(({ presence }) => presence === 'there').length;
	const left = absent.filter(([, { presence }]) => presence === 'there').length;
	const areTooMany = left > MANY && left * 10 > wereThere;
	return absent.map(([id, acquaintance]) => {
		const { client, presence } = acquaintance;
		const isBelieved = presence === 'missing' || !areTooMany;
		const isEvent = isBelieved && isTold('clientRemoved') && acquaintance.isWanted;
		return {
			id,
			// Those who left come last.
			place: [Infinity, hashOf(id)],
			acquaintance: { ...acquaintance, presence: isBelieved ? 'gone' : 'missing' },
			events: isEvent ? [`clientRemoved ${id} ${client.request_status}`] : [],
			hasLearnt: false,
		};
	});
}

function hasFilters({ clientType, requestStatus }: Watch): boolean {
	return clientType !== undefined || requestStatus.length > 0;
}

/** Its removal would be told in another way. */
function isOther(client: Client, before: Acquaintance, watch: Watch): boolean {
	const isOtherwiseWanted = isWanted(client, watch) !== before.isWanted;
	const names = watch.rememberNames ? (['client_name', 'email'] as const) : [];
	const isNamedOtherwise = names.some((name) => client[name] !== before.client[name]);
	return (
		watch.triggerOn.includes('clientRemoved') && (isOtherwiseWanted || isNamedOtherwise || before.presence !== 'there')
	);
}

function isWanted({ client_type, request_status }: Client, { clientType, requestStatus }: Watch): boolean {
	return (
		(!clientType || client_type === clientType) &&
		(requestStatus.length === 0 || requestStatus.includes(lower(request_status)))
	);
}

function remindersDue(
	{ created_at, request_status }: Client,
	sinceMs: number | undefined,
	{ triggerOn, stalledAfterDays, repeatAfterDays, stalledStatuses }: Watch,
): number {
	if (!triggerOn.includes('clientStalled') || !stalledStatuses.includes(lower(request_status))) return 0;
	// The trigger remembers the minute.
	const since = sinceMs === undefined ? Date.parse(created_at) : Math.floor(sinceMs / MINUTE_MS) * MINUTE_MS;
	const days = (Date.now() - since) / DAY_MS - stalledAfterDays;
	if (days < 0) return 0;
	return repeatAfterDays === 0 ? 1 : 1 + Math.floor(days / repeatAfterDays);
}

const lower = (text: string) => text.toLowerCase();
