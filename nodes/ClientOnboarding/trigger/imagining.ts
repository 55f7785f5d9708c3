import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { capitalise, clientKey, createdMs, folded, REQUEST_STATUSES, textOf } from '../api/record';
import { remindersDue, UNSEEN } from './conditions';
import type { EventName } from './events';
import { identityOf } from './identity';
import { markOf } from './marks';
import type { ClientEvent } from './telling';
import { daysInStatus, describeEvent, describeGone, identify } from './telling';
import type { Watch } from './watch';

const DAY_MS = 24 * 60 * 60 * 1000;

/** For building a workflow: an event of each kind that is looked for, as if it had happened to the newest client it fits. */
export function imagineEvents(clients: Client[], atMs: number, watch: Watch): ClientEvent[] {
	const newestFirst = [...clients].sort((a, b) => createdMs(b) - createdMs(a) || 0);
	if (newestFirst.length === 0) return [];
	// A client that is gone has the fewest fields, and the first item says which columns a table begins with.
	const events = [...watch.events].sort((a, b) => Number(a === 'clientRemoved') - Number(b === 'clientRemoved'));
	return events.map((event) => {
		const client = pickFor(event, newestFirst, atMs, watch);
		// What is only imagined must not pass for what happens later.
		const eventId = identify(['test', event, atMs, clientKey(client)]);
		if (event === 'clientRemoved') return { ...imagineGone(client, watch), event_id: eventId };
		return describeEvent(event, eventId, client, imagineDetails(event, client, newestFirst, atMs, watch), watch);
	});
}

/** The newest client in a status that the event is about; where none is, the newest one as if it were. */
function pickFor(event: EventName, newestFirst: Client[], atMs: number, watch: Watch): Client {
	const statuses = statusesOf(event, watch);
	const stalled = newestFirst.find((client) => event === 'clientStalled' && remindersDue(client, 0, watch, atMs) > 0);
	if (stalled) return stalled;
	const fitting = newestFirst.find(
		(client) => statuses.length === 0 || statuses.includes(folded(client.request_status)),
	);
	return fitting ?? { ...newestFirst[0], request_status: capitalise(statuses[0]) };
}

function statusesOf(event: EventName, { statusBecomes, stalledStatuses }: Watch): string[] {
	if (event === 'clientStalled') return stalledStatuses;
	return event === 'requestStatusChanged' || event === 'statusReached' ? statusBecomes : [];
}

function imagineDetails(
	event: EventName,
	client: Client,
	others: Client[],
	atMs: number,
	{ stalledAfterMs, watchedFields }: Watch,
): IDataObject {
	if (event === 'clientUpdated') return { changed_fields: watchedFields.slice(0, 1) };
	if (event === 'clientStalled') {
		const { days_in_status: days } = daysInStatus(client, 0, atMs);
		return { days_in_status: Math.max(Number(days) || 0, Math.floor(stalledAfterMs / DAY_MS)) };
	}
	return event === 'clientCreated' ? {} : { previous_request_status: imaginePrevious(client, others) };
}

/** A status that another client has, as the service writes it. */
function imaginePrevious(client: Client, others: Client[]): string {
	const isOther = (status: string) => folded(status) !== folded(client.request_status);
	const seen = others
		.map(({ request_status }) => textOf(request_status))
		.filter((status) => status !== '' && isOther(status));
	return (
		seen.find((status) => folded(status) === 'pending') ??
		seen[0] ??
		capitalise(REQUEST_STATUSES.find(isOther) as string)
	);
}

function imagineGone(client: Client, watch: Watch): ClientEvent {
	const condition = {
		...UNSEEN,
		status: textOf(client.request_status),
		identity: identityOf(client, undefined, watch),
	};
	return describeGone(markOf(client, 0), condition, undefined, watch);
}
