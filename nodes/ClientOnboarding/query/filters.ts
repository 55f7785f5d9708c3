import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { createdMs, folded } from '../api/record';

/** `whole`: the field equals the text. `part`: the field contains it. Case is ignored. */
export type TextMatch = 'whole' | 'part';

/** Fields of a client. */
export type TextField = 'client_status' | 'email' | 'group_name';
export type ChoiceField = 'client_type' | 'request_status';

export interface Filters {
	texts: Partial<Record<TextField, { text: string; match: TextMatch }>>;
	/** Lower-case values of which one must match. None: no filter. */
	choices: Record<ChoiceField, string[]>;
	createdAfterMs?: number;
	createdBeforeMs?: number;
	/** Created within this time before now. */
	youngerThanMs?: number;
	/** Created more than this time before now. */
	olderThanMs?: number;
}

export const NO_FILTERS: Filters = { texts: {}, choices: { client_type: [], request_status: [] } };

/** The text fields that the service can filter by, and its parameters for them. */
export const TEXT_PARAMETERS = { email: 'client_email', group_name: 'group_name' } as const;
export type SentTextField = keyof typeof TEXT_PARAMETERS;
export const SENT_TEXT_FIELDS = Object.keys(TEXT_PARAMETERS) as SentTextField[];

/** The part of the filters that the service applies. Its rows are checked here all the same. */
export function toQuery({ texts, choices }: Filters): IDataObject {
	const query: IDataObject = {};
	for (const field of SENT_TEXT_FIELDS) {
		const filter = texts[field];
		if (filter?.match === 'whole') query[TEXT_PARAMETERS[field]] = filter.text;
	}
	for (const [parameter, values] of Object.entries(choices)) {
		// The service takes one value. Reading a list for each of several could miss a client that moves between them.
		if (values.length === 1) query[parameter] = values[0];
	}
	return query;
}

/** Whether the service leaves some filtering to us, so that many of its rows may not match. */
export function isFilteredHere(filters: Filters): boolean {
	const { texts, choices } = filters;
	const sent: readonly string[] = SENT_TEXT_FIELDS;
	const isTextLeft = Object.entries(texts).some(
		([field, filter]) => filter && (filter.match === 'part' || !sent.includes(field)),
	);
	const isSeveral = Object.values(choices).some((values) => values.length > 1);
	return isTextLeft || isSeveral || hasDates(filters);
}

/** Whether a client that does not match now may match later: everything but its creation can change. */
export function mayMatchLater({ texts, choices, olderThanMs }: Filters): boolean {
	const isChosen = Object.values(choices).some((values) => values.length > 0);
	return isChosen || olderThanMs !== undefined || Object.values(texts).some(Boolean);
}

export function matcherFor(filters: Filters, nowMs = Date.now()): (client: Client) => boolean {
	const { afterMs, beforeMs } = createdRange(filters, nowMs);
	const checks: Array<(client: Client) => boolean> = [];
	for (const [field, filter] of Object.entries(filters.texts)) {
		if (!filter) continue;
		const text = folded(filter.text);
		checks.push(
			filter.match === 'whole'
				? (client) => folded(client[field]) === text
				: (client) => folded(client[field]).includes(text),
		);
	}
	for (const [field, values] of Object.entries(filters.choices)) {
		if (values.length > 0) checks.push((client) => values.includes(folded(client[field])));
	}
	if (hasDates(filters)) checks.push((client) => createdMs(client) >= afterMs && createdMs(client) < beforeMs);
	return (client) => checks.every((check) => check(client));
}

/** From `afterMs` on, and before `beforeMs`. */
export function createdRange(
	{
		createdAfterMs = -Infinity,
		createdBeforeMs = Infinity,
		youngerThanMs = Infinity,
		olderThanMs = -Infinity,
	}: Filters,
	nowMs: number,
): { afterMs: number; beforeMs: number } {
	return {
		afterMs: Math.max(createdAfterMs, nowMs - youngerThanMs),
		beforeMs: Math.min(createdBeforeMs, nowMs - olderThanMs),
	};
}

function hasDates({ createdAfterMs, createdBeforeMs, youngerThanMs, olderThanMs }: Filters): boolean {
	return [createdAfterMs, createdBeforeMs, youngerThanMs, olderThanMs].some((bound) => bound !== undefined);
}
