import { clientKey, CLIENT_TYPES, REQUEST_STATUSES } from '../api/record';
import type { Filters } from './filters';
import { matcherFor, needsSearch, toQuery } from './filters';
import { fetchSinglePage } from '../pagination/paginate';
import type { Source } from '../pagination/source';
import type { Counts, Tally } from './tally';

/**
 * Counts without reading the clients, from the totals the service names. Undefined where the totals cannot be trusted: where
 * the parts do not add up to the whole, where a row does not match its filter, or where the end of the list is elsewhere.
 */
export async function countByTotals(source: Source, filters: Filters): Promise<Tally | undefined> {
	if (needsSearch(filters) || filters.clientEmail || filters.groupName) return undefined;
	// With a type and a status, nothing adds up to the whole list.
	if (filters.clientTypes.length > 0 && filters.requestStatuses.length > 0) return undefined;
	const [type] = filters.clientTypes;
	const [status] = filters.requestStatuses;
	// The choices of the field that is filtered by are all counted: only then do they add up to the whole list.
	const parts: Filters[] = [
		...REQUEST_STATUSES.map((part) => ({ ...filters, requestStatuses: [part] })),
		...CLIENT_TYPES.map((part) => ({ ...filters, clientTypes: [part] })),
	];

	const first = await countOne(source, parts[0]);
	const rest = await Promise.all(parts.slice(1).map(async (part) => await countOne(source, part)));
	const counts = [first, ...rest];
	const byStatus = zip(REQUEST_STATUSES, counts);
	const byType = zip(CLIENT_TYPES, counts.slice(REQUEST_STATUSES.length));
	const [whole, other] = type === undefined ? [byStatus, byType] : [byType, byStatus];
	const all = sum(whole);
	const chosen = type ?? status;
	const total = chosen === undefined ? all : whole[chosen];
	if (total !== sum(other) || !(await endsAt(source, all))) return undefined;
	return {
		total,
		by_request_status: status === undefined ? byStatus : onlyOf(byStatus, status),
		by_client_type: type === undefined ? byType : onlyOf(byType, type),
	};
}

/** NaN, which nothing adds up to, where the service does not tell. */
async function countOne(source: Source, filters: Filters): Promise<number> {
	const page = await fetchSinglePage(source, toQuery(filters), 1, 1);
	if (!page.clients.every(matcherFor(filters))) return NaN;
	return page.clients.length === 0 ? 0 : (page.totalCount ?? NaN);
}

/**
 * A page that holds the last rows and has room for more, and none after it, prove where the list of all clients ends. Nothing
 * that small proves a list without clients.
 */
async function endsAt(source: Source, total: number): Promise<boolean> {
	if (!(total > 0)) return false;
	let size = 2;
	while (total % size === 0) size += 1;
	const number = Math.floor(total / size) + 1;
	const last = await fetchSinglePage(source, {}, number, size);
	if (last.clients.length !== total % size) return false;
	const next = await fetchSinglePage(source, {}, number + 1, size);
	return next.clients.every((client) => last.clients.some((other) => clientKey(other) === clientKey(client)));
}

function sum(counts: Counts): number {
	return Object.values(counts).reduce((total, count) => total + count, 0);
}

function zip(names: string[], counts: number[]): Counts {
	return Object.fromEntries(names.map((name, index) => [name, counts[index]]));
}

function onlyOf(counts: Counts, name: string): Counts {
	return Object.fromEntries(Object.entries(counts).map(([other, count]) => [other, other === name ? count : 0]));
}
