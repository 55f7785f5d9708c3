import type { Page } from '../api/response';
import { fetchSinglePage } from '../pagination/paginate';
import type { Source } from '../pagination/source';
import type { Filters } from './filters';
import { matcherFor, needsSearch, NO_FILTERS, toQuery } from './filters';

/** Which clients somebody wants of a list. */
export interface Need {
	filters: Filters;
	/** Infinity for all. */
	limit: number;
	/** Whether the user can choose how texts are compared. */
	hasTextMatch: boolean;
	/** Which fields say from when and until when clients are created. */
	rangeFields: { after: string; before: string };
}

/** So many requests does a filtered list take at least: its clients, and whether the service minds upper and lower case. */
const REQUESTS_FOR_FEW = 3;
/** So many clients cost about as much as a request. */
const CLIENTS_PER_REQUEST = 500;
/** Such a share of the list do filters leave, except one by e-mail. */
const USUAL_SHARE = 0.25;
/** Where the service does not tell. A total that is no more than the rows of a page may be that of the page. */
const USUAL_TOTAL = 10_000;
/** More rows than the pages of many services have. */
const PEEK_SIZE = 101;
const TINY_PAGE = 2;

/** The same for all who want the same, as many of them as they may want. */
export function needKey(filters: Filters): string {
	return JSON.stringify(filters);
}

/** Each once, by its key, with the highest limit of all who want the same. */
export function mergeNeeds(needs: Need[]): Map<string, Need> {
	const merged = new Map<string, Need>();
	for (const need of needs) {
		const key = needKey(need.filters);
		const limit = Math.max(need.limit, merged.get(key)?.limit ?? 0);
		merged.set(key, { ...need, limit });
	}
	return merged;
}

/** Whether the list of all costs less than what many want of it one by one, as far as tiny pages tell. */
export async function isWorthReadingAll(source: Source, needs: Need[], pageSize = PEEK_SIZE): Promise<boolean> {
	if (needs.some(walksThroughAll)) return true;
	const page = await peek(source, NO_FILTERS, Math.min(PEEK_SIZE, pageSize));
	const rows = page.clients.length;
	const total = page.totalCount ?? 0;
	const isTold = total > rows;
	// Where pages are that small, each place where two meet is looked at once more.
	const clientsPerRequest = isTold && rows < PEEK_SIZE ? rows / 2 : CLIENTS_PER_REQUEST;
	const requestsForAll = (isTold ? total : USUAL_TOTAL) / clientsPerRequest;
	const requestsFor = ({ filters, limit }: Need) =>
		REQUESTS_FOR_FEW + (filters.clientEmail || limit < Infinity ? 0 : USUAL_SHARE * requestsForAll);
	if (needs.reduce((requests, need) => requests + requestsFor(need), 0) > requestsForAll) return true;
	const minds = await Promise.all(kindsOf(needs).map(async (filters) => await isMinded(source, filters)));
	return minds.includes(false);
}

/** Nothing the service is asked for makes the list shorter, and any of its clients may be wanted. */
function walksThroughAll({ filters, limit }: Need): boolean {
	return Object.keys(toQuery(filters)).length === 0 && (limit === Infinity || needsSearch(filters));
}

/** Of those who filter by the same fields, one. */
function kindsOf(needs: Need[]): Filters[] {
	return [...new Map(needs.map(({ filters }) => [Object.keys(toQuery(filters)).join(), filters])).values()];
}

/** A service that does not mind a filter would give the list of all to each who asks with it. */
async function isMinded(source: Source, filters: Filters): Promise<boolean> {
	// What is wrong with the filters of one is told to that one, who asks again.
	const page = await peek(source, filters, TINY_PAGE).catch(() => undefined);
	return page?.clients.every(matcherFor(filters)) ?? true;
}

async function peek(source: Source, filters: Filters, size: number): Promise<Page> {
	return await fetchSinglePage(source, toQuery(filters), 1, size);
}
