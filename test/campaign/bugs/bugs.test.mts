import { expect, it } from '@jest/globals';
import { isQuick } from '../../support/depth.mts';
import { PATIENCE_MS, runProgram } from '../program.mts';

/** A page, a message, an event. */
const FEW = ['drops a page', 'shows the token in a message', 'loses an event'];

it(
	`the campaign catches ${isQuick ? 'a few planted bugs' : 'every planted bug'}`,
	async () => {
		const { isGood, output } = await runProgram('bugs/plant.js', ...(isQuick ? FEW : []));
		expect(isGood ? '' : output).toBe('');
		const [, caught, planted] = /^(\d+) of (\d+) planted bugs are caught$/m.exec(output) ?? [];
		expect(caught).toBe(planted);
		if (isQuick) expect(Number(planted)).toBe(FEW.length);
		else expect(Number(planted)).toBeGreaterThanOrEqual(39);
	},
	PATIENCE_MS,
);
