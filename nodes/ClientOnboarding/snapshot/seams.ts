import { clientKey } from '../service/client';
import type { Page } from '../service/response';
import type { PageRead } from './judgement';
import type { PageReader } from './pages';
import type { Round } from './round';

/** About so many rows are looked at where two pages meet. */
const USUAL_SIZE = 10;
const MOST_TRIES = 4;
/** So many rows of a page are remembered on each side, in case the seam has moved. */
const EDGE = 40;

/** `impossible`: no page that the service gives lies across the seam. `unordered`: rows stand in another order than before. */
export type Verdict = 'holds' | 'broken' | 'impossible' | 'unordered';

/** Where one page ends and the next begins, or the list. */
interface Seam {
	/** How many rows stand before it. */
	row: number;
	before: string[];
	after: string[];
}

/**
 * Looks once more at the seams of the pages of a list, and at its ends, with small pages that lie across them: while pages are
 * read one after the other, some may come and some may go, and who stood at a seam may be on neither page.
 */
export class SeamInspection {
	private readonly verdicts: Array<Promise<Verdict>> = [];

	private readonly stopping = new AbortController();

	private readonly sizes = new SeamSizes();

	private pages = 0;

	private first: string[] = [];

	private last: Omit<Seam, 'after'> = { row: 0, before: [] };

	constructor(
		private readonly reader: PageReader,
		private readonly round: Round,
	) {}

	/** To be called for each page in order, as soon as it has come and before it is added to the round. */
	add({ page: { clients }, pageRows }: PageRead): void {
		this.pages += 1;
		if (clients.every((client) => this.round.isPaged(client))) return;
		this.sizes.largest = pageRows;
		const row = (this.pages - 1) * this.sizes.largest;
		const after = clients.slice(0, EDGE).map(clientKey);
		if (this.last.before.length > 0) this.inspect({ row, before: this.last.before, after });
		else this.first = after;
		this.last = { row: row + clients.length, before: [...this.last.before, ...clients.map(clientKey)].slice(-EDGE) };
	}

	/** What the looks came to. Whom nobody had seen before is in the round then. */
	async end(): Promise<Verdict> {
		if (this.first.length === 0) return 'broken';
		this.inspect({ row: 0, before: [], after: this.first });
		this.inspect({ ...this.last, after: [] });
		const verdicts = await Promise.all(this.verdicts);
		return (['unordered', 'impossible', 'broken'] as const).find((bad) => verdicts.includes(bad)) ?? 'holds';
	}

	stop(): void {
		this.stopping.abort();
	}

	private inspect(seam: Seam): void {
		const verdict = this.judge(seam);
		// It is awaited at the end; until then a rejection must not count as unhandled.
		verdict.catch(() => {});
		this.verdicts.push(verdict);
	}

	/** A seam holds if one page joins rows from before it to rows from after it: whoever stands between them is on that page. */
	private async judge({ row, before, after }: Seam): Promise<Verdict> {
		const place = new Map([...before, ...after].map((key, index) => [key, index]));
		let seamRow = row;
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			const size = this.sizes.across(seamRow);
			if (size === undefined) return 'impossible';
			const number = Math.floor(seamRow / size) + 1;
			const page = await this.reader.readAt(number, size, this.stopping.signal);
			if (!this.sizes.isGranted(size, page)) continue;

			const isPaged = page.clients.map((client) => this.round.isPaged(client));
			this.round.take(page);
			const placed = page.clients.flatMap((client, index) => {
				const at = place.get(clientKey(client));
				return at === undefined ? [] : [{ index, at }];
			});
			if (placed.length === 0) return isPaged.includes(true) ? 'unordered' : 'broken';
			const [first, last] = [placed[0], placed[placed.length - 1]];
			const isStart = before.length === 0;
			const isEnd = after.length === 0;
			// A look may reach past the rows that were noted. Who came on a page and stands among them came from elsewhere.
			const among = isPaged.slice(isStart ? 0 : first.index, isEnd ? undefined : last.index + 1);
			if (among.filter(Boolean).length > placed.length || !isAscending(placed.map(({ at }) => at))) return 'unordered';
			const hasBefore = isStart || first.at < before.length;
			// Where the list ends, the look shows its end: nobody comes after the last one, or those who do leave room.
			const isEndSeen = isPaged[isPaged.length - 1] || page.clients.length < size;
			const hasAfter = isEnd ? isEndSeen : last.at >= before.length;
			if (hasBefore && hasAfter) return 'holds';
			// A placed row tells where the seam is now.
			seamRow = Math.max(0, (number - 1) * size + first.index + before.length - first.at);
		}
		return 'broken';
	}
}

/** The sizes of small pages that this service grants. */
class SeamSizes {
	largest = 0;

	private smallest = 2;

	/** A page of this size lies across the row, as evenly as can be. */
	across(row: number): number | undefined {
		const wanted = Math.max(this.smallest, Math.min(USUAL_SIZE, this.largest));
		if (row === 0) return Math.min(wanted, this.largest);
		let best = { size: undefined as number | undefined, margin: 0 };
		for (
			let size = Math.max(this.smallest, Math.ceil(wanted / 2));
			size <= Math.min(2 * wanted, this.largest);
			size++
		) {
			const margin = Math.min(row % size, size - (row % size));
			if (margin > best.margin) best = { size, margin };
		}
		return best.size;
	}

	/** Learns from a page that came in another size than was asked for. */
	isGranted(size: number, { clients, pageLimit = Math.max(size, clients.length) }: Page): boolean {
		if (pageLimit > size) this.smallest = pageLimit + 1;
		if (pageLimit < size) this.largest = pageLimit;
		return pageLimit === size;
	}
}

function isAscending(places: number[]): boolean {
	return places.every((place, index) => place >= (index === 0 ? 0 : places[index - 1] + 1));
}
