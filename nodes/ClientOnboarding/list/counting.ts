import type { IDataObject } from 'n8n-workflow';
import { CLIENT_TYPES, REQUEST_STATUSES } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Filters } from './filters';
import { matcherFor, needsSearch, toQuery } from './filters';
import { PageReader, toMissingList } from './pages';
import type { Counts, Tally } from './tally';

/**
 * Counts without reading the clients, from the totals the service names. Undefined where the totals cannot be trusted: where
 * the parts do not add up to the whole, where a row does not match its filter, or where the end of the list is elsewhere.
 */
export async function countByTotals(
	ask: AskForPage,
	filters: Filters,
	parallelRequests: number,
): Promise<Tally | undefined> {
	if (needsSearch(filters) || filters.clientEmail || filters.groupName) return undefined;
	// With a type and a status there is but one part, and nothing to check the service's way to combine filters with.
	if (filters.clientTypes.length > 0 && filters.requestStatuses.length > 0) return undefined;
	const statuses = filters.requestStatuses.length > 0 ? filters.requestStatuses : REQUEST_STATUSES;
	const types = filters.clientTypes.length > 0 ? filters.clientTypes : CLIENT_TYPES;
	const parts: Filters[] = [
		...statuses.map((status) => ({ ...filters, requestStatuses: [status] })),
		...types.map((type) => ({ ...filters, clientTypes: [type] })),
	];

	const first = await countOne(ask, parts[0]);
	const rest = await mapInParallel(parts.slice(1), parallelRequests, async (part) => await countOne(ask, part));
	const counts = [first, ...rest];
	const total = sum(counts.slice(0, statuses.length));
	const isConsistent = total !== undefined && total === sum(counts.slice(statuses.length));
	if (!isConsistent || !(await endsAt(ask, toQuery(filters), total))) return undefined;
	return {
		total,
		by_request_status: zip(REQUEST_STATUSES, statuses, counts),
		by_client_type: zip(CLIENT_TYPES, types, counts.slice(statuses.length)),
	};
}

async function countOne(ask: AskForPage, filters: Filters): Promise<number | undefined> {
	const page = await new PageReader(ask, toQuery(filters), 1).readAt(1, 1).catch(toMissingList);
	if (!page?.clients.every(matcherFor(filters))) return undefined;
	return page.clients.length === 0 ? 0 : page.totalCount;
}

/** A page that holds the last rows and has room for more proves where the list ends. */
async function endsAt(ask: AskForPage, query: IDataObject, total: number): Promise<boolean> {
	let size = 2;
	while (total > 0 && total % size === 0) size += 1;
	const page = await new PageReader(ask, query, 1).readAt(Math.floor(total / size) + 1, size);
	return page.clients.length === total % size;
}

async function mapInParallel<T, R>(items: T[], parallel: number, map: (item: T) => Promise<R>): Promise<R[]> {
	const results: R[] = [];
	for (let start = 0; start < items.length; start += parallel) {
		results.push(...(await Promise.all(items.slice(start, start + parallel).map(map))));
	}
	return results;
}

function sum(counts: Array<number | undefined>): number | undefined {
	return counts.reduce<number | undefined>(
		(total, count) => (total === undefined || count === undefined ? undefined : total + count),
		0,
	);
}

/** All names with their counts; those that were not asked for have none. */
function zip(names: string[], asked: string[], counts: Array<number | undefined>): Counts {
	return Object.fromEntries(names.map((name) => [name, counts[asked.indexOf(name)] ?? 0]));
}
