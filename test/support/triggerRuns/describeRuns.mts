import { describe, expect, it } from '@jest/globals';
import type { Behavior } from '../../../sandbox/endpoints/behavior.mts';
import { byDepth } from '../depth.mts';
import { describeFailure, findFailingRun } from './findFailure.mts';

const BLOCK = byDepth({ quick: 6, deep: 60, long: 125 });
const BLOCKS = byDepth({ quick: 1, deep: 3, long: 10 });
const PATIENCE_MS = 600_000;
const ORDERS: Array<Behavior['order']> = ['created-ascending', 'created-descending', 'arbitrary', 'last-changed'];

/** Random trigger runs for each order, or only the one that RANDOM_RUN names as seed/path. */
export function describeRandomRuns(orders: Array<Behavior['order']>): void {
	const [onlySeed, path] = process.env.RANDOM_RUN?.split('/') ?? [];
	const seedsFor = (order: Behavior['order']) => {
		const first = 1 + ORDERS.indexOf(order) * BLOCKS;
		return onlySeed ? [Number(onlySeed)] : Array.from({ length: BLOCKS }, (_, block) => first + block);
	};
	describe.each(orders)('The trigger emits every change once in random runs on a list in the order "%s"', (order) => {
		// Most of a run is spent waiting for a service with a fault.
		it.concurrent.each(seedsFor(order))(
			`(${BLOCK} runs of seed %i)`,
			async (seed) => {
				const failure = await findFailingRun({ service: { behavior: { order } }, seed, path, runs: BLOCK });
				const again = `To repeat it: RANDOM_RUN=${seed}/${failure?.path} npx jest randomRuns -t ${order}`;
				expect(failure && `${describeFailure(failure)}\n${again}`).toBeUndefined();
			},
			PATIENCE_MS,
		);
	});
}
