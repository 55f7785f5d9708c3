import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { createdMs, folded } from '../api/record';

/** `whole`: the field equals the text. `part`: the field contains it. Case is ignored. */
export type TextMatch = 'whole' | 'part';

export interface Filters {
	/** By field of the client. */
	texts: Record<string, { text: string; match: TextMatch } | undefined>;
	/** By field of the client: lower-case values of which one must match. None: no filter. */
	choices: Record<'client_type' | 'request_status', string[]>;
	createdAfterMs?: number;
	createdBeforeMs?: number;
	/** Created within this time before now. */
	youngerThanMs?: number;
	/** Created more than this time before now. */
	olderThanMs?: number;
}

export const NO_FILTERS: Filters = { texts: {}, choices: { client_type: [], request_status: [] } };

/** The text filters that the service has, by field of the client. */
export const TEXT_PARAMETERS: Record<string, string> = { email: 'client_email', group_name: 'group_name' };

/** The part of the filters that the service applies. Its rows are checked here all the same. */
export function toQuery({ texts, choices }: Filters): IDataObject {
	const query: IDataObject = {};
	for (const [field, parameter] of Object.entries(TEXT_PARAMETERS)) {
		const filter = texts[field];
		if (filter?.match === 'whole') query[parameter] = filter.text;
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
	const given = [...Object.values(texts), ...Object.values(choices).filter((values) => values.length > 0)];
	return given.filter(Boolean).length > Object.keys(toQuery(filters)).length || hasDates(filters);
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
