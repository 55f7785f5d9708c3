import type { Behavior } from '../../../sandbox/endpoints/behavior.mts';
import { randomly } from '../randomly.mts';
import { plansFor } from './plan.mts';
import { TriggerRun } from './triggerRun.mts';

/** Random trigger runs on lists in each of these orders. */
export function testTriggerRuns(orders: Array<Behavior['order']>): void {
	for (const order of orders) {
		randomly(`The trigger emits every change once on a list in the order "${order}"`, {
			draw: plansFor(order),
			runs: { quick: 12, deep: 120, long: 1_250 },
			block: 60,
			check: async (plan) => await new TriggerRun(plan).run(),
		});
	}
}
