// Mutation tests of the pure modules: changes one expression at a time and checks that a test of the module fails.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

const NODE = 'nodes/ClientOnboarding';
const FOLDER = 'build/mutation';
const LEAST_PERCENT = 85;
/** Each module with its tests. */
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
 * At the end, the process exits with status 1 if too many mutants survive.
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
			// These tests run hundreds of times and do not need n8n.
			config: {
				testMatch: [`<rootDir>/test/${NODE}/${tests}`],
				testEnvironment: 'node',
				transformIgnorePatterns: ['/node_modules/'],
				setupFilesAfterEnv: [],
			},
			enableFindRelatedTests: false,
		},
		// Stryker detects endless loops by counting iterations. A short timeout would count a busy machine as a failing test.
		timeoutMS: 60_000,
		ignorePatterns: ['/build', '/dist'],
		// Outside of this project, so that lint does not find copies of an interrupted run.
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
