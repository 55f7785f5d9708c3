// Mutation tests: changes the product one expression at a time and checks that a test of the module fails.
// `npm run mutate` tests the pure modules, `-- --all` all of them, `-- poll` those with "poll" in their path.
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/**
 * Has the reports, and the results of earlier runs: only what has changed in a module or its tests runs again. A new test of a
 * constant, or a change of a module that is imported, does not count as such: delete the folder to run everything.
 */
const FOLDER = 'build/mutation';
const LEAST_PERCENT = 85;

/**
 * The modules whose tests need neither n8n nor a service, with the tests to run besides the one of the same name. The command
 * fails if too many mutants survive.
 * @type {Record<string, string[]>}
 */
const PURE = {
	'api/baseUrl': [],
	'api/classify': [],
	'api/networkError': [],
	'api/record': ['query/summarize'],
	'api/redact': [],
	'api/response': ['api/classify'],
	'api/retry': [],
	'api/runSignal': [],
	'api/timestamp': ['api/record'],
	'pagination/completeness': [],
	'pagination/pageNumberParam': ['pagination/readList'],
	'pagination/pageSize': [],
	'pagination/readList': [],
	'parameters/filtersAndOptions': ['query/filters'],
	'parameters/parsing': ['parameters/filtersAndOptions'],
	'parameters/pickFields': ['parameters/filtersAndOptions'],
	'parameters/timeZone': [],
	'parameters/value': [],
	'query/filters': [],
	'query/groupBy': ['query/summarize'],
	'query/noMatchHint': [],
	'query/report': [],
	'query/sort': [],
	'query/summarize': [],
	'trigger/buildEvents': [],
	'trigger/diff': [],
	'trigger/removals': [],
	'trigger/state/codec': [],
	'trigger/state/persistPolicy': [],
	'trigger/state/state': ['trigger/trackedClient'],
	'trigger/trackedClient': [],
};

/**
 * The other modules, likewise. Their tests run n8n's engine and a service, so they take a night, and their scores are only reported.
 * @type {Record<string, string[]>}
 */
const OTHERS = {
	'credentials/ClientOnboardingApi.credentials': [],
	'ClientOnboarding.node': ['ClientOnboarding'],
	'ClientOnboardingTrigger.node': ['ClientOnboardingTrigger'],
	'api/apiClient': ['operations/list.faults', 'operations/list.token', 'operations/list.tokenLives'],
	'api/concurrencyLimiter': ['operations/list.faults'],
	'api/connection': ['api/apiClient', 'operations/list.faults', 'operations/list.token', 'operations/list.tokenLives'],
	'api/credentials': ['operations/list.token', 'operations/list.tokenLives'],
	'api/errors': ['api/apiClient', 'operations/list.faults', 'operations/list.token', 'operations/list.tokenLives'],
	'api/http': ['operations/list.faults', 'operations/list.token', 'operations/list.tokenLives'],
	'api/rateLimit': ['operations/list.faults'],
	'api/requestToken': ['operations/list.token', 'operations/list.tokenLives'],
	'api/runToken': ['operations/list.token', 'operations/list.tokenLives'],
	'api/tokenCache': ['operations/list.token', 'operations/list.tokenLives'],
	'operations/count': ['operations/count.groupBy'],
	'operations/execute': ['operations/items', 'operations/list.input'],
	'operations/find': [],
	'operations/hints': ['operations/items', 'operations/list.tool', 'operations/onIncomplete'],
	'operations/index': ['ClientOnboarding'],
	'operations/list': ['operations/list.input', 'operations/list.limits'],
	'operations/listGroups': [],
	'operations/operation': ['ClientOnboarding'],
	'pagination/paginate': ['pagination/readList', 'pagination/requests', 'operations/list.limits'],
	'pagination/source': ['pagination/requests'],
	'parameters/emptyFilters': ['operations/list.input'],
	'parameters/groupSearch': [],
	'parameters/itemInput': ['operations/list.input', 'operations/list.tool'],
	'parameters/joinInput': ['operations/find'],
	'parameters/properties': ['ClientOnboarding'],
	'parameters/subtitle': [],
	previews: [],
	'query/batchReader': ['operations/items'],
	'query/countByTotals': ['operations/count'],
	'query/listClients': ['operations/list.filters'],
	'trigger/baseline': ['ClientOnboardingTrigger'],
	'trigger/config': ['ClientOnboardingTrigger'],
	'trigger/events': ['ClientOnboardingTrigger'],
	'trigger/manualRun': ['ClientOnboardingTrigger'],
	'trigger/newestFirst': [],
	'trigger/openService': ['ClientOnboardingTrigger', 'trigger/exceptions'],
	'trigger/outages': ['ClientOnboardingTrigger'],
	'trigger/poll': ['ClientOnboardingTrigger', 'trigger/exceptions'],
	'trigger/properties': ['ClientOnboardingTrigger'],
	'trigger/readForPoll': ['ClientOnboardingTrigger', 'trigger/newestFirst'],
	'trigger/sampleEvents': ['ClientOnboardingTrigger'],
};

