import type { IDataObject } from 'n8n-workflow';
import type { PageRequest, PageResult } from '../api/apiClient';
import { PageBudget } from '../api/apiClient';
import type { Page } from '../api/response';
import type { PageNumberParam } from './pageNumberParam';
import { otherParam, repeatsPage } from './pageNumberParam';
import { FIRST_PAGE_SIZE, grantedSize, nextSmallerSize, triesForSize } from './pageSize';
import type { Source } from './source';

const NO_PAGE: Page = { clients: [] };
/** Pages to request ahead for each parallel request, so that one slow page does not hold up the others. */
const PAGES_AHEAD = 2;

export interface NumberedPage extends Page {
	number: number;
	/** How many rows a full page has. */
	granted: number;
}

/**
 * The pages of a list in order, several in flight, until the service has no more. They are as large as the service grants, up
 * to `size`. If a later page turns out too large, the list starts again with page 1 in smaller pages.
 */
export async function* paginate(
	source: Source,
	query: IDataObject,
	size: number,
	known?: NumberedPage,
): AsyncGenerator<NumberedPage> {
	for (let first = known; ; first = undefined) {
		first ??= await fetchFirstPage(source, query, size);
		yield first;
		const end = yield* laterPages(source, query, first);
		if (end === 'endOfList') return;
	}
}

/** Page 1, under the parameter name and in the size that the service accepts. Empty if it says that there is no list. */
export async function fetchFirstPage(source: Source, query: IDataObject, size: number): Promise<NumberedPage> {
	const { learned } = source;
	const budget = new PageBudget();
	let requested = Math.min(size, learned.largestPage);
	for (let isReduced = false; ; isReduced = true) {
		const maxTries = triesForSize(requested, isReduced);
		const result = await fetchUnderEitherName(source, query, requested, { maxTries, budget });
		if (result.action === 'endOfList') return { ...NO_PAGE, number: 1, granted: requested };
		const page = result.action === 'page' ? result.page : undefined;
		const isEmptyDespiteTotal = page?.clients.length === 0 && page.totalCount !== undefined;
		const smaller = page && !isEmptyDespiteTotal ? undefined : nextSmallerSize(requested);
		if (smaller === undefined) {
			if (result.action !== 'page') throw result.error;
			const granted = grantedSize(result.page, requested);
			// A small page that is not full does not show how large a page may be.
			const isCapped = granted < requested && requested >= FIRST_PAGE_SIZE;
			if (result.page.clients.length > 0 && (isReduced || isCapped)) learned.largestPage = granted;
			return { ...result.page, number: 1, granted };
		}
		requested = smaller;
	}
}

/** One page with room for more, and as many rows as the total. A full page does not count as the whole list, even if it has as many rows as the total. */
export function isWholeList({ clients, granted, totalCount = Infinity }: NumberedPage): boolean {
	return clients.length < granted && clients.length >= totalCount;
}

/** One page on its own; empty if there is no such page. */
export async function fetchSinglePage(
	source: Source,
	query: IDataObject,
	number: number,
	size: number,
): Promise<NumberedPage> {
	if (number === 1) return await fetchFirstPage(source, query, size);
	const result = await fetchNumbered(source, query, number, size);
	if (result.action === 'endOfList') return { ...NO_PAGE, number, granted: size };
	if (result.action === 'page') return { ...result.page, number, granted: grantedSize(result.page, size) };
	throw result.error;
}

async function* laterPages(
	source: Source,
	query: IDataObject,
	first: NumberedPage,
): AsyncGenerator<NumberedPage, 'endOfList' | 'tooLarge'> {
	const { learned } = source;
	const { granted, totalCount } = first;
	const expectedPages = Math.ceil((totalCount ?? 0) / granted);
	let received = first.clients.length;
	const rows = () => (received >= (totalCount ?? Infinity) ? 'asMany' : 'short');
	const fetch = async (number: number, controller: AbortController) =>
		await fetchNumbered(source, query, number, granted, { rows, controller });
	const prefetchFrom = (number: number) =>
		new Prefetch(fetch, number, expectedPages, PAGES_AHEAD * source.client.limiter.limit);
	let pages = prefetchFrom(2);
	try {
		for (let number = 2; ; number++) {
			let result = await pages.next();
			if (number === 2 && result.action === 'page' && rows() === 'short' && repeatsPage(first, result.page)) {
				const other = await tryOtherParam(source, query, first);
				if (other) {
					result = other;
					pages.stop();
					pages = prefetchFrom(3);
				}
			}
			if (result.action === 'endOfList') return result.action;
			if (result.action !== 'page') {
				const smaller = nextSmallerSize(granted);
				if (smaller === undefined) throw result.error;
				learned.largestPage = smaller;
				return 'tooLarge';
			}
			const { page } = result;
			received += page.clients.length;
			yield { ...page, number, granted };
		}
	} finally {
		pages.stop();
	}
}

/** Page 2 under the other name, unless it is page 1 again or there is none. */
async function tryOtherParam(source: Source, query: IDataObject, first: NumberedPage): Promise<PageResult | undefined> {
	const param = otherParam(source.learned.param);
	const result = await fetchNumbered(source, query, 2, first.granted, { param });
	// A failure says nothing about the name.
	if (result.action === 'reducePageSize') return result;
	const isOtherPage = result.action === 'page' && result.page.clients.length > 0 && !repeatsPage(first, result.page);
	if (!isOtherPage) return undefined;
	source.learned.param = param;
	return result;
}

/** Until a page was returned, a refusal may be about the name of the parameter. */
async function fetchUnderEitherName(
	source: Source,
	query: IDataObject,
	size: number,
	options: Pick<PageRequest, 'maxTries' | 'budget'>,
): Promise<PageResult> {
	const { learned } = source;
	const result = await fetchNumbered(source, query, 1, size, options);
	if (result.action === 'page') source.hasReturnedPage = true;
	if (result.action !== 'otherParameter' || source.hasReturnedPage) return result;
	const param = otherParam(learned.param);
	const second = await fetchNumbered(source, query, 1, size, { ...options, param });
	if (second.action === 'otherParameter') return result;
	learned.param = param;
	source.hasReturnedPage = second.action === 'page';
	return second;
}

async function fetchNumbered(
	{ client, learned }: Source,
	query: IDataObject,
	number: number,
	size: number,
	{ param = learned.param, ...options }: Partial<PageRequest> & { param?: PageNumberParam } = {},
): Promise<PageResult> {
	return await client.fetchPage({
		query: { ...query, [param]: number, page_limit: size },
		page: number === 1 ? 'first' : 'later',
		maxTries: triesForSize(size, false),
		...options,
	});
}

/** Requests pages ahead and returns them in order. */
class Prefetch {
	private readonly inFlight: Array<{ result: Promise<PageResult>; controller: AbortController }> = [];

	constructor(
		private readonly fetch: (number: number, controller: AbortController) => Promise<PageResult>,
		private number: number,
		/** No page beyond it is requested ahead. */
		private readonly last: number,
		private readonly ahead: number,
	) {}

	async next(): Promise<PageResult> {
		while (this.inFlight.length === 0 || (this.inFlight.length < this.ahead && this.number <= this.last)) {
			const controller = new AbortController();
			const result = this.fetch(this.number++, controller);
			// It is awaited in its turn; until then a rejection must not count as unhandled.
			result.catch(() => {});
			this.inFlight.push({ result, controller });
		}
		const { result } = this.inFlight[0];
		return await result.finally(() => this.inFlight.shift());
	}

	stop(): void {
		for (const { controller } of this.inFlight) controller.abort();
	}
}
