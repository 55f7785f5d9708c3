import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { capitalize, clientKey, createdMs, folded, REQUEST_STATUSES, textOf } from '../api/record';
import type { ClientEvent } from './buildEvents';
import { buildEvent, daysInStatus } from './buildEvents';
import type { TriggerConfig } from './config';
import type { EventName } from './events';

const DAY_MS = 24 * 60 * 60 * 1000;
const FROM_CREATION = { sinceMinutes: 0 };
/** A value of another client would look like a change that has happened. */
const SAMPLE_VALUE = 'sample';

/** One event of each chosen kind, as if it had just happened to the newest client that it fits. */
export function buildSampleEvents(clients: Client[], nowMs: number, config: TriggerConfig): ClientEvent[] {
	const newestFirst = [...clients].sort((a, b) => createdMs(b) - createdMs(a) || 0);
	// The first item decides which columns a table starts with, and a removed client has the fewest.
	const events = [...config.events].sort((a, b) => Number(a === 'clientRemoved') - Number(b === 'clientRemoved'));
	return events.map((event) => {
		const client = pickClient(event, newestFirst, nowMs, config);
		const details = sampleDetails(event, client, newestFirst, nowMs, config);
		const fields = event === 'clientRemoved' ? config.identityFields : Object.keys(client);
		const shown = Object.fromEntries(fields.filter((field) => field in client).map((field) => [field, client[field]]));
		return buildEvent(event, `sample-${event}-${nowMs}-${clientKey(client)}`, shown, details, { nowMs }, config);
	});
}

/** The newest client in a status that the event is about. If there is none, the newest one as if it were. */
function pickClient(event: EventName, newestFirst: Client[], nowMs: number, config: TriggerConfig): Client {
	const statuses = statusesOf(event, config);
	const fitting = newestFirst.filter(
		(client) => statuses.length === 0 || statuses.includes(folded(client.request_status)),
	);
	const stalled = fitting.find((client) => nowMs - createdMs(client) >= config.stalledAfterMs);
	const [first] = event === 'clientStalled' && stalled ? [stalled] : fitting;
	return first ?? { ...newestFirst[0], request_status: capitalize(statuses[0]) };
}

function statusesOf(event: EventName, { statusBecomes, stalledStatuses }: TriggerConfig): string[] {
	if (event === 'clientStalled') return stalledStatuses;
	return event === 'requestStatusChanged' || event === 'statusReached' ? statusBecomes : [];
}

function sampleDetails(
	event: EventName,
	client: Client,
	others: Client[],
	nowMs: number,
	{ stalledAfterMs, watchedFields, includePrevious }: TriggerConfig,
): IDataObject {
	switch (event) {
		case 'clientCreated':
			return {};
		case 'clientUpdated': {
			const [field] = watchedFields;
			return { changed_fields: [field], ...(includePrevious && { previous: { [field]: SAMPLE_VALUE } }) };
		}
		case 'clientStalled': {
			const days = daysInStatus(client, FROM_CREATION, nowMs) || 0;
			return { days_in_status: Math.max(days, Math.floor(stalledAfterMs / DAY_MS)) };
		}
		case 'clientRemoved':
			return { previous_request_status: client.request_status };
		default: {
			const request_status = previousStatus(client, others);
			const hasPrevious = includePrevious && event === 'requestStatusChanged';
			return { previous_request_status: request_status, ...(hasPrevious && { previous: { request_status } }) };
		}
	}
}

/** A status that another client has, as the service writes it. */
function previousStatus(client: Client, others: Client[]): string {
	const isOther = (status: string) => status !== '' && folded(status) !== folded(client.request_status);
	const seen = others.map(({ request_status }) => textOf(request_status)).filter(isOther);
	const fallback = capitalize(REQUEST_STATUSES.find(isOther) as string);
	return seen.find((status) => folded(status) === 'pending') ?? seen[0] ?? fallback;
}
