import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname } from 'node:path';
import { pauses } from '../../support/haste.mts';

const file = require.resolve('@n8n/utils/sleep', { paths: [dirname(require.resolve('n8n-workflow'))] });
const sleeping = require(file) as { sleep: (ms: number) => Promise<void> };
const { sleep } = sleeping;
const realNow = Date.now;
const clocks = new AsyncLocalStorage<Clock>();

/** The clock of one case. It runs faster during pauses of the package, which are shortened. */
export class Clock {
	private skippedMs = 0;

	private pauses = 0;

	private sinceMs = 0;

	now(): number {
		return realNow() + this.skippedMs + (this.pauses > 0 ? this.aheadMs() : 0);
	}

	/** The package sees this time too, for dates in response headers. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		return await clocks.run(this, work);
	}

	async pause(ms: number): Promise<void> {
		if (this.pauses === 0) this.sinceMs = realNow();
		this.pauses += 1;
		await sleep(ms);
		this.pauses -= 1;
		if (this.pauses === 0) this.skippedMs += this.aheadMs();
	}

	private aheadMs(): number {
		return (realNow() - this.sinceMs) * (pauses.divisor - 1);
	}
}

sleeping.sleep = async (ms) => await (clocks.getStore()?.pause(ms) ?? sleep(ms));
Date.now = () => clocks.getStore()?.now() ?? realNow();
