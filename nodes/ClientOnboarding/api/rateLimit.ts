import type { ConcurrencyLimiter } from './concurrencyLimiter';
import { pause, retryDelayMs } from './retry';
import type { RunSignal } from './runSignal';

const MAX_WAIT_WITHOUT_A_PAGE_MS = 120_000;

/** After a 429 all requests of a run pause together, and go on with fewer at once. */
export class RateLimit {
	private pausing?: Promise<boolean>;

	private pauses = 0;

	/** Summed from the delays: a clock would count slow responses, too. */
	private waitedMs = 0;

	constructor(
		private readonly limiter: ConcurrencyLimiter,
		private readonly runSignal: RunSignal,
	) {}

	/** Waits until no pause is running. */
	async passed(): Promise<void> {
		while (this.pausing) await this.pausing;
	}

	/** False if the run has to give up. */
	async wait(retryAfterMs: number | undefined): Promise<boolean> {
		this.pausing ??= this.pause(retryAfterMs).finally(() => (this.pausing = undefined));
		return await this.pausing;
	}

	noteWorkingPage(): void {
		this.pauses = 0;
		this.waitedMs = 0;
	}

	private async pause(retryAfterMs: number | undefined): Promise<boolean> {
		this.pauses += 1;
		const delayMs = retryDelayMs(this.pauses, retryAfterMs);
		this.waitedMs += delayMs;
		if (this.waitedMs > MAX_WAIT_WITHOUT_A_PAGE_MS) return false;
		this.limiter.halve();
		await this.runSignal.during(async (signal) => await pause(delayMs, signal));
		return !this.runSignal.aborted;
	}
}
