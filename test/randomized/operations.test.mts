import assert from 'node:assert/strict';
import { describe, it } from '@jest/globals';
import { isQuick } from '../support/depth.mts';
import { pauses } from '../support/haste.mts';
import { drawCases, filterCases, OPERATIONS, type Case } from './operations/cases.mts';
import { checkCredential } from './operations/checkCredential.mts';
import { checkOperation } from './operations/checkOperation.mts';
import { casesFor, coverPairs } from './operations/pairs.mts';
import { randomly } from './randomly.mts';

const PATIENCE_MS = 30 * 60_000;
const AT_ONCE = 5;

pauses.divisor = 100;

/** Rejects if clients, warnings, messages, number of requests, or what is left open are not as promised. */
async function check(testCase: Case): Promise<void> {
	const broken = await (testCase.operation === 'credential' ? checkCredential : checkOperation)(testCase);
	assert.deepEqual(broken, []);
}

describe('Every operation', () => {
	const behaviors = [...coverPairs().entries()];
	const lanes = Array.from({ length: AT_ONCE }, (_, lane) => lane);

	// `npm test` runs one of seven cases for each combination.
	it.concurrent.each(lanes)(
		'keeps its promises under each pair of behaviors (part %i)',
		async (lane) => {
			for (const [index, behavior] of behaviors.filter(([number]) => number % AT_ONCE === lane)) {
				const cases = casesFor(behavior, index);
				const chosen = isQuick ? [cases[index % cases.length]] : cases;
				for (const testCase of chosen)
					await check(testCase).catch((error: Error) => {
						throw new Error(`${error.message}\n${JSON.stringify(testCase)}`);
					});
			}
		},
		PATIENCE_MS,
	);
});

for (const operation of OPERATIONS) {
	randomly(`The operation "${operation}" keeps its promises with random behaviors, faults, tokens and options`, {
		draw: drawCases(operation),
		runs: { quick: 6, deep: 60, long: 800 },
		block: 100,
		check,
	});
}

randomly('Random filters return every client that matches and no other', {
	draw: filterCases,
	runs: { quick: 30, deep: 200, long: 2_000 },
	block: 100,
	check,
});
