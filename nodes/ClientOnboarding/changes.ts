import { hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from './service/client';
import { clientKey, createdMs, folded } from './service/client';
import { formatMark, markAll, markOf, saltWithoutClash } from './trigger/marks';
import type { Condition, EventName, State } from './trigger/state';

/** What the user wants to be told. */
export interface Watch {
	/** The service that is read. */
	service: string;
	events: EventName[];
	matches: (client: Client) => boolean;
	/** In lower case; none means any. */
	statusBecomes: string[];
	stalledStatuses: string[];
	stalledAfterMs: number;
	/** Whether clients that are there at the very first look count as new. */
	includesExisting: boolean;
}

export interface Look {
	clients: Client[];
	/** Whether these are all clients, so that one that is not among them is gone. */
	isComplete: boolean;
	atMs: number;
}

export interface Changes {
	events: IDataObject[];
	/** What to remember once the events have been told. */
	state: State;
	/** Known clients are not listed any more. */
	isAnyGone: boolean;
}

/** What happened to the clients since the state was written. */
export function findChanges(before: State | undefined, look: Look, watch: Watch): Changes {
	const known = before?.service === watch.service ? before : undefined;
	const isFirst = before === undefined;
	// An event that was not looked for before has no past to compare with; from now on it has.
	const isTold = (event: EventName) =>
		watch.events.includes(event) && (known ? known.events.includes(event) : isFirst && watch.includesExisting);

	const events: IDataObject[] = [];
	const share = shareConditions();
	const marked = markAll(look.clients, known?.salt ?? 0).map(({ mark, client, isClashing }) => {
		const was = isClashing ? undefined : known?.conditions.get(mark);
		const now = noticeClient(client, was, look, watch);
		events.push(...describeClient(client, was, now, watch).filter(({ event }) => isTold(event as EventName)));
		return { mark, client, isClashing, condition: was && isSame(was, now) ? was : share(now) };
	});
	events.sort((a, b) => createdMs(a) - createdMs(b) || 0);

	const isClashing = marked.some((entry) => entry.isClashing);
	const salt = isClashing ? saltWithoutClash(look.clients) : (known?.salt ?? 0);
	const listed = new Map(marked.map(({ mark, client, condition }) => [isClashing ? markOf(client, salt) : mark, condition]));
	const listedMarks = isClashing ? new Set(marked.map(({ mark }) => mark)) : listed;
	const unlisted = [...(known?.conditions ?? [])].filter(([mark]) => !listedMarks.has(mark));
	if (look.isComplete && isTold('clientRemoved')) events.push(...unlisted.filter(([, { isWanted }]) => isWanted).map(describeGone));

	const conditions = look.isComplete ? listed : new Map([...unlisted, ...listed]);
	return {
		events,
		state: { service: watch.service, events: watch.events, salt, conditions },
		isAnyGone: look.isComplete && unlisted.length > 0,
	};
}

function noticeClient(client: Client, was: Condition | undefined, { atMs }: Look, watch: Watch): Condition {
	const { arrivals = {}, stalledIn = [] } = was ?? {};
	const status = folded(client.request_status);
	const isStalled =
		watch.events.includes('clientStalled') &&
		watch.stalledStatuses.includes(status) &&
		createdMs(client) + watch.stalledAfterMs <= atMs;
	return {
		status: String(client.request_status ?? ''),
		isWanted: watch.matches(client),
		arrivals: isChanged(client, was) ? { ...arrivals, [status]: (arrivals[status] ?? 0) + 1 } : arrivals,
		stalledIn: isStalled && !stalledIn.includes(status) ? [...stalledIn, status] : stalledIn,
	};
}

/** All that can be told of a listed client. An event keeps its `event_id` when it has to be told again. */
function describeClient(client: Client, was: Condition | undefined, now: Condition, { statusBecomes }: Watch): IDataObject[] {
	if (!now.isWanted) return [];
	const status = folded(now.status);
	const life = [clientKey(client), client.created_at ?? null];
	const events: IDataObject[] = [];
	if (!was) events.push(describe('clientCreated', life, client));
	if (was && isChanged(client, was) && (statusBecomes.length === 0 || statusBecomes.includes(status))) {
		const content = { ...client, previous_request_status: was.status };
		events.push(describe('requestStatusChanged', [...life, status, now.arrivals[status]], content));
	}
	if (now.stalledIn.length > (was?.stalledIn.length ?? 0)) events.push(describe('clientStalled', [...life, status], client));
	return events;
}

/** For building a workflow: an event of each kind that is looked for, as if it had happened to the newest client it fits. */
export function imagineEvents(look: Look, watch: Watch): IDataObject[] {
	const newestFirst = [...look.clients].sort((a, b) => createdMs(b) - createdMs(a) || 0);
	const past: Condition = { status: '', isWanted: true, arrivals: {}, stalledIn: [] };
	return watch.events.flatMap((event) => {
		for (const client of newestFirst) {
			const was = event === 'clientCreated' ? undefined : past;
			const now = noticeClient(client, was, look, watch);
			const events = [describeGone([markOf(client, 0), now]), ...describeClient(client, was, now, watch)];
			const fitting = events.find((candidate) => candidate.event === event);
			if (fitting) return [fitting];
		}
		return [];
	});
}

/** Of a client that is gone nothing is known but its mark: who comes back and leaves again has the same `event_id`. */
function describeGone([mark, { status }]: [number, Condition]): IDataObject {
	const reference_id_hash = formatMark(mark);
	return describe('clientRemoved', [reference_id_hash], { reference_id_hash, previous_request_status: status });
}

function describe(event: EventName, identity: unknown[], content: IDataObject): IDataObject {
	return { ...content, event, event_id: hash('sha256', JSON.stringify([event, ...identity])).slice(0, 32) };
}

function isChanged(client: Client, was?: Condition): boolean {
	return was !== undefined && folded(was.status) !== folded(client.request_status);
}

function isSame(a: Condition, b: Condition): boolean {
	return a.status === b.status && a.isWanted === b.isWanted && a.arrivals === b.arrivals && a.stalledIn === b.stalledIn;
}

/** One object for all clients in the same condition. */
function shareConditions(): (condition: Condition) => Condition {
	const shared = new Map<string, Condition>();
	return (condition) => {
		const key = JSON.stringify(condition);
		const same = shared.get(key) ?? condition;
		shared.set(key, same);
		return same;
	};
}
