import { hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey, createdMs, folded, textOf } from '../service/client';
import type { EventName } from './events';
import { findClashing, formatMark, markOf, marksOf, saltWithoutClash } from './marks';
import type { Condition, State } from './state';

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

/** What the workflow gets. */
type ClientEvent = IDataObject & { event: EventName; event_id: string };

export interface Changes {
	events: ClientEvent[];
	/** What to remember once the events have been told; the same as before where nothing happened. */
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

	const { clients } = look;
	const salt = known?.salt ?? 0;
	const marks = marksOf(clients, salt);
	const clashing = findClashing(clients, marks);
	const events: ClientEvent[] = [];
	const share = shareConditions();
	let unchanged = 0;
	let recognised = 0;
	const conditions = clients.map((client, index) => {
		const was = clashing.has(client) ? undefined : known?.conditions.get(marks[index]);
		const now = noticeClient(client, was, look, watch);
		if (was) recognised += 1;
		if (now === was) {
			unchanged += 1;
			return was;
		}
		for (const event of describeClient(client, was, now, watch)) if (isTold(event.event)) events.push(event);
		return share(now);
	});
	events.sort((a, b) => createdMs(a) - createdMs(b) || 0);

	const unlisted = known && recognised < known.conditions.size ? withoutMarks(known.conditions, marks) : [];
	const isAnyGone = look.isComplete && unlisted.length > 0;
	const isSame = known?.events.join() === watch.events.join() && unchanged === clients.length && !isAnyGone;
	if (known && isSame) return { events, state: known, isAnyGone };

	if (isAnyGone && isTold('clientRemoved'))
		events.push(...unlisted.filter(([, { isWanted }]) => isWanted).map(describeGone));
	const nextSalt = clashing.size === 0 ? salt : saltWithoutClash(clients);
	const nextMarks = clashing.size === 0 ? marks : marksOf(clients, nextSalt);
	const next = new Map(look.isComplete ? [] : unlisted);
	conditions.forEach((condition, index) => next.set(nextMarks[index], condition));
	return {
		events,
		state: { service: watch.service, events: watch.events, salt: nextSalt, conditions: next },
		isAnyGone,
	};
}

function withoutMarks(conditions: Map<number, Condition>, marks: Float64Array): Array<[number, Condition]> {
	const listed = new Set(marks);
	return [...conditions].filter(([mark]) => !listed.has(mark));
}

/** The condition of a client now; the very same object where nothing about it has changed. */
function noticeClient(client: Client, was: Condition | undefined, { atMs }: Look, watch: Watch): Condition {
	const { arrivals = {}, stalledIn = [] } = was ?? {};
	const status = textOf(client.request_status);
	const isWanted = watch.matches(client);
	const isNewlyStalled = isStalled(client, stalledIn, watch, atMs);
	if (was && was.status === status && was.isWanted === isWanted && !isNewlyStalled) return was;
	const name = folded(status);
	const times = Object.hasOwn(arrivals, name) ? arrivals[name] : 0;
	return {
		status,
		isWanted,
		arrivals: isChanged(client, was) ? { ...arrivals, [name]: times + 1 } : arrivals,
		stalledIn: isNewlyStalled ? [...stalledIn, name] : stalledIn,
	};
}

function isStalled(client: Client, stalledBefore: readonly string[], watch: Watch, atMs: number): boolean {
	if (!watch.events.includes('clientStalled')) return false;
	const status = folded(client.request_status);
	const isPossible = watch.stalledStatuses.includes(status) && !stalledBefore.includes(status);
	return isPossible && createdMs(client) + watch.stalledAfterMs <= atMs;
}

/** All that can be told of a listed client. An event keeps its `event_id` when it has to be told again. */
function describeClient(
	client: Client,
	was: Condition | undefined,
	now: Condition,
	{ statusBecomes }: Watch,
): ClientEvent[] {
	if (!now.isWanted) return [];
	const status = folded(now.status);
	const life = [clientKey(client), client.created_at ?? null];
	const events: ClientEvent[] = [];
	if (!was) events.push(describe('clientCreated', life, client));
	if (was && isChanged(client, was) && (statusBecomes.length === 0 || statusBecomes.includes(status))) {
		const content = { ...client, previous_request_status: was.status };
		events.push(describe('requestStatusChanged', [...life, status, now.arrivals[status]], content));
	}
	if (now.stalledIn.length > (was?.stalledIn.length ?? 0))
		events.push(describe('clientStalled', [...life, status], client));
	return events;
}

/** For building a workflow: an event of each kind that is looked for, as if it had happened to the newest client it fits. */
export function imagineEvents(look: Look, watch: Watch): ClientEvent[] {
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
function describeGone([mark, { status }]: [number, Condition]): ClientEvent {
	const reference_id_hash = formatMark(mark);
	return describe('clientRemoved', [reference_id_hash], { reference_id_hash, previous_request_status: status });
}

function describe(event: EventName, identity: unknown[], content: IDataObject): ClientEvent {
	const event_id = hash('sha256', JSON.stringify([event, ...identity])).slice(0, 32);
	// What happened stands first, where a table shows it.
	return Object.assign({ event }, content, { event, event_id });
}

function isChanged(client: Client, was?: Condition): boolean {
	return was !== undefined && folded(was.status) !== folded(client.request_status);
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
