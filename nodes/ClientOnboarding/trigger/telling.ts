import { hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey, createdMs, folded } from '../service/client';
import type { Condition } from './conditions';
import { arrivalsAt, isChanged, noticeClient, UNSEEN } from './conditions';
import type { EventName } from './events';
import type { Key } from './marks';
import { formatKey, markOf } from './marks';
import type { Watch } from './watch';

/** What the workflow gets. */
export type ClientEvent = IDataObject & { event: EventName; event_id: string };

/** All that can be told of a listed client. An event keeps its `event_id` when it has to be told again. */
export function describeClient(
	client: Client,
	was: Condition | undefined,
	now: Condition,
	{ statusBecomes }: Watch,
): ClientEvent[] {
	if (!now.isWanted) return [];
	const status = folded(now.status);
	const life = [clientKey(client), client.created_at ?? null];
	const stay = [...life, status, arrivalsAt(status, now.arrivals)];
	const hasMoved = isChanged(client, was);
	const events: ClientEvent[] = [];
	if (!was) events.push(describe('clientCreated', life, client));
	if (was && hasMoved && (statusBecomes.length === 0 || statusBecomes.includes(status)))
		events.push(describe('requestStatusChanged', stay, { ...client, previous_request_status: was.status }));
	if (now.hasStalled && (hasMoved || !was?.hasStalled)) events.push(describe('clientStalled', stay, client));
	return events;
}

/** Of a client that is gone nothing is known but its mark. */
export function describeGone(key: Key, { status, departures }: Condition): ClientEvent {
	const reference_id_hash = formatKey(key);
	return describe('clientRemoved', [reference_id_hash, departures], {
		reference_id_hash,
		previous_request_status: status,
	});
}

/** For building a workflow: an event of each kind that is looked for, as if it had happened to the newest client it fits. */
export function imagineEvents(clients: Client[], atMs: number, watch: Watch): ClientEvent[] {
	const newestFirst = [...clients].sort((a, b) => createdMs(b) - createdMs(a) || 0);
	return watch.events.flatMap((event) => {
		for (const client of newestFirst) {
			// Who was never seen to change is stalled by its age.
			const past = event === 'clientCreated' || event === 'clientStalled' ? undefined : UNSEEN;
			const now = noticeClient(client, past, atMs, watch);
			const events = [describeGone(markOf(client, 0), now), ...describeClient(client, past, now, watch)];
			const fitting = events.find((candidate) => candidate.event === event);
			// What is only imagined must not pass for what happens later.
			if (fitting) return [{ ...fitting, event_id: identify(['test', event, atMs, clientKey(client)]) }];
		}
		return [];
	});
}

function describe(event: EventName, identity: unknown[], content: IDataObject): ClientEvent {
	// What happened stands first, where a table shows it.
	return Object.assign({ event }, content, { event, event_id: identify([event, ...identity]) });
}

function identify(identity: unknown[]): string {
	return hash('sha256', JSON.stringify(identity)).slice(0, 32);
}
