import { dirname } from 'node:path';

type Sleep = (ms: number) => Promise<void>;

// The package pauses with n8n-workflow's `sleep`, which is a re-export of this one.
const file = require.resolve('@n8n/utils/sleep', { paths: [dirname(require.resolve('n8n-workflow'))] });
const sleeping = require(file) as { sleep: Sleep; realSleep?: Sleep };
// Packages are loaded once for all test files of a worker.
sleeping.realSleep ??= sleeping.sleep;
const { realSleep } = sleeping;

/** Pauses last as long as in production, divided by this. `skippedMs` is the sum of what was left out. */
export const pauses = { divisor: 10, skippedMs: 0 };

sleeping.sleep = async (ms) => {
	pauses.skippedMs += ms - ms / pauses.divisor;
	await realSleep(ms / pauses.divisor);
};
