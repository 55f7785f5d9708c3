// Plain JavaScript without dependencies until the package is installed and compiled: it runs right after git clone.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { N8N_VERSIONS } from '../tools/n8n/versions.mjs';
import { runCommand } from '../tools/process/command.mjs';
import { end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { demandPlatform, prepareProject } from '../tools/project/prepare.mjs';
import { Failure, report } from '../tools/terminal/failure.mjs';
import { declareFlags } from '../tools/terminal/flags.mjs';
import { showProgress } from '../tools/terminal/progress.mjs';

/** The first one has no window of its own, so the tests take less time with it. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const findBrowser = () => BROWSERS.find((file) => existsSync(file));
/** Not in parallel, since screenshots show the default ports. */
const PICTURED = ['--runInBand', 'browser', 'console', 'firstStart'];
const FLAGS = declareFlags({
	command: 'npm run e2e',
	purpose: 'Runs the packed package in real n8n servers, with a real browser.',
	flags: {
		n8n: {
			kind: 'text',
			label: 'x.y.z',
			takes: `a version such as ${N8N_VERSIONS[0]}`,
			pattern: /^\d+\.\d+\.\d+$/,
			help: `only this version of n8n instead of ${N8N_VERSIONS.join(' and ')}`,
		},
		queue: { kind: 'boolean', help: "n8n's queue mode: PostgreSQL, Redis, a main process and workers" },
		long: {
			kind: 'boolean',
			help: 'also run the slow tests: several days, and durable cursors through restarts; adds about 20 minutes per version',
		},
		screenshots: { kind: 'boolean', help: 'run only the browser tests and save their screenshots in docs/images' },
		name: { kind: 'text', short: 't', label: 'text', help: 'only tests with this in their name' },
	},
	note: 'Other arguments select test files. Arguments after a second -- are passed to Jest.',
	takesWords: true,
});

/** @param {string[]} words */
function readFlags(words) {
	const { n8n, queue, long, screenshots, name, words: others, help } = FLAGS.parse(words);
	const { N8N_VERSION } = process.env;
	const version = N8N_VERSION ? FLAGS.parse([`--n8n=${N8N_VERSION}`]).n8n : n8n;
	const versions = version ? [version] : N8N_VERSIONS;
	const jest = [...(name ? ['-t', name] : []), ...others, ...(screenshots ? PICTURED : [])];
	return { versions: screenshots ? versions.slice(0, 1) : versions, queue, long, screenshots, jest, help };
}

async function demandBrowser() {
	if (findBrowser()) return;
	// The last one has characters of other scripts.
	const packages = ['chromium-headless-shell', 'fonts-liberation', 'fonts-droid-fallback'];
	if (process.getuid?.() !== 0)
		throw new Failure(`The tests need a browser. Install it with: sudo apt-get install ${packages.join(' ')}`);
	const log = 'build/chromium.log';
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const explain = () => `Chromium could not be installed with apt-get. See ${log}`;
	await showProgress('Installing Chromium', async () => {
		await runCommand(['apt-get', 'update'], { log, env, explain });
		await runCommand(['apt-get', 'install', '--yes', '--no-install-recommends', ...packages], { log, env, explain });
	});
}

/** @typedef {typeof import('../tools/machinery.mts')} Machinery */

/**
 * @param {string} version
 * @param {string} tarball
 * @param {ReturnType<typeof readFlags>} flags
 * @param {Machinery} machinery
 */
async function runTests(version, tarball, { jest, queue, long, screenshots }, machinery) {
	const { atEnd, isEnding, startCommand } = machinery;
	const run = `${version}${queue ? '-queue' : ''}`;
	const [results, output] = [`build/e2e-${run}.json`, `build/e2e/${run}`];
	const folders = mkdtempSync(join(tmpdir(), 'n8n-e2e-'));
	for (const path of [results, output]) rmSync(path, { recursive: true, force: true });
	mkdirSync(output, { recursive: true });
	const forget = atEnd(async () => {
		// When jest is stopped, its n8n ends a moment later.
		await sleep(1_000);
		rmSync(folders, { recursive: true, force: true });
	});
	const config = `e2e/${queue ? 'queue/' : ''}jest.config.js`;
	const words = ['-c', config, '--json', `--outputFile=${results}`, ...jest];
	const { finished } = startCommand([process.execPath, 'node_modules/jest/bin/jest.js', ...words], {
		env: {
			...process.env,
			N8N_VERSION: version,
			E2E_TARBALL: tarball,
			E2E_FOLDERS: folders,
			E2E_OUTPUT: output,
			E2E_CHROMIUM: findBrowser(),
			E2E_LONG: long ? 'yes' : '',
			E2E_SCREENSHOTS: screenshots ? 'docs/images' : '',
		},
	});
	const isGood = await finished;
	if (isEnding() || !existsSync(results)) throw new Failure(`The tests for n8n ${version} did not finish.`);
	forget();
	rmSync(folders, { recursive: true, force: true });
	const { numPassedTests: passed, numTotalTests: total } = JSON.parse(readFileSync(results, 'utf8'));
	return { isGood, line: `n8n ${version}${queue ? ' in queue mode' : ''}: ${passed} of ${total} tests passed` };
}

/**
 * @param {ReturnType<typeof readFlags>} flags
 * @param {Machinery} machinery
 */
async function testAll(flags, machinery) {
	const { end, endOnSignals, isEnding, obtainN8n, obtainPrograms, packPackage } = machinery;
	endOnSignals(() => 130);
	try {
		if (flags.queue) await obtainPrograms();
		const tarball = await showProgress('Building and packing the package', packPackage);
		const outcomes = [];
		for (const version of flags.versions) {
			await obtainN8n(version);
			outcomes.push(await runTests(version, tarball, flags, machinery));
		}
		console.log(`\n${outcomes.map(({ line }) => line).join('\n')}`);
		await end(outcomes.every(({ isGood }) => isGood) ? 0 : 1);
	} catch (error) {
		await end(isEnding() ? 1 : report(error));
	}
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const disarm = endOnSignals(() => 130);
try {
	demandPlatform();
	const flags = readFlags(process.argv.slice(2));
	if (flags.help) {
		process.stdout.write(FLAGS.help);
		await end(0);
	}
	await prepareProject();
	await demandBrowser();
	disarm();
	await testAll(flags, await import('../build/tools/machinery.mjs'));
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
