import { it } from '@jest/globals';
import fc from 'fast-check';
import { byDepth } from '../support/depth.mts';

/** Another RANDOM_SEED draws other cases. `npm run test:long` has another one every day. */
const { RANDOM_SEED = '1', RANDOM_RUN } = process.env;
/** Every block of cases has a seed of its own. */
const SEEDS = 10_000;
let nextSeed = Number(RANDOM_SEED) * SEEDS;
const PATIENCE_MS = 90 * 60_000;
const CASE_PATIENCE_MS = 240_000;
/** The longest time to spend on a simpler case that fails, too. */
const SHRINKING_MS = 60_000;

interface Options<T> {
	draw: fc.Arbitrary<T>;
	/** How many cases, by depth. */
	runs: Parameters<typeof byDepth<number>>[0];
	/** How many cases run one after the other. Blocks run at the same time. */
	block: number;
	/** Rejects if the product does not do what it promises. */
	check: (drawn: T) => Promise<void>;
}

/** Tests random cases, or the one that RANDOM_RUN names as seed/path. */
export function randomly<T>(name: string, { draw, runs, block, check }: Options<T>): void {
	const [onlySeed, path] = RANDOM_RUN?.split('/') ?? [];
	const count = byDepth(runs);
	const size = Math.min(block, count);
	const seeds = Array.from({ length: Math.ceil(count / size) }, () => nextSeed++);
	it.concurrent.each(onlySeed ? [Number(onlySeed)] : seeds)(
		`${name} (${size} cases of seed %i)`,
		async (seed) => {
			const failure = await findFailure(draw, check, { seed, path, numRuns: size });
			if (!failure) return;
			const repeat = `To repeat it: RANDOM_RUN=${seed}/${failure.path} npx jest test/randomized -t '${name}'`;
			throw new Error([failure.message, failure.drawn, repeat].join('\n\n'));
		},
		PATIENCE_MS,
	);
}

/** Checks random cases until one fails, and then searches for the simplest that still does. */
async function findFailure<T>(
	draw: fc.Arbitrary<T>,
	check: (drawn: T) => Promise<void>,
	search: { seed: number; path?: string; numRuns: number },
): Promise<{ message: string; drawn: string; path: string } | undefined> {
	let shrinkingEndsMs = Infinity;
	const property = fc.asyncProperty(draw, async (drawn) => {
		if (Date.now() > shrinkingEndsMs) return;
		await check(drawn).catch((error: Error) => {
			shrinkingEndsMs = Math.min(shrinkingEndsMs, Date.now() + SHRINKING_MS);
			throw error;
		});
	});
	const { failed, errorInstance, counterexample, counterexamplePath } = await fc.check(property, {
		...search,
		timeout: CASE_PATIENCE_MS,
		endOnFailure: search.path !== undefined,
	});
	if (!failed) return undefined;
	const { message } = errorInstance as Error;
	return { message, drawn: fc.stringify(counterexample?.[0]), path: counterexamplePath ?? '' };
}
