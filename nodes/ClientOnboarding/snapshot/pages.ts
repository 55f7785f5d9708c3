import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { isClientError } from '../service/answer';
import { clientKey } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Page } from '../service/response';
import type { PageAnswer } from '../service/retrying';
import type { PageRead, Seen } from './judgement';
import { PageJudge } from './judgement';
import { NumberedPages } from './numbering';
import { Pace } from './pace';
import { PageQueue } from './queue';

/** Sizes to fall back to where the service refuses a page size or takes too long for it. */
const SMALLER_SIZES = [1000, 100, 50, 25, 10];
/** How services answer for a page size they do not grant. */
const NO_SUCH_SIZE = [400, 422];
/** How they answer for a page that is not there; anything else means that, too, unless the total speaks of more. */
const NO_SUCH_PAGE = [200, 204, 400, 404, 410, 416, 422];
/** And for a list that is not there, or not in this way. */
const NO_LIST = ['200', '204', '400', '404', '410', '416', '422'];
/** So often in a reading is a page asked for again that is empty although clients are due on it. */
const MOST_SECOND_LOOKS = 6;

/** Fewer rows may stand in the same order by chance. */
const FEWEST_TELLING_ROWS = 5;

const NO_PAGE: Page = { clients: [] };

const NOBODY: Seen = { paged: 0, isPaged: () => false };

/** Reads the pages of one list in their order, and learns on the way how large they come and where they end. */
export class PageReader {
	/** The service gives no larger pages than this. */
	private largestSize = Infinity;

	/** Clients have come. */
	private isInhabited = false;

	private secondLooks = MOST_SECOND_LOOKS;

	private readonly judgement = new PageJudge();

	private readonly pages: NumberedPages;

	private readonly pace: Pace;

	constructor(ask: AskForPage, query: IDataObject, parallelRequests: number) {
		this.pace = new Pace(parallelRequests);
		this.pages = new NumberedPages(ask, query, this.pace);
	}

	/** So many rows can be expected to come quickly in one page. */
	get quickRows(): number {
		return this.pace.quickRows;
	}

	/** The first page alone, as large as the service grants up to `wantedSize`. */
	async readFirst(wantedSize: number): Promise<PageRead> {
		const { value } = await this.read(wantedSize, 1, NOBODY).next();
		return value as PageRead;
	}

	/**
	 * The pages in order, several under way at once, as large as the service grants up to `wantedSize`; the first one is not
	 * asked for where it is `known` in that size. `wantedRows` bounds what is asked for ahead; past it, reading goes on page
	 * by page, then faster, until the list or the caller ends it. The caller adds every page to what was `seen` before it
	 * takes the next. Ends without a last page where pages of this size turn out too slow.
	 */
	async *read(wantedSize: number, wantedRows: number, seen: Seen, known?: PageRead): AsyncGenerator<PageRead> {
		const size = Math.min(wantedSize, this.largestSize);
		const isKnown = size === known?.size;
		this.judgement.restart(isKnown ? known.page.clients.length : 0);
		this.secondLooks = MOST_SECOND_LOOKS;
		const queue = new PageQueue(async (...page) => await this.pages.askFor(...page), this.pace, size, isKnown ? 1 : 0);
		try {
			queue.planUpTo(pagesFor(wantedRows, size));
			const first = isKnown ? known : await this.takeFirst(queue, seen);
			if (first) {
				yield* this.readOn(queue, first, wantedRows, seen);
				return;
			}
		} finally {
			queue.stop();
		}
		yield* this.read(wantedSize, wantedRows, seen, known);
	}

	/** Undefined where smaller pages have to be asked for. */
	private async takeFirst(queue: PageQueue, seen: Seen): Promise<PageRead | undefined> {
		const answer = await this.takeNext(queue, 1, this.isInhabited);
		if (answer.kind !== 'page') {
			this.stepDown(answer, queue.size);
			return undefined;
		}
		const smaller = smallerThan(queue.size);
		if (isWithheld(answer.page) && smaller !== undefined) {
			this.largestSize = smaller;
			return undefined;
		}
		return this.judge(answer.page, { number: 1, seen }, queue);
	}

