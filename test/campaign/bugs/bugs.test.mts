import { expect, it } from '@jest/globals';
import { PATIENCE_MS, runProgram } from '../program.mts';

it(
	'the campaign catches every planted bug',
	async () => {
		const { isGood, output } = await runProgram('bugs/plant.js');
		expect(isGood ? '' : output).toBe('');
		const [, caught, planted] = /^(\d+) of (\d+) planted bugs are caught$/m.exec(output) ?? [];
		expect(caught).toBe(planted);
		expect(Number(planted)).toBeGreaterThanOrEqual(12);
	},
	PATIENCE_MS,
);
