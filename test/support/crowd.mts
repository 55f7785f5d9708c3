import { setTimeout as wait } from 'node:timers/promises';

const LONGEST_WAIT_MS = 10_000;
/** Long enough for one request too many to be seen. */
const STAY_MS = 100;

/** Counts how many requests are pending at the same time, and holds them until there are as many as expected. */
export class Crowd {
	most = 0;

	private pending = 0;

	private release = () => {};

	private readonly released = new Promise<void>((resolve) => {
		this.release = resolve;
	});

	constructor(private readonly expected: number) {}

	/** Awaited by each request before its response. */
	async join(): Promise<void> {
		this.most = Math.max(this.most, ++this.pending);
		if (this.pending >= this.expected) this.release();
		await Promise.race([this.released, wait(LONGEST_WAIT_MS, undefined, { ref: false })]);
		await wait(STAY_MS);
		this.pending -= 1;
	}
}
