import { expect, it } from '@jest/globals';
import { AXES, AXIS_NAMES } from '../../sandbox/endpoints/dialect.mts';
import { isQuick, oneOf } from '../support/depth.mts';
import { Random } from '../support/random.mts';
import { formatCase } from './cases/cases.mts';
import { coverPairs } from './cases/cover.mts';
import { coverAll, PARTS } from './cases/schedule.mts';
import { runCase } from './pool/runCase.mts';
import { PATIENCE_MS, runProgram } from './program.mts';

const SEED = 7;

if (!isQuick) {
	it(
		'every pair of readings with every operation, changed answers and hostile services break no promise',
		async () => {
			const { isGood, output } = await runProgram('run.mjs', '--minutes', '0', '--seed', `${SEED}`, '--jobs', '1');
			expect(isGood ? '' : output).toBe('');
			expect(output).toMatch(/^all .* 0$/m);
		},
		PATIENCE_MS,
	);
} else {
	// Together the hostile services take minutes: they make a client wait.
	const quick = PARTS.filter((part) => part !== 'hostile');
	const fixed = [...coverAll(SEED, PARTS)];
	it.each(quick)(
		'a few of the fixed cases of "%s" break no promise',
		async (part) => {
			const broken: string[] = [];
			for (const testCase of oneOf(
				200,
				fixed.filter((each) => each.part === part),
			))
				broken.push(...(await runCase(testCase)).broken.map((text) => `${text}\n${formatCase(testCase)}`));
			expect(broken).toEqual([]);
		},
		PATIENCE_MS,
	);
}

it('the dialects that are drawn cover every pair of readings', () => {
	const dialects = coverPairs(new Random(1));
	for (const a of AXIS_NAMES) {
		for (const b of AXIS_NAMES.filter((other) => other !== a)) {
			const met = new Set(dialects.map((dialect) => `${dialect[a]} ${dialect[b]}`));
			expect(met.size).toBe(AXES[a].readings.length * AXES[b].readings.length);
		}
	}
});
