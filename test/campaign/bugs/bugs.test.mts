import { expect, it } from '@jest/globals';
import { PATIENCE_MS, runProgram } from '../program.mts';

const isDeep = Boolean(process.env.DEEP);
/** One of each kind: a page, a message, a filter, an event. */
const FEW = ['drops a page', 'shows the token in a message', 'minds upper and lower case', 'loses an event'];

it(
	`the campaign catches ${isDeep ? 'every planted bug' : 'a few planted bugs'}`,
	async () => {
		const { isGood, output } = await runProgram('bugs/plant.js', ...(isDeep ? [] : FEW));
		expect(isGood ? '' : output).toBe('');
		const [, caught, planted] = /^(\d+) of (\d+) planted bugs are caught$/m.exec(output) ?? [];
		expect(caught).toBe(planted);
		if (isDeep) expect(Number(planted)).toBeGreaterThanOrEqual(39);
		else expect(Number(planted)).toBe(FEW.length);
	},
	PATIENCE_MS,
);
