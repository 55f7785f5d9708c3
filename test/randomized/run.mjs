import { createRequire } from 'node:module';
import { end, endOnSignals, isEnding } from '../../tools/process/lifetime.mjs';
import { Failure, report } from '../../tools/terminal/failure.mjs';
import { declareFlags } from '../../tools/terminal/flags.mjs';
import { showProgress } from '../../tools/terminal/progress.mjs';
import { Pool } from './pool/pool.mjs';

const require = createRequire(import.meta.url);
require('../support/load.js');
/** @type {typeof import('./cases/cases.mts')} */
const { formatCase, parseCase, simplerCases } = require('./cases/cases.mts');
/** @type {typeof import('./report.mts')} */
const { Report } = require('./report.mts');
/** @type {typeof import('./cases/schedule.mts')} */
const { chooseCases, PARTS } = require('./cases/schedule.mts');

const MAX_SHRUNK = 3;
const MAX_SHOWN = 20;
const SHRINKING_MS = 20_000;
const FLAGS = declareFlags({
	command: 'npm run test:random',
	purpose:
		'Draws random behaviors, faults, data and options, and reports each case in which the package breaks a promise.',
	flags: {
		cases: { kind: 'number', from: 0, to: 1_000_000, default: 1_000, help: 'how many random cases' },
		parallel: { kind: 'number', from: 1, to: 20, help: 'the option "Parallel Requests" of all cases' },
		seed: {
			kind: 'number',
			from: 0,
			to: 2 ** 31,
			default: Number(new Date().toISOString().slice(0, 10).replaceAll('-', '')),
			help: "another seed, other cases; today's date by default",
		},
		jobs: { kind: 'number', from: 1, to: 64, default: 2, help: 'processes' },
		only: {
			kind: 'text',
			label: 'what',
			takes: 'parts or one case, see --help',
			help: 'parts with commas between them, or one case as JSON, as it is printed for a broken promise',
		},
	},
	note: `Parts: ${PARTS.join(', ')}.`,
});

/**
 * @typedef {import('./cases/cases.mts').Case} Case
 * @typedef {import('./report.mts').Report} Findings
 * @typedef {ReturnType<typeof FLAGS.parse>} Flags
 */

/** @param {Flags} flags */
function* readCases({ only, seed, cases, parallel }) {
	if (only?.startsWith('{')) {
		yield parseCase(only);
		return;
	}
	const parts = PARTS.filter((part) => !only || only.split(',').includes(part));
	const unknown = only?.split(',').find((part) => !PARTS.some((known) => known === part));
	if (unknown !== undefined) throw new Failure(`There is no part "${unknown}". Choose from: ${PARTS.join(', ')}.`, 2);
	for (const testCase of chooseCases(seed, parts, cases)) {
		yield parallel ? { ...testCase, options: { ...testCase.options, parallelRequests: parallel } } : testCase;
	}
}

/**
 * @param {Pool} pool
 * @param {Iterator<Case>} cases
 * @param {Findings} findings
 * @param {(line: string) => void} show
 */
async function runAll(pool, cases, findings, show) {
	const work = async () => {
		for (let next = cases.next(); !next.done; next = cases.next()) {
			findings.add(next.value, await pool.run(next.value));
			show(findings.line());
		}
	};
	await Promise.all(Array.from({ length: pool.lanes }, work));
}

/**
 * The smallest case found in time that still breaks a promise.
 * @param {Pool} pool
 * @param {Case} testCase
 * @param {number} endMs
 * @returns {Promise<Case>}
 */
async function shrink(pool, testCase, endMs) {
	const simpler = simplerCases(testCase);
	for (let start = 0; start < simpler.length && Date.now() < endMs; start += pool.lanes) {
		const some = simpler.slice(start, start + pool.lanes);
		const outcomes = await Promise.all(some.map(async (each) => await pool.run(each)));
		const index = outcomes.findIndex(({ broken }) => broken.length > 0);
		if (index >= 0) return await shrink(pool, some[index], endMs);
	}
	return testCase;
}

/** @param {Flags} flags */
async function runRandomCases(flags) {
	const pool = new Pool(flags.jobs);
	const findings = new Report();
	const cases = readCases(flags);
	await showProgress(`Random cases of seed ${flags.seed}`, async (show) => await runAll(pool, cases, findings, show));
	const smaller = await showProgress('Searching for smaller cases', async () => {
		const isOneCase = flags.only?.startsWith('{');
		const shrunk = [];
		for (const { testCase } of isOneCase ? [] : findings.broken.slice(0, MAX_SHRUNK))
			shrunk.push(await shrink(pool, testCase, Date.now() + SHRINKING_MS));
		return shrunk;
	});
	await pool.close();
	for (const [index, { texts, testCase }] of findings.broken.slice(0, MAX_SHOWN).entries()) {
		console.log(`\n${texts.slice(0, 4).join('\n')}\n  npm run test:random -- --only '${formatCase(testCase)}'`);
		if (smaller[index]) console.log(`  smaller: '${formatCase(smaller[index])}'`);
	}
	for (const stray of pool.strays.slice(0, MAX_SHOWN)) console.log(`\n${stray}`);
	console.log(`\n${findings.table(pool.strays.length).join('\n')}`);
	return findings.broken.length + pool.strays.length === 0;
}

endOnSignals(() => 130);
try {
	const flags = FLAGS.parse(process.argv.slice(2));
	if (flags.help) {
		process.stdout.write(FLAGS.help);
		await end(0);
	}
	await end((await runRandomCases(flags)) ? 0 : 1);
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
