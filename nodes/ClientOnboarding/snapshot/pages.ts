import type { IDataObject } from 'n8n-workflow';
import type { Page } from '../service/response';
import type { PageAnswer } from '../service/retrying';
import { isAboutSize, isGap, isWithheld, meansNoPage } from './absence';
import type { PageRead, Seen } from './judgement';
import { PageJudge } from './judgement';
import { NumberedPages } from './numbering';
import type { Pace } from './pace';
import { PageQueue } from './queue';
import { GrantedSize, SMALL_SIZE } from './sizes';
import type { Source } from './source';

/** So often in a reading is a page asked for again that is empty although clients are due on it. */
const MOST_SECOND_LOOKS = 6;

const NO_PAGE: Page = { clients: [] };

const NOBODY: Seen = { paged: 0, isPaged: () => false };

/** Reads the pages of one list in their order, and learns on the way how large they come and where they end. */
export class PageReader {
	private readonly granted = new GrantedSize();

	/** Clients have come. */
	private isInhabited = false;

	private secondLooks = MOST_SECOND_LOOKS;

	private readonly judgement = new PageJudge();

	private readonly pages: NumberedPages;

	private readonly pace: Pace;

	constructor(source: Source, query: IDataObject) {
		this.pace = source.pace;
		this.pages = new NumberedPages(source, query);
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
	 * takes the next. Ends without a last page where pages of this size turn out too large.
	 */
	async *read(wantedSize: number, wantedRows: number, seen: Seen, known?: PageRead): AsyncGenerator<PageRead> {
		const size = this.granted.upTo(wantedSize);
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
			// What refuses a page of a list that has given clients may mean its size, in whatever way it puts that.
			if ((this.isInhabited || isAboutSize(answer)) && this.granted.stepDown(queue.size)) return undefined;
			throw answer.error;
		}
		if (isWithheld(answer.page) && this.granted.stepDown(queue.size)) return undefined;
		const isEmpty = answer.page.clients.length === 0;
		const page = isEmpty ? await this.confirmEmpty(answer.page, queue.size) : answer.page;
		if (!page) return undefined;
		this.isInhabited ||= page.clients.length > 0;
		return this.judge(page, { number: 1, seen }, queue);
	}

	/** The page to believe: an empty one where a small page is empty, too. Undefined where only smaller pages come. */
	private async confirmEmpty(page: Page, size: number): Promise<Page | undefined> {
		const small = await this.pages.askForSmall(Math.min(size, SMALL_SIZE));
		if (small.kind !== 'page' || isGap(small, 1)) return page;
		if (size <= SMALL_SIZE || small.page.clients.length === 0) return small.page;
		const again = await this.pages.askFor(1, size);
		if (again.kind === 'page' && again.page.clients.length > 0) return again.page;
		this.granted.stepDown(size);
		return undefined;
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
			if (answer.kind === 'tooLarge') {
				if (this.granted.stepDown(queue.size)) return;
				throw answer.error;
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

	/** Whether each page is the first one again, which has so many rows. */
	async ignoresNumbers(rows: number): Promise<boolean> {
		return await this.pages.ignoreNumbers(rows);
	}

	/** One page on its own; empty where there is no such page. There always is a first one, which may have to be smaller. */
	async readAt(number: number, size: number, stop?: AbortSignal): Promise<Page> {
		const answer = await this.pages.askFor(number, size, stop);
		if (answer.kind === 'page') return this.judgement.withoutWrongEcho(answer.page);
		if (number === 1 && answer.kind === 'tooLarge' && this.granted.stepDown(size)) {
			return await this.readAt(number, this.granted.upTo(size), stop);
		}
		if (number === 1 || answer.kind === 'tooLarge' || !meansNoPage(answer.status)) throw answer.error;
		return NO_PAGE;
	}

	private judge(page: Page, place: { number: number; seen: Seen; first?: Page }, { size }: PageQueue): PageRead {
		const read = this.judgement.judge(page, { ...place, askedSize: size });
		if (read.size < size) this.granted.note(read.size);
		return { ...read, isRefused: false };
	}
}

function pagesFor(rows: number, size: number): number {
	return Number.isFinite(rows) ? Math.ceil(rows / size) : 1;
}
