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
const { coverAll, drawForever, PARTS } = require('./cases/schedule.mts');

const MOST_SHRUNK = 5;
const FLAGS = declareFlags({
	command: 'npm run campaign',
	purpose: 'Hunts for a combination of readings, faults, data and options under which the package breaks a promise.',
	flags: {
		minutes: {
			kind: 'number',
			from: 0,
			to: 10_000,
			default: 1,
			help: 'how long to go on drawing combinations after all pairs are covered',
		},
		seed: {
			kind: 'number',
			from: 0,
			to: 2 ** 31,
			default: Number(new Date().toISOString().slice(0, 10).replaceAll('-', '')),
			help: "another seed, other combinations; today's date by default",
		},
		jobs: { kind: 'number', from: 1, to: 64, default: 2, help: 'processes at work' },
		only: {
			kind: 'text',
			label: 'what',
			takes: 'parts or one case, see --help',
			help: 'parts with commas between them, or one case in braces, as a broken promise prints it',
		},
	},
	note: `Parts: ${PARTS.join(', ')}.`,
});

/**
 * @typedef {import('./cases/cases.mts').Case} Case
 * @typedef {import('./report.mts').Report} Findings
 * @typedef {ReturnType<typeof FLAGS.parse>} Flags
 */

/**
 * The cases in their order; what is drawn at random ends with the time.
 * @param {Flags} flags
 */
function* chooseCases({ only, seed, minutes }) {
	if (only?.startsWith('{')) {
		yield parseCase(only);
		return;
	}
	const parts = PARTS.filter((part) => !only || only.split(',').includes(part));
	const unknown = only?.split(',').find((part) => !PARTS.some((known) => known === part));
	if (unknown !== undefined) throw new Failure(`There is no part "${unknown}". Choose from: ${PARTS.join(', ')}.`, 2);
	const endMs = Date.now() + minutes * 60_000;
	yield* coverAll(seed, parts);
	for (const testCase of drawForever(seed, parts)) {
		if (Date.now() >= endMs) return;
		yield testCase;
	}
}

/**
 * @param {Pool} pool
 * @param {Iterator<Case>} cases
 * @param {Findings} findings
 * @param {(line: string) => void} tell
 */
async function runAll(pool, cases, findings, tell) {
	const work = async () => {
		for (let next = cases.next(); !next.done; next = cases.next()) {
			findings.add(next.value, await pool.run(next.value));
			tell(findings.line());
		}
	};
	await Promise.all(Array.from({ length: pool.lanes }, work));
}

/**
 * The smallest case that still breaks a promise.
 * @param {Pool} pool
 * @param {Case} testCase
 * @returns {Promise<Case>}
 */
async function shrink(pool, testCase) {
	for (const simpler of simplerCases(testCase)) {
		const { broken } = await pool.run(simpler);
		if (broken.length > 0) return await shrink(pool, simpler);
	}
	return testCase;
}

/** @param {Flags} flags */
async function hunt(flags) {
	const pool = new Pool(flags.jobs);
	const findings = new Report();
	const cases = chooseCases(flags);
	await showProgress(`Campaign with seed ${flags.seed}`, async (tell) => await runAll(pool, cases, findings, tell));
	const broken = findings.broken.slice(0, MOST_SHRUNK);
	for (const finding of broken.filter(() => !flags.only?.startsWith('{'))) {
		finding.testCase = await showProgress(
			'Looking for a smaller case',
			async () => await shrink(pool, finding.testCase),
		);
	}
	await pool.close();
	console.log(`\n${findings.table(pool.strays.length).join('\n')}`);
	for (const { texts, testCase } of broken) {
		console.log(`\n${texts.join('\n')}\n  npm run campaign -- --only '${formatCase(testCase)}'`);
	}
	for (const stray of pool.strays.slice(0, MOST_SHRUNK)) console.log(`\n${stray}`);
	return findings.broken.length + pool.strays.length === 0;
}

endOnSignals(() => 130);
try {
	const flags = FLAGS.parse(process.argv.slice(2));
	if (flags.help) {
		process.stdout.write(FLAGS.help);
		await end(0);
	}
	await end((await hunt(flags)) ? 0 : 1);
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
