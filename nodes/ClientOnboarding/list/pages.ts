import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { clientKey } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Page } from '../service/response';
import type { PageAnswer } from '../service/retrying';
import { NumberedPages, withoutRows } from './numbering';
import { Pace } from './pace';
import { PageQueue } from './queue';

/** Sizes to fall back to where the service refuses a page size or takes too long for it. */
const SMALLER_SIZES = [1000, 100, 50, 25, 10];
/** How services answer for a page size they do not grant, and for a page that does not exist. */
const NO_SUCH_SIZE = [400, 422];
const NO_SUCH_PAGE = [400, 404, 422];
/** So few rows may come twice in a row by chance, where the order is another on every request. */
const FEW_ROWS = 3;

export interface PageRead {
	page: Page;
	/** How many rows a full page has, as far as the service lets on. */
	size: number;
	isFull: boolean;
	/** No row comes after this page. */
	isLast: boolean;
	/** It held just the rows of the page before, which may be chance. */
	isRepeat?: boolean;
}

/** Reads the pages of one list in their order, and learns on the way how large they come and where they end. */
export class PageReader {
	/** Pages of up to this size do come full. */
	private provenSize = 0;

	/** The service gives no larger pages than this. */
	private largestSize = Infinity;

	private readonly pages: NumberedPages;

	private readonly pace: Pace;

	constructor(ask: AskForPage, query: IDataObject, parallelRequests: number) {
		this.pace = new Pace(parallelRequests);
		this.pages = new NumberedPages(ask, query, this.pace);
	}

	/** The first page alone, as large as the service grants up to `wantedSize`. */
	async readFirst(wantedSize: number): Promise<PageRead> {
		const { value } = await this.read(wantedSize, 1).next();
		return value as PageRead;
	}

	/**
	 * The pages in order, several under way at once, as large as the service grants up to `wantedSize`; the first one is not
	 * asked for where it is `known` in that size. `wantedRows` bounds what is asked for ahead; past it, reading goes on page
	 * by page, then faster, until the list or the caller ends it. Ends without a last page where pages of this size turn
	 * out too slow.
	 */
	async *read(wantedSize: number, wantedRows: number, known?: PageRead): AsyncGenerator<PageRead> {
		const size = Math.min(wantedSize, this.largestSize);
		const isKnown = size === known?.size;
		const queue = new PageQueue(async (...page) => await this.pages.askFor(...page), this.pace, size, isKnown ? 1 : 0);
		try {
			queue.planUpTo(pagesFor(wantedRows, size));
			const first = isKnown ? known : await this.takeFirst(queue);
			if (first) {
				yield* this.readOn(queue, first, wantedRows);
				return;
			}
		} finally {
			queue.stop();
		}
		yield* this.read(wantedSize, wantedRows, known);
	}

	/** Undefined where smaller pages have to be asked for. */
	private async takeFirst(queue: PageQueue): Promise<PageRead | undefined> {
		const answer = await queue.next();
		if (answer.kind !== 'page') {
			this.stepDown(answer, queue.size);
			return undefined;
		}
		return this.judge(answer.page, queue.size, 0);
	}

	/** The first page and those that follow it. */
	private async *readOn(queue: PageQueue, first: PageRead, wantedRows: number): AsyncGenerator<PageRead> {
		let current = first;
		let rows = first.page.clients.length;
		queue.size = first.size;
		if (!first.isLast) queue.planUpTo(pagesFor(wantedRows, first.size));
		yield first;
		for (let growth = 1; !current.isLast; ) {
			if (queue.isDone) {
				queue.planMore(growth);
				growth *= 2;
			}
			const answer = await queue.next();
			if (answer.kind === 'tooSlow') {
				this.largestSize = smallerThan(queue.size) as number;
				return;
			}
			const came = answer.kind === 'page' ? answer.page : noSuchPage(answer);
			// Some services answer a page beyond the last with the last page once more.
			const isSame = hasSameClients(came, current.page);
			const isRepeat = isSame && came.pageNumber !== undefined && came.clients.length <= FEW_ROWS;
			const page = isSame ? withoutRows(came) : came;
			current = { ...this.judge(page, queue.size, rows), isRepeat };
			queue.size = current.size;
			rows += page.clients.length;
			yield current;
		}
	}

	/** One page on its own; empty where there is no such page. There always is a first one. */
	async readAt(number: number, size: number): Promise<Page> {
		const answer = await this.pages.askFor(number, size);
		if (answer.kind === 'page') return answer.page;
		if (number === 1) throw answer.error;
		return noSuchPage(answer);
	}

	/** Throws where a smaller page would not help. */
	private stepDown(answer: Exclude<PageAnswer, { kind: 'page' }>, size: number): void {
		const smaller = smallerThan(size);
		const isAboutSize = answer.kind === 'tooSlow' || NO_SUCH_SIZE.includes(answer.status);
		if (!isAboutSize || smaller === undefined) throw answer.error;
		this.largestSize = smaller;
	}

	/** What a page says about the size that is granted and about the end of the list. Rows decide; totals are a hint. */
	private judge(page: Page, askedSize: number, rowsBefore: number): PageRead {
		const rows = page.clients.length;
		const granted = Math.min(askedSize, page.pageLimit ?? askedSize);
		if (granted < askedSize) this.largestSize = granted;

		const isFull = rows >= granted;
		// A short page ends the list where pages of its size are known to come full, or where the total agrees.
		const isShortEnd = !isFull && (granted <= this.provenSize || page.totalCount === rowsBefore + rows);
		if (rows === 0 || isShortEnd) return { page, size: granted, isFull, isLast: true };
		this.provenSize = Math.max(this.provenSize, rows);
		return { page, size: rows, isFull, isLast: false };
	}
}

/** Some services know no page, not even a first one, of a filtered list without rows. Undefined then; for `catch`. */
export function toMissingList(error: NodeApiError): undefined {
	if (error.httpCode === '404') return undefined;
	throw error;
}

function pagesFor(rows: number, size: number): number {
	return Number.isFinite(rows) ? Math.ceil(rows / size) : 1;
}

function smallerThan(size: number): number | undefined {
	return SMALLER_SIZES.find((candidate) => candidate < size);
}

function noSuchPage(answer: Exclude<PageAnswer, { kind: 'page' }>): Page {
	if (answer.kind === 'tooSlow' || !NO_SUCH_PAGE.includes(answer.status)) throw answer.error;
	return { clients: [] };
}

function hasSameClients(a: Page, b: Page): boolean {
	return (
		a.clients.length === b.clients.length &&
		a.clients.every((client, index) => clientKey(client) === clientKey(b.clients[index]))
	);
}
