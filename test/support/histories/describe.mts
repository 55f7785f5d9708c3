import { describe, expect, it } from '@jest/globals';
import type { Behavior } from '../../../sandbox/endpoints/behavior.mts';
import { byDepth } from '../depth.mts';
import { describeFailure, huntHistories } from './hunt.mts';

const BLOCK = byDepth({ quick: 6, deep: 60, long: 125 });
const BLOCKS = byDepth({ quick: 1, deep: 3, long: 10 });
const PATIENCE_MS = 600_000;
const ORDERS: Array<Behavior['order']> = ['created-ascending', 'created-descending', 'arbitrary', 'last-changed'];

/** Lives through histories for each order, or looks again at the one that stands in HISTORY as seed/path. */
export function describeHistories(orders: Array<Behavior['order']>): void {
	const [onlySeed, path] = process.env.HISTORY?.split('/') ?? [];
	const seedsFor = (order: Behavior['order']) => {
		const first = 1 + ORDERS.indexOf(order) * BLOCKS;
		return onlySeed ? [Number(onlySeed)] : Array.from({ length: BLOCKS }, (_, block) => first + block);
	};
	describe.each(orders)('Of a random history of a list in the order "%s", every change is emitted once', (order) => {
		// Most of a life is spent waiting for a service in trouble.
		it.concurrent.each(seedsFor(order))(
			`(${BLOCK} histories of seed %i)`,
			async (seed) => {
				const failure = await huntHistories({ service: { behavior: { order } }, seed, path, histories: BLOCK });
				const again = `To see it again: HISTORY=${seed}/${failure?.path} npx jest histories -t ${order}`;
				expect(failure && `${describeFailure(failure)}\n${again}`).toBeUndefined();
			},
			PATIENCE_MS,
		);
	});
}
