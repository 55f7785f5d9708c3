/** Whoever answers within this time is in no trouble; below it, differences are chance. */
const UNHURRIED_MS = 250;
/**
 * Where answers take more than twice as long as they have to, requests wait for each other, and half as many get as much
 * done. Three leaves room for chance.
 */
const SLOW_FACTOR = 3;
/** One slow answer is chance. */
const SLOW_IN_A_ROW = 3;
/** A page is as large as can be expected within this time. */
const QUICK_MS = 2_000;
/** Of the time a page of about a hundred rows takes, so much at most is taken to be for the rows themselves. */
const SHARE_OF_ROWS = 0.1;

/** How many requests may be under way at once: fewer where the service is asked too much, never more than the user allows. */
export class Pace {
	private allowed: number;

	private falls = 0;

	private slowInARow = 0;

	private last = { rows: 1, tookMs: Infinity };

	private underWay = 0;

	private readonly waiting: Array<() => void> = [];

	/** How long a page has to take, by the number of digits its number of rows has in the binary system. */
	private readonly quickestMs = new Map<number, number>();

	constructor(private readonly most: number) {
		this.allowed = most;
	}

	get parallelRequests(): number {
		return Math.floor(this.allowed);
	}

	/** How many rows can be expected to come quickly in one page, judged by the page that came last. */
	get quickRows(): number {
		const { rows, tookMs } = this.last;
		const rowMs = (SHARE_OF_ROWS * tookMs) / rows;
		return Math.max(rows, Math.floor((QUICK_MS - tookMs) / rowMs));
	}

	/** Does the work as soon as fewer requests are under way than may be, in the order of the calls. */
	async inTurn<T>(work: () => Promise<T>): Promise<T> {
		if (this.underWay >= this.parallelRequests) await new Promise<void>((resolve) => this.waiting.push(resolve));
		this.underWay += 1;
		try {
			return await work();
		} finally {
			this.underWay -= 1;
			for (let free = this.parallelRequests - this.underWay; free > 0; free--) this.waiting.shift()?.();
		}
	}

	/** To be called before a page is asked for; what it returns, when the page has come with so many rows. */
	start(): (rows: number, answer: { tookMs: number; wasOverloaded: boolean }) => void {
		const fallsBefore = this.falls;
		const isAlone = this.parallelRequests === 1;
		return (rows, { tookMs, wasOverloaded }) => {
			this.last = { rows: Math.max(1, rows), tookMs: Math.max(1, tookMs) };
			const kind = rows.toString(2).length;
			// A request that waited for no other tells anew how long a page takes.
			const quickestMs = isAlone ? tookMs : Math.min(tookMs, this.quickestMs.get(kind) ?? Infinity);
			this.quickestMs.set(kind, quickestMs);
			const isSlow = tookMs > UNHURRIED_MS && tookMs > SLOW_FACTOR * quickestMs;
			// Requests that were sent before the last fall say nothing about the pace since.
			if (this.falls > fallsBefore) return;
			this.slowInARow = isSlow ? this.slowInARow + 1 : 0;
			if (wasOverloaded || this.slowInARow === SLOW_IN_A_ROW) {
				this.falls += 1;
				this.slowInARow = 0;
				this.allowed = Math.max(1, Math.floor(this.allowed / 2));
			} else if (!isSlow) {
				this.allowed = Math.min(this.most, this.allowed + 1 / this.allowed);
			}
		};
	}
}
