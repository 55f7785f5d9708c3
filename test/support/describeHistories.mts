import { describe, it } from '@jest/globals';
import type { Dialect } from '../../sandbox/endpoints/dialect.mts';
import { History } from './history.mts';
import { Random } from './random.mts';

const BLOCK = 65;
const PATIENCE_MS = 300_000;
const TOTALS = ['numbers', 'strings', 'zero', 'absent', 'too-high', 'too-low'] as const;

/** Lives through `count` histories for each order, or through the one whose number stands in HISTORY. */
export function describeHistories(orders: Array<Dialect['order']>, count: number): void {
	describe.each(orders)('Of a random history of a list in the order "%s", every change is told once', (order) => {
		const only = process.env.HISTORY;
		const blocks = only
			? [[Number(only)]]
			: Array.from({ length: count / BLOCK }, (_, block) =>
					Array.from({ length: BLOCK }, (__, index) => block * BLOCK + index),
				);
		it.each(blocks.map((seeds) => [seeds[0], seeds.at(-1), seeds] as const))(
			'(histories %i to %i)',
			async (_, __, seeds) => {
				for (const seed of seeds) {
					const totals = new Random(seed).one(TOTALS);
					await new History(seed, { dialect: { order, totals } }).run().catch((error: Error) => {
						error.message = `History ${seed} of order "${order}" fails. To see it again: HISTORY=${seed} npx jest histories\n${error.message}`;
						throw error;
					});
				}
			},
			PATIENCE_MS,
		);
	});
}
