import type { Client } from '../../../sandbox/data/client.mts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MANY = 10;

/** What the user has chosen. */
export interface Watch {
	triggerOn: string[];
	statusBecomes: string[];
	clientType?: string;
	requestStatus: string[];
	stalledAfterDays: number;
	/** 0: never. */
	repeatAfterDays: number;
	stalledStatuses: string[];
	watchedFields: Array<keyof Client>;
	maxEvents: number;
	rememberNames: boolean;
}

/** What is known of a client that was ever listed. */
interface Known {
	client: Client;
	/** When it was seen to enter its status; undefined if it was in it when it was first listed. */
	sinceMs?: number;
	isWanted: boolean;
	remindedMs?: number;
	isListed: boolean;
	/** Whether its fields were saved, so that a change of them can be detected. */
	areFieldsKnown: boolean;
	/** Whether it was listed while Client Removed was chosen. */
	isIdentityKnown: boolean;
}

/** What a reader of the whole list knows after a poll. Shares no code with the package. */
export interface Knowledge {
	clients: Map<string, Known>;
	/** The events that were chosen. */
	chosen: string[];
}

export interface Expected {
	events: string[];
	knowledge: Knowledge;
	/** A change without an event that is needed after a restart. */
	hasChangeToSave: boolean;
	/** Clients whose absence the next poll has to confirm. */
	unconfirmed: Set<string>;
}

interface Circumstances {
	includesExisting: boolean;
	/** The list is as long as the service says. */
	isComplete: boolean;
	unconfirmed: Set<string>;
	emitted: Set<unknown>;
}

interface Finding {
	id: string;
	createdMs: number;
	known: Known;
	events: string[];
	hasChangeToSave: boolean;
}

/**
 * The events that a poll has to emit. `emitted` are the clients that it did emit events of: with Max Events, any of the removed
 * clients may be first.
 */
export function expectEvents(
	watch: Watch,
	served: Client[],
	before: Knowledge | undefined,
	{ includesExisting, isComplete, unconfirmed, emitted }: Circumstances,
): Expected {
	const isEmitted = (event: string) =>
		watch.triggerOn.includes(event) && (before ? before.chosen.includes(event) : includesExisting);
	const present = served.map((client) => compare(client, before?.clients.get(client.reference_id), watch, isEmitted));
	const listed = new Set(served.map(({ reference_id }) => reference_id));
	const removals = isComplete
		? findRemovals(before, listed, watch, unconfirmed)
		: { removed: [], unconfirmed: new Set<string>() };
	const removed = removals.removed.map((id) => remove(id, before as Knowledge, isEmitted));
	present.sort((a, b) => a.createdMs - b.createdMs);
	removed.sort((a, b) => Number(emitted.has(b.id)) - Number(emitted.has(a.id)));

	const clients = new Map(before?.clients);
	const events: string[] = [];
	let hasChangeToSave = before?.chosen.join() !== watch.triggerOn.join();
	let isWaiting = false;
	for (const finding of [...present, ...removed]) {
		if (finding.events.length > 0 && events.length >= watch.maxEvents) {
			isWaiting = true;
			continue;
		}
		clients.set(finding.id, finding.known);
		events.push(...finding.events);
		hasChangeToSave ||= finding.hasChangeToSave;
	}
	// An event that is added later gets its baseline once no event waits because of Max Events.
	const chosen = before && isWaiting ? watch.triggerOn.filter(isEmitted) : watch.triggerOn;
	return { events, knowledge: { clients, chosen }, hasChangeToSave, unconfirmed: removals.unconfirmed };
}

