import { describe } from '@jest/globals';
import type { Behavior } from '../../../sandbox/endpoints/behavior.mts';
import { randomly } from '../randomly.mts';
import { plansFor } from './plan.mts';
import { TriggerRun } from './triggerRun.mts';

/** Random trigger runs on lists in each of these orders. */
export function testTriggerRuns(orders: Array<Behavior['order']>): void {
	describe.each(orders)('Random trigger runs on a list in the order "%s"', (order) => {
		randomly('emit every change once', {
			draw: plansFor(order),
			runs: { quick: 6, deep: 180, long: 1_250 },
			block: 60,
			check: async (plan) => await new TriggerRun(plan).run(),
		});
	});
}