/** @param {string} module */
const pathOf = (module) => (module.startsWith('credentials/') ? module : `nodes/ClientOnboarding/${module}`);

function refuseUnlisted() {
	const product = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
	);
	const listed = Object.keys({ ...PURE, ...OTHERS }).map((module) => `${pathOf(module)}.ts`);
	const unlisted = product.filter((file) => file.endsWith('.ts') && !listed.includes(file));
	const missing = listed.filter((file) => !existsSync(file));
	if (unlisted.length + missing.length > 0)
		throw new Error(`Correct the modules in test/mutation.mjs: ${[...unlisted, ...missing].join(', ')}`);
}

/**
 * At the end, the process exits with status 1 if too many mutants of a pure module survive.
 * @param {string} module
 */
async function mutate(module) {
	console.log(`\n${module}`);
	const isPure = module in PURE;
	const tests = [module, ...(PURE[module] ?? OTHERS[module])].map(
		(test) => `<rootDir>/test/${pathOf(test)}.test.{ts,mts}`,
	);
	const report = `${FOLDER}/${module.replace(/\W+/g, '.')}`;
	const mutants = await new Stryker({
		mutate: [`${pathOf(module)}.ts`],
		testRunner: 'jest',
		coverageAnalysis: 'perTest',
		incremental: true,
		incrementalFile: `${report}.json`,
		// Labels and descriptions, and slow to test: every mutant would need all tests.
		ignoreStatic: !isPure,
		jest: {
			configFile: 'jest.config.js',
			config: {
				testMatch: tests,
				// Stryker does not know <rootDir> here.
				testEnvironment: './test/support/realm.js',
				// These tests run hundreds of times, and have no secrets to look for.
				...(isPure && { setupFilesAfterEnv: [] }),
			},
			enableFindRelatedTests: false,
		},
		// For endless loops. A shorter timeout would count a busy machine as a failing test.
		timeoutMS: 20_000,
		ignorePatterns: ['/build', '/dist'],
		// Outside of this project, so that lint does not find copies of an interrupted run.
		tempDirName: join(tmpdir(), 'client-onboarding-mutation'),
		logLevel: 'warn',
		warnings: { slow: false },
		reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'clear-text', 'html'],
		clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
		htmlReporter: { fileName: `${report}.html` },
		thresholds: { high: 100, low: LEAST_PERCENT, break: isPure ? LEAST_PERCENT : null },
	}).runMutationTest();
	const count = (/** @type {string[]} */ ...statuses) =>
		mutants.filter(({ status }) => statuses.includes(status)).length;
	const killed = count('Killed', 'Timeout');
	const all = killed + count('Survived', 'NoCoverage');
	const score = all === 0 ? 100 : Math.floor((1000 * killed) / all) / 10;
	return { module, mutants: all, killed, 'score (%)': score, 'at least': isPure ? LEAST_PERCENT : undefined };
}

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
const [part = ''] = positionals;
refuseUnlisted();
const modules = Object.keys(values.all || part ? { ...PURE, ...OTHERS } : PURE).filter((module) =>
	module.includes(part),
);
const scores = [];
for (const module of modules) scores.push(await mutate(module));
console.table(scores);
