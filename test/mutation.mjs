// Changes one expression after the other in the modules that only compute, and sees that a test of the module fails.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

const NODE = 'nodes/ClientOnboarding';
const FOLDER = 'build/mutation';
const LEAST_PERCENT = 85;
/** Each with the tests that answer for it. */
const MODULES = {
	'query/filters.ts': 'query/filters.test.ts',
	'parameters/timeZone.ts': 'parameters/timeZone.test.ts',
	'api/classify.ts': 'api/classify.test.ts',
	'api/retry.ts': 'api/retry.test.mts',
	'api/timestamp.ts': 'api/record.test.ts',
	'pagination/completeness.ts': 'pagination/completeness.test.ts',
	'trigger/state/codec.ts': 'trigger/state/codec.test.mts',
};

/**
 * Ends the process with status 1, once all is done, where too many mutants survive.
 * @param {string} module
 * @param {string} tests
 */
async function mutate(module, tests) {
	console.log(`\n${module}`);
	const mutants = await new Stryker({
		mutate: [`${NODE}/${module}`],
		testRunner: 'jest',
		coverageAnalysis: 'perTest',
		jest: {
			configFile: 'jest.config.js',
			// They run hundreds of times, and need no n8n.
			config: {
				testMatch: [`<rootDir>/test/${NODE}/${tests}`],
				testEnvironment: 'node',
				transformIgnorePatterns: ['/node_modules/'],
				setupFilesAfterEnv: [],
			},
			enableFindRelatedTests: false,
		},
		// A loop without an end is told by its turns. By the clock, a busy machine would count as a test that fails.
		timeoutMS: 60_000,
		ignorePatterns: ['/build', '/dist'],
		// Not in this project, so that lint never meets a copy that a run left behind.
		tempDirName: join(tmpdir(), 'client-onboarding-mutation'),
		logLevel: 'warn',
		warnings: { slow: false },
		reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'clear-text', 'html'],
		clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
		htmlReporter: { fileName: `${FOLDER}/${module.replace(/\W+/g, '.')}.html` },
		thresholds: { high: 100, low: LEAST_PERCENT, break: LEAST_PERCENT },
	}).runMutationTest();
	const killed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
	return { module, mutants: mutants.length, killed, 'score (%)': Math.floor((1000 * killed) / mutants.length) / 10 };
}

const [part = ''] = process.argv.slice(2);
const chosen = Object.entries(MODULES).filter(([module]) => module.includes(part));
const scores = [];
for (const [module, tests] of chosen) scores.push(await mutate(module, tests));
console.table(scores);
