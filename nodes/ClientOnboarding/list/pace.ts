/** Whoever answers within this time is in no trouble; below it, differences are chance. */
const UNHURRIED_MS = 250;
/**
 * Where answers take more than twice as long as they have to, requests wait for each other, and half as many get as much
 * done. Three leaves room for chance.
 */
const SLOW_FACTOR = 3;
/** One slow answer is chance. */
const SLOW_IN_A_ROW = 3;

/** How many requests may be under way at once: fewer where the service is asked too much, never more than the user allows. */
export class Pace {
	private allowed: number;

	private falls = 0;

	private slowInARow = 0;

	private rows = 0;

	/** How long a page of so many rows has to take. */
	private quickestMs = Infinity;

	constructor(private readonly most: number) {
		this.allowed = most;
	}

	get parallelRequests(): number {
		return Math.floor(this.allowed);
	}

	/** To be called before a page is asked for; what it returns, when the page has come with so many rows. */
	start(): (rows: number, answer: { tookMs: number; wasOverloaded: boolean }) => void {
		const fallsBefore = this.falls;
		const isAlone = this.parallelRequests === 1;
		return (rows, { tookMs, wasOverloaded }) => {
			// A request that waited for no other tells anew how long a page takes.
			const isMeasure = isAlone || rows !== this.rows;
			this.quickestMs = isMeasure ? tookMs : Math.min(tookMs, this.quickestMs);
			this.rows = rows;
			const isSlow = tookMs > UNHURRIED_MS && tookMs > SLOW_FACTOR * this.quickestMs;
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
