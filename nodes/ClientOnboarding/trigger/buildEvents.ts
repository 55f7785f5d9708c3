import { hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { clientKey, folded } from '../api/record';
import type { TriggerConfig } from './config';
import type { EventName } from './events';
import type { TrackedClient } from './trackedClient';
import { changedFields, hasOtherStatus, isStalledDue, statusSinceMs } from './trackedClient';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The columns that a table shows first. */
const FIRST_FIELDS = ['event', 'reference_id', 'client_name', 'request_status', 'previous_request_status'];
const LAST_FIELDS = ['detected_at', 'event_id'];

/** What the workflow gets. */
export type ClientEvent = IDataObject & { event: EventName; event_id: string };

/** The poll that finds events. `nodeId` and `baselineMs` keep IDs apart from those of other triggers and earlier baselines. */
export interface PollInfo {
	nowMs: number;
	nodeId: string;
	baselineMs: number;
}

/** All events of a listed client, whether the trigger emits them or not. None if the client does not match the filters. */
export function buildEvents(
	client: Client,
	was: TrackedClient | undefined,
	now: TrackedClient,
	poll: PollInfo,
	config: TriggerConfig,
): ClientEvent[] {
	if (!now.matches) return [];
	const { statusBecomes, watchedFields, includePrevious } = config;
	const status = folded(client.request_status);
	const hasMoved = hasOtherStatus(client, was);
	const isChosen = statusBecomes.includes(status);
	const previous = hasMoved ? { previous_request_status: was?.status } : {};
	const changed = changedFields(was, now, watchedFields);
	const events: ClientEvent[] = [];
	const add = (event: EventName, values: unknown[], details: IDataObject = {}) =>
		events.push(buildEvent(event, eventId(event, clientKey(client), values, now, poll), client, details, poll, config));

	if (!was) add('clientCreated', []);
	if (was && hasMoved && (isChosen || statusBecomes.length === 0)) {
		const before = includePrevious ? { previous: { request_status: was.status || null } } : {};
		add('requestStatusChanged', [folded(was.status), status], { ...previous, ...before });
	}
	if ((hasMoved || !was) && isChosen) add('statusReached', [status], previous);
	if (was && changed.length > 0) {
		const before = includePrevious ? { previous: previousValues(was, changed) } : {};
		add('clientUpdated', [changed, changed.map((field) => client[field])], { changed_fields: changed, ...before });
	}
	if (isStalledDue(client, now, poll.nowMs, config)) {
		add('clientStalled', [status], { days_in_status: daysInStatus(client, now, poll.nowMs) });
	}
	return events;
}

/** Of a removed client, only the saved values are known. */
export function buildRemovedEvent(id: string, was: TrackedClient, poll: PollInfo, config: TriggerConfig): ClientEvent {
	const client = pick(was.values ?? {}, config.identityFields);
	const details = { previous_request_status: was.status };
	return buildEvent('clientRemoved', eventId('clientRemoved', id, [], was, poll), client, details, poll, config);
}

/** One item: what happened, then the client with the chosen fields, and last what identifies the event. */
export function buildEvent(
	event: EventName,
	event_id: string,
	client: Client,
	details: IDataObject,
	{ nowMs }: Pick<PollInfo, 'nowMs'>,
	{ fields }: Pick<TriggerConfig, 'fields'>,
): ClientEvent {
	const isKept = (name: string) => fields.length === 0 || name === 'reference_id' || fields.includes(name);
	const content: IDataObject = {
		...Object.fromEntries(Object.entries(client).filter(([name]) => isKept(name))),
		...details,
		event,
	};
	const rest = Object.keys(content).filter((name) => !LAST_FIELDS.includes(name));
	const ordered = pick(content, [...FIRST_FIELDS, ...rest]);
	return { ...ordered, event, detected_at: new Date(nowMs).toISOString(), event_id };
}

export function daysInStatus(client: Client, tracked: Pick<TrackedClient, 'sinceMinutes'>, nowMs: number): number {
	return Math.floor((nowMs - statusSinceMs(client, tracked)) / DAY_MS);
}

/** The same if the same event must be emitted again, because n8n has lost the state in which it was emitted. */
function eventId(
	event: EventName,
	client: string,
	values: unknown[],
	{ emitted }: TrackedClient,
	{ nodeId, baselineMs }: PollInfo,
): string {
	return hash('sha256', JSON.stringify([event, client, values, emitted, nodeId, baselineMs])).slice(0, 32);
}

/** Null for a value that was absent, or not saved yet. */
function previousValues({ values }: TrackedClient, changed: string[]): IDataObject {
	return Object.fromEntries(changed.map((field) => [field, values?.[field] ?? null]));
}

function pick(record: IDataObject, fields: string[]): IDataObject {
	const present = fields.filter((field) => Object.hasOwn(record, field));
	return Object.fromEntries(present.map((field) => [field, record[field]]));
}
