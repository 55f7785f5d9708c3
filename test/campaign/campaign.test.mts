import { expect, it } from '@jest/globals';
import { AXES, AXIS_NAMES } from '../../sandbox/endpoints/dialect.mts';
import { Random } from '../support/random.mts';
import { coverPairs } from './cases/cover.mts';
import { PATIENCE_MS, runProgram } from './program.mts';

it(
	'every pair of readings with every operation, changed answers and hostile services break no promise',
	async () => {
		const { isGood, output } = await runProgram('run.mjs', '--minutes', '0', '--seed', '1', '--jobs', '1');
		expect(isGood ? '' : output).toBe('');
		expect(output).toMatch(/^all .* 0$/m);
	},
	PATIENCE_MS,
);

it('the dialects that are drawn cover every pair of readings', () => {
	const dialects = coverPairs(new Random(1));
	for (const a of AXIS_NAMES) {
		for (const b of AXIS_NAMES.filter((other) => other !== a)) {
			const met = new Set(dialects.map((dialect) => `${dialect[a]} ${dialect[b]}`));
			expect(met.size).toBe(AXES[a].readings.length * AXES[b].readings.length);
		}
	}
});
