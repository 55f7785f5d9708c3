// Plain JavaScript without dependencies until the package is installed and compiled: it runs right after git clone.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { demandPlatform, prepareProject } from '../tools/project/prepare.mjs';
import { Failure, report } from '../tools/terminal/failure.mjs';
import { showProgress } from '../tools/terminal/progress.mjs';
import { findCandidate } from './candidate.mjs';
import { FLAGS } from './flags.mjs';

/** @param {ReturnType<typeof FLAGS.parse>} flags */
async function start(flags) {
	if (flags.tarball) {
		// Relative to the folder in which the command was typed.
		const tarball = resolve(process.env.INIT_CWD ?? '.', flags.tarball);
		if (!existsSync(tarball)) throw new Failure(`There is no file ${tarball}.`);
		if (!isCompressed(tarball))
			throw new Failure(`${tarball} is not an npm package. Create one with "npm pack" (a .tgz file).`);
		return (await prepare()).judgeOnly(tarball, flags);
	}
	const candidate = await showProgress('Checking version, changelog and tag', async () => findCandidate(flags));
	return (await prepare()).release(candidate, flags);
}

/** Checks the first bytes of a .tgz before anything is installed. */
function isCompressed(/** @type {string} */ file) {
	return statSync(file).isFile() && readFileSync(file).subarray(0, 2).toString('hex') === '1f8b';
}

async function prepare() {
	await prepareProject();
	disarm();
	return await import('../build/release/main.mjs');
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const disarm = endOnSignals(() => 130);
try {
	demandPlatform();
	const flags = FLAGS.parse(process.argv.slice(2));
	if (flags.help) process.stdout.write(FLAGS.help);
	else await start(flags);
} catch (error) {
	await end(isEnding() ? 1 : report(error));
}