	/** The first page and those that follow it. */
	private async *readOn(queue: PageQueue, first: PageRead, wantedRows: number, seen: Seen): AsyncGenerator<PageRead> {
		let current = first;
		queue.size = first.size;
		if (!first.isLast) queue.planUpTo(pagesFor(wantedRows, first.size));
		yield first;
		for (let number = 2, growth = 1; !current.isLast; number++) {
			if (queue.isDone) {
				queue.planMore(growth);
				growth *= 2;
			}
			const answer = await this.takeNext(queue, number, (number - 1) * current.pageRows < (first.page.totalCount ?? 0));
			if (answer.kind === 'tooSlow') {
				this.largestSize = smallerThan(queue.size) as number;
				return;
			}
			const isMoreTold = seen.paged < (first.page.totalCount ?? 0);
			if (answer.kind === 'refused' && !meansNoPage(answer.status, isMoreTold)) throw answer.error;
			const page = answer.kind === 'page' ? answer.page : NO_PAGE;
			const isRefused = answer.kind === 'refused';
			current = { ...this.judge(page, { number, seen, first: first.page }, queue), isRefused };
			yield current;
		}
	}

	/** A backend that fails now and then may answer with nothing where clients are due. */
	private async takeNext(queue: PageQueue, number: number, isDue: boolean): Promise<PageAnswer> {
		let answer = await queue.next();
		for (; isDue && isGap(answer, number) && this.secondLooks > 0; this.secondLooks--) {
			answer = await this.pages.askFor(number, queue.size);
		}
		this.isInhabited ||= answer.kind === 'page' && answer.page.clients.length > 0;
		return answer;
	}

	/**
	 * Whether the number of a page makes no difference: two pages tell that are smaller than the first one, of so many rows.
	 * Where the service gives no smaller pages, or too few rows to be sure, nobody can tell.
	 */
	async ignoresNumbers(rows: number): Promise<boolean> {
		const size = Math.ceil(rows / 2);
		if (!this.pages.isFirstOnly || size < FEWEST_TELLING_ROWS) return false;
		const [first, second] = [await this.readAt(1, size), await this.readAt(2, size)];
		return first.clients.length < rows && haveSameRows(first, second);
	}

	/** One page on its own; empty where there is no such page. There always is a first one. */
	async readAt(number: number, size: number, stop?: AbortSignal): Promise<Page> {
		const answer = await this.pages.askFor(number, size, stop);
		if (answer.kind === 'page') return this.judgement.withoutWrongEcho(answer.page);
		if (number === 1 || answer.kind === 'tooSlow' || !meansNoPage(answer.status)) throw answer.error;
		return NO_PAGE;
	}

	private judge(page: Page, place: { number: number; seen: Seen; first?: Page }, { size }: PageQueue): PageRead {
		const read = this.judgement.judge(page, { ...place, askedSize: size });
		if (read.size < size) this.largestSize = read.size;
		return { ...read, isRefused: false };
	}

	/** Throws where a smaller page would not help. */
	private stepDown(answer: Exclude<PageAnswer, { kind: 'page' }>, size: number): void {
		const smaller = smallerThan(size);
		const isAboutSize = answer.kind === 'tooSlow' || NO_SUCH_SIZE.includes(answer.status);
		if (!isAboutSize || smaller === undefined) throw answer.error;
		this.largestSize = smaller;
	}
}

/** Some services know no page, not even a first one, of a filtered list without rows, or refuse a filter. Undefined then; for `catch`. */
export function toMissingList(error: NodeApiError): undefined {
	if (NO_LIST.includes(String(error.httpCode))) return undefined;
	throw error;
}

/** A first page that speaks of clients and gives none may be too large for the service. */
function isWithheld({ clients, totalCount = 0 }: Page): boolean {
	return clients.length === 0 && totalCount > 0;
}

function isGap(answer: PageAnswer, number: number): boolean {
	if (answer.kind !== 'page' || answer.page.clients.length > 0) return false;
	return number > 1 || !isWithheld(answer.page);
}

function haveSameRows(one: Page, other: Page): boolean {
	const [keys, others] = [one, other].map(({ clients }) => clients.map(clientKey).join('\n'));
	return keys === others;
}

function pagesFor(rows: number, size: number): number {
	return Number.isFinite(rows) ? Math.ceil(rows / size) : 1;
}

function smallerThan(size: number): number | undefined {
	return SMALLER_SIZES.find((candidate) => candidate < size);
}

/** Services have many ways to say that there is no page of this number. */
function meansNoPage(status: number, isMoreTold = false): boolean {
	return NO_SUCH_PAGE.includes(status) || (isClientError(status) && !isMoreTold);
}
