import type { Client } from '../service/client';
import type { Page } from '../service/response';

/** So many rows may be hidden in a row, whatever the total says. */
const MOST_HIDDEN_ROWS = 20;
/** So many pages with hardly anybody new end a list in any case. */
const MOST_STALE_PAGES = 40;

/** A page, and what it says about the list. */
export interface PageRead {
	page: Page;
	number: number;
	/** The size of pages to ask for. */
	size: number;
	/** How many rows a full page has, as far as the service lets on. */
	pageRows: number;
	isFull: boolean;
	/** No row comes after this page. */
	isLast: boolean;
	/** This page and those before it have room for all that the total speaks of. */
	coversTotal: boolean;
	/** The service said that there is no such page, instead of giving an empty one. */
	isRefused: boolean;
}

/** The clients that came on the pages before. */
export interface Seen {
	readonly paged: number;
	isPaged(client: Client): boolean;
}

interface Place {
	number: number;
	askedSize: number;
	seen: Seen;
	/** The first page of the list; undefined for that page itself. */
	first?: Page;
}

/** Learns from the pages of a list how large they are and where it ends. Rows decide; totals are a hint. */
export class PageJudge {
	private barrenPages = 0;

	private stalePages = 0;

	/** The most rows of any page of this reading. */
	private mostRows = 0;

	/** Rows have shown that pages have another size than the service says. */
	private isEchoWrong = false;

	/** The list is read anew; so many rows of its first page are known. */
	restart(firstRows: number): void {
		this.mostRows = firstRows;
		this.barrenPages = 0;
		this.stalePages = 0;
	}

	judge(page: Page, { number, askedSize, seen, first = page }: Place): Omit<PageRead, 'isRefused'> {
		const rows = page.clients.length;
		const newRows = page.clients.filter((client) => !seen.isPaged(client)).length;
		const found = seen.paged + newRows;
		const isBarren = newRows === 0;
		const isLikeFirst = number === 2 && !isBarren && rows === first.clients.length;
		const limit = this.readEcho(page.pageLimit ?? first.pageLimit, rows, isLikeFirst);
		const size = Math.min(askedSize, limit ?? askedSize);
		const told = page.totalCount ?? first.totalCount ?? 0;
		// Without a word about its size, a page may be full unless another one had more rows.
		const isFull = rows >= (limit === undefined ? this.mostRows : size);
		this.mostRows = Math.max(this.mostRows, rows);
		this.barrenPages = isBarren ? this.barrenPages + 1 : 0;
		this.stalePages = newRows <= rows / 2 ? this.stalePages + 1 : 0;
		const isStale = this.stalePages === MOST_STALE_PAGES;
		// A service may give more rows than were asked for.
		const granted = limit !== undefined && this.mostRows > size ? limit : size;
		const pageRows = limit === undefined ? this.mostRows || size : granted;
		const coversTotal = number * pageRows >= told;
		const read = { page, number, size, pageRows, isFull, coversTotal };
		// A short page may be one whose other rows are hidden. It ends the list where the total agrees.
		const isMoreTold = Number(page.totalPages ?? first.totalPages) > number;
		if (!isBarren) return { ...read, isLast: isStale || (!isFull && told === found && !isMoreTold) };
		const isLooked = this.barrenPages * pageRows >= MOST_HIDDEN_ROWS && coversTotal && !isMoreTold;
		const mayGoOn = (found !== told || told === 0) && !isLooked;
		return { ...read, isLast: isStale || !mayGoOn };
	}

	/** The page without what it says of its size, where that is known to be wrong. */
	withoutWrongEcho(page: Page): Page {
		return this.isEchoWrong ? { ...page, pageLimit: undefined } : page;
	}

	/** The size that pages are said to have, unless there are more rows, or the first two pages are as short as each other. */
	private readEcho(limit: number | undefined, rows: number, isLikeFirst: boolean): number | undefined {
		this.isEchoWrong ||= limit !== undefined && (rows > limit || (isLikeFirst && rows < limit));
		return this.isEchoWrong ? undefined : limit;
	}
}
