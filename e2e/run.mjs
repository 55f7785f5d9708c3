// Plain JavaScript without dependencies until the package is installed and compiled: it runs right after git clone.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { N8N_VERSIONS } from '../tools/n8n/versions.mjs';
import { runCommand } from '../tools/process/command.mjs';
import { end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { demandPlatform, prepareProject } from '../tools/project/prepare.mjs';
import { Failure, report } from '../tools/terminal/failure.mjs';
import { showProgress } from '../tools/terminal/progress.mjs';

const CHROMIUM = '/usr/bin/chromium';
const HELP = `npm run e2e -- [flags]

Runs the packed package in real n8n servers, with a real browser.

  --n8n <x.y.z>   only this version of n8n (${N8N_VERSIONS.join(' and ')})
  --screenshots   only the browser's part, and put its pictures into docs/images
  --help          print this

Anything else is handed to jest, such as a file name or -t <text>.
`;

/** @param {string[]} words */
function parseFlags(words) {
	const rest = [...words];
	const flags = { versions: N8N_VERSIONS, screenshots: false, help: false, jest: /** @type {string[]} */ ([]) };
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		if (word === '--help') flags.help = true;
		else if (word === '--screenshots') flags.screenshots = true;
		else if (word === '--n8n') flags.versions = [readVersion(rest.shift())];
		else flags.jest.push(word);
	}
	if (process.env.N8N_VERSION) flags.versions = [readVersion(process.env.N8N_VERSION)];
	if (flags.screenshots) {
		flags.versions = flags.versions.slice(0, 1);
		flags.jest.push('browser');
	}
	return flags;
}

/** @param {string | undefined} text */
function readVersion(text = '') {
	if (/^\d+\.\d+\.\d+$/.test(text)) return text;
	throw new Failure(`--n8n takes a version such as ${N8N_VERSIONS[0]}, not "${text}".`, 2);
}

async function demandBrowser() {
	if (existsSync(CHROMIUM)) return;
	const packages = ['chromium', 'fonts-liberation'];
	if (process.getuid?.() !== 0) throw new Failure(`This needs a browser: sudo apt-get install ${packages.join(' ')}`);
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
 * @param {ReturnType<typeof parseFlags>} flags
 * @param {Machinery} machinery
 */
async function runTests(version, tarball, { jest, screenshots }, { atEnd, isEnding, startCommand }) {
	const results = `build/e2e-${version}.json`;
	const folders = mkdtempSync(join(tmpdir(), 'n8n-e2e-'));
	rmSync(results, { force: true });
	const forget = atEnd(async () => {
		// When jest is stopped, its n8n goes a moment later.
		await sleep(1_000);
		rmSync(folders, { recursive: true, force: true });
	});
	const words = ['-c', 'e2e/jest.config.js', '--json', `--outputFile=${results}`, ...jest];
	const { finished } = startCommand([process.execPath, 'node_modules/jest/bin/jest.js', ...words], {
		env: {
			...process.env,
			N8N_VERSION: version,
			E2E_TARBALL: tarball,
			E2E_FOLDERS: folders,
			E2E_CHROMIUM: CHROMIUM,
			E2E_SCREENSHOTS: screenshots ? 'docs/images' : '',
		},
	});
	const isGood = await finished;
	if (isEnding() || !existsSync(results)) throw new Failure(`The tests for n8n ${version} did not run to their end.`);
	forget();
	rmSync(folders, { recursive: true, force: true });
	const { numPassedTests: passed, numTotalTests: total } = JSON.parse(readFileSync(results, 'utf8'));
	return { isGood, line: `n8n ${version}: ${passed} of ${total} tests passed` };
}

/**
 * @param {ReturnType<typeof parseFlags>} flags
 * @param {Machinery} machinery
 */
async function testAll(flags, machinery) {
	const { end, endOnSignals, isEnding, obtainN8n, packPackage } = machinery;
	endOnSignals(() => 130);
	try {
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
	const flags = parseFlags(process.argv.slice(2));
	if (flags.help) {
		process.stdout.write(HELP);
		await end(0);
	}
	await prepareProject();
	await demandBrowser();
	disarm();
	await testAll(flags, await import('../build/tools/machinery.mjs'));
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
