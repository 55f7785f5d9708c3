import type { Client, Clients } from '../data/clients.mts';
import { sample } from '../data/randomness.mts';
import type { Behavior } from './behavior.mts';
import { refuse, Refusal, sayNothing, showNotFound, succeed, type Answer } from './envelope.mts';
import type { ListQuery } from './query.mts';
import { isVisible, serveRecord, serveStranger } from './records.mts';
import { countVisible, selectRows } from './selection.mts';

const SUCCESS = 'Clients listed successfully.';
// Where any page_limit is granted, a page of made-up clients has to end somewhere.
const MOST_STRANGERS = 10_000;

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
	const told = totals === 'too-high' ? count + 37 : totals === 'too-low' ? Math.floor(count / 2) : count;
	const pages = Math.ceil(told / limit);
	return totals === 'strings'
		? { total_count: String(told), total_pages: String(pages) }
		: { total_count: told, total_pages: pages };
}

function writePageLimit({ limit, askedLimit }: ListQuery, value: Behavior['pageLimitEcho']): object {
	if (value === 'absent') return {};
	return { page_limit: { right: limit, asked: askedLimit, 'always-ten': 10 }[value] };
}

function inventStrangers(
	clients: Clients,
	behavior: Behavior,
	rows: Uint32Array,
	{ page, limit }: ListQuery,
): Client[] {
	const start = (page - 1) * limit;
	return Array.from({ length: Math.min(limit, MOST_STRANGERS) }, (_, offset) => {
		const index = start + offset;
		const like = rows.length === 0 ? undefined : rows[index % rows.length];
		return serveStranger(clients, index, like, behavior);
	});
}

type Nothing = Behavior['beyondLast'] | Behavior['emptyList'];

/** Says that there is nothing, where that takes no page; `complaint` is for those who refuse. */
function answerNothing(value: Nothing, complaint: string): Answer | undefined {
	if (/^4\d\d$/.test(value)) return refuse(new Refusal(Number(value), complaint));
	if (value === '204') return sayNothing();
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
	const value: Nothing = query.isTooLarge
		? 'page'
		: page > lastPage
			? behavior.beyondLast
			: isEmpty
				? behavior.emptyList
				: 'page';

	const writeResults = () => {
		if (query.isTooLarge) return [];
		if (value === 'results-null') return null;
		if (value === 'more-rows') return inventStrangers(clients, behavior, rows, query);
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
	const complaint = isEmpty ? 'There are no such clients.' : `Page ${page} does not exist.`;
	return answerNothing(value, complaint) ?? succeed(SUCCESS, writePage());
}
