import type { IDataObject } from 'n8n-workflow';
import { CLIENT_TYPES, REQUEST_STATUSES } from '../api/record';
import { FIRST_PAGE_SIZE } from '../pagination/pageSize';
import { fetchSinglePage, isWholeList } from '../pagination/paginate';
import type { Source } from '../pagination/source';
import type { ChoiceField, Filters } from './filters';
import { isFilteredHere, matcherFor, NO_FILTERS, toQuery } from './filters';
import type { Counts, Summary } from './summarize';
import { summarizeClients } from './summarize';

const TINY_PAGE_SIZE = 10;

/**
 * Counts by the totals of a few small pages: of all clients, and of each status and type. Undefined if they do not add up, or
 * if the service cannot apply all filters.
 */
export async function countByTotals(source: Source, filters: Filters): Promise<Summary | undefined> {
	const query = toQuery(filters);
	const hasTexts = Object.values(filters.texts).some(Boolean);
	const first =
		hasTexts || isFilteredHere(filters) ? undefined : await fetchSinglePage(source, query, 1, FIRST_PAGE_SIZE);
	if (!first || !first.clients.every(matcherFor(filters))) return undefined;
	if (isWholeList(first)) return summarizeClients(first.clients);
	const { totalCount: total } = first;
	// A full page may report its own rows as the total. Two filters at once may count as either of them.
	if (total === undefined || total <= first.clients.length || Object.keys(query).length > 1) return undefined;
	const [byStatus, byType] = await Promise.all([
		countParts(source, query, 'request_status', REQUEST_STATUSES, total),
		countParts(source, query, 'client_type', CLIENT_TYPES, total),
	]);
	return byStatus && byType && { total, by_request_status: byStatus, by_client_type: byType };
}

async function countParts(
	source: Source,
	query: IDataObject,
	field: ChoiceField,
	values: string[],
	total: number,
): Promise<Counts | undefined> {
	const counts: Counts = Object.fromEntries(values.map((value) => [value, 0]));
	const chosen = query[field];
	if (typeof chosen === 'string') return { ...counts, [chosen]: total };
	const parts = values.map((value) => ({ value, query: { ...query, [field]: value } }));
	const last = parts[parts.length - 1];
	let rest = total;
	await Promise.all(
		parts.slice(0, -1).map(async (part) => {
			counts[part.value] = await countPart(source, part.query, field);
			rest -= counts[part.value];
		}),
	);
	counts[last.value] = rest;
	return (await endsAfter(source, last.query, rest)) ? counts : undefined;
}

/** NaN, which adds up to nothing, if the page does not fit its filter or its total. */
async function countPart(source: Source, query: IDataObject, field: ChoiceField): Promise<number> {
	const { clients, totalCount } = await fetchSinglePage(source, query, 1, TINY_PAGE_SIZE);
	const choices = { ...NO_FILTERS.choices, [field]: [query[field]] };
	return clients.every(matcherFor({ ...NO_FILTERS, choices })) ? (totalCount ?? (clients.length > 0 ? NaN : 0)) : NaN;
}

/** Whether the list ends where it must if the other parts and the total are right. */
async function endsAfter(source: Source, query: IDataObject, rows: number): Promise<boolean> {
	if (!(rows >= 0)) return false;
	let size = TINY_PAGE_SIZE;
	// The last page must have room for more rows.
	while (rows > 0 && rows % size === 0) size += 1;
	const last = await fetchSinglePage(source, query, Math.floor(rows / size) + 1, size);
	return last.clients.length === rows % size && (last.totalCount ?? 0) === rows;
}
