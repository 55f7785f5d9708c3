import type { Client } from '../api/record';
import { createdMs } from '../api/record';
import type { ClientEvent, PollInfo } from './buildEvents';
import { buildEvents, buildRemovedEvent } from './buildEvents';
import type { TriggerConfig } from './config';
import type { EventName } from './events';
import type { State } from './state/state';
import type { TrackedClient } from './trackedClient';
import { idHash, isStalledDue, toMinutes, trackClient } from './trackedClient';

/** A client that differs from the saved state. */
export interface Change {
	id: string;
	createdMs: number;
	/** Undefined if it has never been listed. */
	was?: TrackedClient;
	/** As it is saved once its events are emitted. */
	now: TrackedClient;
	events: ClientEvent[];
}

/** Removed clients come last. */
const NO_DATE_MS = Number.MAX_VALUE;

/** Compares the listed clients, and those that were removed, with the state. Only `emittedEvents` become items. */
export function diffClients(
	state: State | undefined,
	clients: Client[],
	removed: string[],
	emittedEvents: EventName[],
	poll: PollInfo,
	config: TriggerConfig,
): Change[] {
	const isEmitted = (event: EventName) => emittedEvents.includes(event);
	const changes: Change[] = [];
	for (const client of clients) {
		const id = idHash(client);
		const was = state?.clients.get(id);
		const now = trackClient(client, was, poll.nowMs, config);
		const events = buildEvents(client, was, now, poll, config).filter(({ event }) => isEmitted(event));
		const isReminded = isStalledDue(client, now, poll.nowMs, config) && (now.matches || !isEmitted('clientStalled'));
		if (now === was && !isReminded) continue;
		const remindedMinutes = isReminded ? toMinutes(poll.nowMs) : now.remindedMinutes;
		const saved = withEmitted({ ...now, remindedMinutes }, events);
		changes.push({ id, createdMs: createdMs(client) || 0, was, now: saved, events });
	}
	for (const id of removed) {
		const was = state?.clients.get(id) as TrackedClient;
		// Without saved values, it was last listed before the event was chosen, and the event could not identify the client.
		const isEvent = was.matches && was.values !== undefined && isEmitted('clientRemoved');
		const events = isEvent ? [buildRemovedEvent(id, was, poll, config)] : [];
		const now = withEmitted({ ...was, isListed: false, values: undefined }, events);
		changes.push({ id, createdMs: NO_DATE_MS, was, now, events });
	}
	return changes.sort((a, b) => a.createdMs - b.createdMs);
}

/**
 * The changes to save now: all without events, and those with events until `maxEvents` are reached. A change that is left out
 * is not saved, so the next poll finds it again.
 */
export function takeBatch(changes: Change[], maxEvents: number): Change[] {
	let count = 0;
	return changes.filter(({ events }) => {
		if (events.length === 0) return true;
		if (count >= maxEvents) return false;
		count += events.length;
		return true;
	});
}

function withEmitted(tracked: TrackedClient, events: ClientEvent[]): TrackedClient {
	const counted = events.filter(({ event }) => event !== 'clientCreated').length;
	return { ...tracked, emitted: tracked.emitted + counted };
}
