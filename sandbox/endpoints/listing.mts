import type { Client, Clients } from '../data/clients.mts';
import { sample } from '../data/randomness.mts';
import type { Behavior } from './behavior.mts';
import { refuse, Refusal, respondNoContent, showNotFound, succeed, type Answer } from './envelope.mts';
import type { ListQuery } from './query.mts';
import { isVisible, serveRecord, serveInvented } from './records.mts';
import { countVisible, selectRows } from './selection.mts';

const SUCCESS = 'Clients listed successfully.';
// Any page_limit may be granted, so a page of made-up clients needs a limit.
const MOST_INVENTED = 10_000;

interface Cut {
	start: number;
	end: number;
}

function arrangePage(rows: Uint32Array, { start, end }: Cut, order: Behavior['order'], draw: number): number[] {
	const count = end - start;
	// With a new order on every request, any page is a random sample of the list.
	if (order === 'shuffled') {
		return sample(rows.length, count, draw).map((position) => rows[position]);
	}
	if (order !== 'created-descending') return Array.from(rows.subarray(start, end));
	return Array.from({ length: count }, (_, offset) => rows[rows.length - 1 - start - offset]);
}

function writeTotals(count: number, rows: number, limit: number, totals: Behavior['totals']): object {
	if (totals === 'absent') return {};
	if (totals === 'zero') return { total_count: 0, total_pages: 0 };
	if (totals === 'of-page') return { total_count: rows, total_pages: 1 };
	const reported = totals === 'too-high' ? count + 37 : totals === 'too-low' ? Math.floor(count / 2) : count;
	const pages = Math.ceil(reported / limit);
	return totals === 'strings'
		? { total_count: String(reported), total_pages: String(pages) }
		: { total_count: reported, total_pages: pages };
}

function writePageLimit({ limit, askedLimit }: ListQuery, value: Behavior['pageLimitEcho']): object {
	if (value === 'absent') return {};
	return { page_limit: { right: limit, asked: askedLimit, 'always-ten': 10 }[value] };
}

function inventClients(clients: Clients, behavior: Behavior, rows: Uint32Array, { page, limit }: ListQuery): Client[] {
	const start = (page - 1) * limit;
	return Array.from({ length: Math.min(limit, MOST_INVENTED) }, (_, offset) => {
		const index = start + offset;
		const like = rows.length === 0 ? undefined : rows[index % rows.length];
		return serveInvented(clients, index, like, behavior);
	});
}

type EmptyValue = Behavior['beyondLast'] | Behavior['emptyList'];

/** The response without a page to an empty list or page, if the setting asks for one. */
function respondEmpty(value: EmptyValue, message: string): Answer | undefined {
	if (/^4\d\d$/.test(value)) return refuse(new Refusal(Number(value), message));
	if (value === '204') return respondNoContent();
	if (value === 'bare-404') return showNotFound();
	if (value === 'data-null') return succeed(SUCCESS, null);
	return undefined;
}

function findPage(asked: number, lastPage: number, { beyondLast }: Behavior): number {
	if (asked <= lastPage) return asked;
	return beyondLast === 'first-page' ? 1 : beyondLast === 'last-page' ? lastPage : asked;
}

/** `draw` numbers the request, for the order that is different on every one. */
export function listClients(clients: Clients, behavior: Behavior, query: ListQuery, draw: number): Answer {
	const { limit } = query;
	const rows = selectRows(clients, behavior, query);
	const count = countVisible(clients, behavior, rows);
	const lastPage = Math.max(1, Math.ceil(rows.length / limit));
	const page = findPage(query.page, lastPage, behavior);
	const isEmpty = page === 1 && count === 0;
	const value: EmptyValue = query.isTooLarge
		? 'page'
		: page > lastPage
			? behavior.beyondLast
			: isEmpty
				? behavior.emptyList
				: 'page';

	const writeResults = () => {
		if (query.isTooLarge) return [];
		if (value === 'results-null') return null;
		if (value === 'more-rows') return inventClients(clients, behavior, rows, query);
		const start = Math.min((page - 1) * limit, rows.length);
		const end = Math.min(start + limit, rows.length);
		const pageRows = arrangePage(rows, { start, end }, behavior.order, draw);
		const shown = pageRows.filter((row) => isVisible(clients, row, behavior));
		return shown.map((row) => serveRecord(clients, row, behavior));
	};
	const writePage = () => {
		const results = writeResults();
		return {
			page_number: page,
			...writePageLimit(query, behavior.pageLimitEcho),
			...writeTotals(count, results?.length ?? 0, limit, behavior.totals),
			results,
		};
	};
	const message = isEmpty ? 'There are no such clients.' : `Page ${page} does not exist.`;
	return respondEmpty(value, message) ?? succeed(SUCCESS, writePage());
}
