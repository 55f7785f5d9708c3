import { hash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { clientKey, createdMs, folded, textOf } from '../api/record';
import type { TriggerConfig } from './config';

const MINUTE_MS = 60_000;
export const ID_HASH_BYTES = 8;
export const FIELD_HASH_BYTES = 4;
const UNKNOWN_FIELD = '\0'.repeat(FIELD_HASH_BYTES);
/** Services may write these values in more than one way. */
const CASELESS_FIELDS = ['client_type', 'client_status'];

/** What is saved of a client that was ever listed. */
export interface TrackedClient {
	/** As the service wrote it. */
	readonly status: string;
	readonly isListed: boolean;
	/** Whether it matched the filters. */
	readonly matches: boolean;
	/** When a poll saw it enter its status, in minutes since 1970; 0: it counts from its creation. */
	readonly sinceMinutes: number;
	/** When Client Stalled was emitted for this status; 0: not yet. */
	readonly remindedMinutes: number;
	/** How many events were emitted for it. New Client, which is emitted once, does not count. */
	readonly emitted: number;
	/** A hash of each watched field, one after the other; a character is a byte. */
	readonly fieldHashes: string;
	/** Values that later events need: the identity of a removed client, or the previous values of fields. */
	readonly values?: IDataObject;
}

/** Eight bytes, a character each. */
export function idHash(client: Client): string {
	return hash('sha256', clientKey(client), 'binary').slice(0, ID_HASH_BYTES);
}

/** A listed client as it is now. The very same object as before if nothing has changed. */
export function trackClient(
	client: Client,
	was: TrackedClient | undefined,
	nowMs: number,
	config: TriggerConfig,
): TrackedClient {
	const hasMoved = hasOtherStatus(client, was);
	const now: TrackedClient = {
		status: was && !hasMoved ? was.status : textOf(client.request_status),
		isListed: true,
		matches: config.matches(client),
		sinceMinutes: sinceMinutes(client, was, nowMs, config),
		remindedMinutes: was && !hasMoved ? was.remindedMinutes : 0,
		emitted: was?.emitted ?? 0,
		fieldHashes: config.watchedFields.map((field) => hashOfField(client, field)).join(''),
		values: valuesOf(client, was?.values, config.savedFields),
	};
	return was && isSame(was, now) ? was : now;
}

export function hasOtherStatus(client: Client, was: TrackedClient | undefined): boolean {
	return was !== undefined && folded(was.status) !== folded(client.request_status);
}

/** When the client entered its status, as far as is known. NaN if nothing is. */
export function statusSinceMs(client: Client, { sinceMinutes }: Pick<TrackedClient, 'sinceMinutes'>): number {
	return sinceMinutes > 0 ? sinceMinutes * MINUTE_MS : createdMs(client);
}

export function toMinutes(timeMs: number): number {
	return Math.floor(timeMs / MINUTE_MS);
}

/** Whether it is time for Client Stalled, the first time or again. */
export function isStalledDue(client: Client, tracked: TrackedClient, nowMs: number, config: TriggerConfig): boolean {
	const { stalledStatuses, stalledAfterMs, repeatAfterMs } = config;
	if (!stalledStatuses.includes(folded(client.request_status))) return false;
	if (!(nowMs >= statusSinceMs(client, tracked) + stalledAfterMs)) return false;
	if (tracked.remindedMinutes === 0) return true;
	return repeatAfterMs > 0 && nowMs >= tracked.remindedMinutes * MINUTE_MS + repeatAfterMs;
}

/** The watched fields whose saved value has changed. */
export function changedFields(was: TrackedClient | undefined, now: TrackedClient, watchedFields: string[]): string[] {
	return watchedFields.filter((_, index) => {
		const before = was ? fieldHashAt(was.fieldHashes, index) : UNKNOWN_FIELD;
		return before !== UNKNOWN_FIELD && before !== fieldHashAt(now.fieldHashes, index);
	});
}

/** The hashes of these fields, from hashes of other ones. A field that was not watched is unknown. */
export function rearrangeFieldHashes(fieldHashes: string, from: string[], to: string[]): string {
	return to
		.map((field) => (from.includes(field) ? fieldHashAt(fieldHashes, from.indexOf(field)) : UNKNOWN_FIELD))
		.join('');
}

function sinceMinutes(
	client: Client,
	was: TrackedClient | undefined,
	nowMs: number,
	{ events }: TriggerConfig,
): number {
	if (!events.includes('clientStalled')) return 0;
	if (hasOtherStatus(client, was)) return toMinutes(nowMs);
	if (was && was.sinceMinutes > 0) return was.sinceMinutes;
	// Without a creation date, the time counts from the first poll that lists the client.
	return Number.isNaN(createdMs(client)) ? toMinutes(nowMs) : 0;
}

/** Never that of an unknown field. */
function hashOfField(client: Client, field: string): string {
	const text = CASELESS_FIELDS.includes(field) ? folded(client[field]) : textOf(client[field]);
	const bytes = hash('sha256', text, 'binary');
	return bytes.slice(0, FIELD_HASH_BYTES - 1) + String.fromCharCode(bytes.charCodeAt(FIELD_HASH_BYTES - 1) | 1);
}

function fieldHashAt(fieldHashes: string, index: number): string {
	return fieldHashes.slice(index * FIELD_HASH_BYTES, (index + 1) * FIELD_HASH_BYTES);
}

/** The very same object as before if no value has changed. */
function valuesOf(client: Client, was: IDataObject | undefined, fields: string[]): IDataObject | undefined {
	const present = fields.filter((field) => ['string', 'number'].includes(typeof client[field]));
	if (present.length === 0) return undefined;
	const isSameValues =
		was && Object.keys(was).length === present.length && present.every((field) => was[field] === client[field]);
	return isSameValues ? was : Object.fromEntries(present.map((field) => [field, client[field]]));
}

function isSame(was: TrackedClient, now: TrackedClient): boolean {
	return (Object.keys(now) as Array<keyof TrackedClient>).every((name) => was[name] === now[name]);
}
