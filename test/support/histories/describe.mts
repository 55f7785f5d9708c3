import { describe, expect, it } from '@jest/globals';
import type { Dialect } from '../../../sandbox/endpoints/dialect.mts';
import { describeFailure, huntHistories } from './hunt.mts';

const BLOCK = process.env.DEEP ? 125 : 60;
const BLOCKS = process.env.DEEP ? 10 : 1;
const PATIENCE_MS = 600_000;

/** Lives through histories for each order, or looks again at the one that stands in HISTORY as seed/path. */
export function describeHistories(orders: Array<Dialect['order']>): void {
	const [onlySeed, path] = process.env.HISTORY?.split('/') ?? [];
	const seeds = onlySeed ? [Number(onlySeed)] : Array.from({ length: BLOCKS }, (_, block) => block + 1);
	describe.each(orders)('Of a random history of a list in the order "%s", every change is told once', (order) => {
		it.each(seeds)(
			`(${BLOCK} histories of seed %i)`,
			async (seed) => {
				const failure = await huntHistories({ service: { dialect: { order } }, seed, path, histories: BLOCK });
				const again = `To see it again: HISTORY=${seed}/${failure?.path} npx jest histories -t ${order}`;
				expect(failure && `${describeFailure(failure)}\n${again}`).toBeUndefined();
			},
			PATIENCE_MS,
		);
	});
}