function findRemovals(
	before: Knowledge | undefined,
	listed: Set<string>,
	{ triggerOn }: Watch,
	unconfirmed: Set<string>,
) {
	const known = [...(before?.clients ?? [])].filter(([, { isListed }]) => isListed).map(([id]) => id);
	const absent = triggerOn.includes('clientRemoved') ? known.filter((id) => !listed.has(id)) : [];
	const needsConfirmation =
		absent.length > 0 &&
		(absent.length === known.length || (absent.length > MANY && absent.length * 10 > known.length));
	return needsConfirmation
		? { removed: absent.filter((id) => unconfirmed.has(id)), unconfirmed: new Set(absent) }
		: { removed: absent, unconfirmed: new Set<string>() };
}

function remove(id: string, before: Knowledge, isEmitted: (event: string) => boolean): Finding {
	const known = before.clients.get(id) as Known;
	const events = known.isWanted && known.isIdentityKnown && isEmitted('clientRemoved') ? [`clientRemoved ${id}`] : [];
	return { id, createdMs: Infinity, known: { ...known, isListed: false }, events, hasChangeToSave: true };
}

function compare(
	client: Client,
	before: Known | undefined,
	watch: Watch,
	isEmitted: (event: string) => boolean,
): Finding {
	const events: string[] = [];
	const status = lower(client.request_status);
	const wanted = isWanted(client, watch);
	const hasMoved = before !== undefined && lower(before.client.request_status) !== status;
	const add = (event: string, detail?: string) => {
		if (isEmitted(event) && wanted) events.push([event, client.reference_id, detail].filter(Boolean).join(' '));
	};
	const changed = watch.watchedFields.filter(
		(field) => before?.areFieldsKnown && before.client[field] !== client[field],
	);
	const sinceMs = watch.triggerOn.includes('clientStalled') ? (hasMoved ? Date.now() : before?.sinceMs) : undefined;
	const remindedMs = hasMoved ? undefined : before?.remindedMs;
	const isDue = isStalled(client, sinceMs, remindedMs, watch);
	if (!before) add('clientCreated');
	if (hasMoved && (watch.statusBecomes.length === 0 || watch.statusBecomes.includes(status)))
		add('requestStatusChanged', before.client.request_status);
	if ((hasMoved || !before) && watch.statusBecomes.includes(status)) add('statusReached');
	if (changed.length > 0) add('clientUpdated', changed.join('+'));
	if (isDue) add('clientStalled');
	const known: Known = {
		client: { ...client, request_status: before && !hasMoved ? before.client.request_status : client.request_status },
		sinceMs,
		isWanted: wanted,
		remindedMs: isDue && (wanted || !isEmitted('clientStalled')) ? Date.now() : remindedMs,
		isListed: true,
		areFieldsKnown: watch.triggerOn.includes('clientUpdated'),
		isIdentityKnown: watch.triggerOn.includes('clientRemoved'),
	};
	const createdMs = Date.parse(client.created_at);
	const hasChangeToSave = !before || JSON.stringify(before) !== JSON.stringify(known);
	return { id: client.reference_id, createdMs, known, events, hasChangeToSave };
}

function isWanted({ client_type, request_status }: Client, { clientType, requestStatus }: Watch): boolean {
	return (
		(!clientType || client_type === clientType) &&
		(requestStatus.length === 0 || requestStatus.includes(lower(request_status)))
	);
}

function isStalled(
	{ created_at, request_status }: Client,
	sinceMs: number | undefined,
	remindedMs: number | undefined,
	{ triggerOn, stalledAfterDays, repeatAfterDays, stalledStatuses }: Watch,
): boolean {
	if (!triggerOn.includes('clientStalled') || !stalledStatuses.includes(lower(request_status))) return false;
	// The trigger saves times as whole minutes.
	const floor = (timeMs: number) => Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
	const since = sinceMs === undefined ? Date.parse(created_at) : floor(sinceMs);
	if (Date.now() < since + stalledAfterDays * DAY_MS) return false;
	if (remindedMs === undefined) return true;
	return repeatAfterDays > 0 && Date.now() >= floor(remindedMs) + repeatAfterDays * DAY_MS;
}

const lower = (text: string) => text.toLowerCase();
