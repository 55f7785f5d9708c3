import { hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { clientKey, createdMs, folded } from '../api/record';
import type { Condition } from './conditions';
import { isChanged, statusSinceMs, stayNumber } from './conditions';
import type { EventName } from './events';
import type { Key } from './marks';
import { formatKey } from './marks';
import { changedPrints } from './prints';
import type { Watch } from './watch';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What happened stands first, where a table shows it. */
const FIRST_FIELDS = ['event', 'reference_id', 'client_name', 'request_status', 'previous_request_status'];

/** What the workflow gets. */
export type ClientEvent = IDataObject & { event: EventName; event_id: string };

/** When a look was, and when the trigger began to look; version 0.2.0 did not write that down. */
interface Times {
	atMs: number;
	beganMs?: number;
}

/** All that can be told of a listed client. An event keeps its `event_id` when it has to be told again. */
export function describeClient(
	client: Client,
	was: Condition | undefined,
	now: Condition,
	{ atMs, beganMs }: Times,
	watch: Watch,
): ClientEvent[] {
	if (!now.isWanted) return [];
	const status = folded(now.status);
	const life = [clientKey(client), createdMs(client)];
	// What is counted is counted since the trigger began.
	const since = beganMs === undefined ? [] : [beganMs];
	const stay = [...life, status, stayNumber(status, now.arrivals), ...since];
	const hasMoved = isChanged(client, was);
	const previous = was && hasMoved ? { previous_request_status: was.status } : {};
	const isChosen = watch.statusBecomes.includes(status);
	const changed = changedPrints(was?.prints, now.prints).map((place) => watch.watchedFields[place]);
	const pastReminders = was && !hasMoved ? was.reminders : 0;
	const events: ClientEvent[] = [];
	const tell = (event: EventName, identity: unknown[], details: IDataObject = {}) =>
		events.push(describeEvent(event, identify([event, ...identity]), client, details, watch));

	if (!was) tell('clientCreated', life);
	if (hasMoved && (isChosen || watch.statusBecomes.length === 0)) tell('requestStatusChanged', stay, previous);
	if ((hasMoved || !was) && isChosen) tell('statusReached', stay, previous);
	// Told again after a loss, it may be about other values, and is another event then.
	if (changed.length > 0)
		tell('clientUpdated', [...life, now.updates, changed, now.prints, ...since], { changed_fields: changed });
	if (now.reminders > pastReminders) {
		const isAgain = now.reminders > 1 ? [now.reminders] : [];
		tell('clientStalled', [...stay, ...isAgain], daysInStatus(client, now.sinceMinutes, atMs));
	}
	return events;
}

export function daysInStatus(client: Client, sinceMinutes: number, atMs: number): IDataObject {
	return { days_in_status: Math.floor((atMs - statusSinceMs(client, sinceMinutes)) / DAY_MS) };
}

/** Of a client that is gone nothing is known but what is remembered. */
export function describeGone(
	key: Key,
	{ status, departures, identity }: Condition,
	beganMs: number | undefined,
	watch: Watch,
): ClientEvent {
	const reference_id_hash = formatKey(key);
	const details = { previous_request_status: status, reference_id_hash };
	const since = beganMs === undefined ? [] : [beganMs];
	const eventId = identify(['clientRemoved', reference_id_hash, departures, ...since]);
	return describeEvent('clientRemoved', eventId, { ...identity }, details, watch);
}

/** One item: what happened, then the client with the fields that are wanted, and last what makes the event this one. */
export function describeEvent(
	event: EventName,
	event_id: string,
	client: Client,
	details: IDataObject,
	{ fields }: Watch,
): ClientEvent {
	const isKept = (name: string) => fields.length === 0 || name === 'reference_id' || fields.includes(name);
	const content: IDataObject = {
		...Object.fromEntries(Object.entries(client).filter(([name]) => isKept(name))),
		...details,
		event,
	};
	const first = FIRST_FIELDS.filter((name) => Object.hasOwn(content, name));
	const rest = Object.keys(content).filter((name) => !first.includes(name) && name !== 'event_id');
	const ordered = Object.fromEntries([...first, ...rest].map((name) => [name, content[name]]));
	return { ...ordered, event, event_id };
}

export function identify(identity: unknown[]): string {
	return hash('sha256', JSON.stringify(identity)).slice(0, 32);
}
