import { CLIENT_TYPES, REQUEST_STATUSES } from '../api/record';
import { FIRST_PAGE_SIZE } from '../pagination/pageSize';
import type { NumberedPage } from '../pagination/paginate';
import { fetchSinglePage, isWholeList } from '../pagination/paginate';
import type { Source } from '../pagination/source';
import type { ChoiceField, Filters } from './filters';
import { isFilteredHere, matcherFor, toQuery } from './filters';
import type { Counts, Summary } from './summarize';
import { summarizeClients } from './summarize';

const TINY_PAGE_SIZE = 10;

/**
 * Counts by the totals of a few small pages: of all clients, and of each status and type. Undefined if they do not add up, or
 * if the service cannot apply all filters.
 */
export async function countByTotals(source: Source, filters: Filters): Promise<Summary | undefined> {
	const { texts, choices } = filters;
	// With two filters, the service may apply only one of them.
	const isChosenTwice = choices.client_type.length > 0 && choices.request_status.length > 0;
	if (isFilteredHere(filters) || isChosenTwice || Object.values(texts).some(Boolean)) return undefined;
	const page = await fetchCounted(source, filters, FIRST_PAGE_SIZE);
	if (!page) return undefined;
	if (isWholeList(page)) return summarizeClients(page.clients);
	const { total } = page;
	// A full page may report its own rows as the total.
	if (total === page.clients.length) return undefined;
	const [byStatus, byType] = await Promise.all([
		countParts(source, filters, 'request_status', REQUEST_STATUSES, total),
		countParts(source, filters, 'client_type', CLIENT_TYPES, total),
	]);
	return byStatus && byType && { total, by_request_status: byStatus, by_client_type: byType };
}

async function countParts(
	source: Source,
	filters: Filters,
	field: ChoiceField,
	values: string[],
	total: number,
): Promise<Counts | undefined> {
	const counts: Counts = Object.fromEntries(values.map((value) => [value, 0]));
	const [chosen] = filters.choices[field];
	if (chosen !== undefined) return { ...counts, [chosen]: total };
	const partOf = (value: string) => ({ ...filters, choices: { ...filters.choices, [field]: [value] } });
	const last = values[values.length - 1];
	let rest = total;
	await Promise.all(
		values.slice(0, -1).map(async (value) => {
			counts[value] = (await fetchCounted(source, partOf(value), TINY_PAGE_SIZE))?.total ?? NaN;
			rest -= counts[value];
		}),
	);
	counts[last] = rest;
	return (await endsAfter(source, partOf(last), rest)) ? counts : undefined;
}

/** Page 1 and its total. Undefined if a client does not match, or if there are fewer than the total implies. */
async function fetchCounted(
	source: Source,
	filters: Filters,
	size: number,
): Promise<(NumberedPage & { total: number }) | undefined> {
	const page = await fetchSinglePage(source, toQuery(filters), 1, size);
	const { clients, pageLimit = size, totalCount: total = 0 } = page;
	const isFull = clients.length === Math.min(total, pageLimit);
	return isFull && clients.every(matcherFor(filters)) ? { ...page, total } : undefined;
}

/** Whether the list ends where it must if the total and the counts of the other parts are right. */
async function endsAfter(source: Source, filters: Filters, rows: number): Promise<boolean> {
	if (!(rows >= 0)) return false;
	let size = TINY_PAGE_SIZE;
	// The last page must have a row, if there is any, and room for more.
	while (rows > 0 && rows % size === 0) size += 1;
	const last = await fetchSinglePage(source, toQuery(filters), Math.floor(rows / size) + 1, size);
	return last.clients.length === rows % size && (last.totalCount ?? 0) === rows;
}
