import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { explainNpm, npmCommand, npmEnvironment, runCommand } from '../process/command.mjs';
import { takeLock } from '../process/lock.mjs';
import { Failure } from '../terminal/failure.mjs';
import { showProgress } from '../terminal/progress.mjs';
import { watchPackages } from './packages.mjs';

const LOCKFILE = 'package-lock.json';
/** npm writes this file last, so it proves a complete install. */
const INSTALLED = 'node_modules/.package-lock.json';
const LOG = 'build/prepare.log';

/** Installs and compiles a fresh clone. The working directory must be the package's folder. */
export async function prepareProject() {
	mkdirSync('build', { recursive: true });
	let isWaiting = false;
	const release = await takeLock('build/prepare.lock', (pid) => {
		if (!isWaiting) console.log(`Waiting for another process (${pid}) that is preparing this folder`);
		isWaiting = true;
	});
	rmSync(LOG, { force: true });
	if (!isInstalled()) await showProgress('Installing the development packages', install);
	await showProgress('Compiling the sandbox and the demo', compile);
	release();
}

function isInstalled() {
	return existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCKFILE).mtimeMs;
}

/** @param {(detail: string) => void} report */
async function install(report) {
	rmSync(INSTALLED, { force: true });
	const ci = async () =>
		await runCommand([...npmCommand(), 'ci', '--no-audit', '--no-fund'], {
			log: LOG,
			env: npmEnvironment(),
			explain: explainNpm('npm ci', LOG),
		});
	await watchPackages(
		'node_modules',
		(packages) => report(packages > 1 ? `${packages.toLocaleString('en-US')} packages` : 'npm is preparing'),
		ci,
	);
}

async function compile() {
	await runCommand([process.execPath, 'node_modules/typescript-native/bin/tsc', '-p', 'tools'], {
		log: LOG,
		explain: () => `The tools do not compile. See ${LOG}`,
	});
}

export function demandPlatform() {
	if (process.platform === 'win32') {
		throw new Failure('This requires Linux or macOS. On Windows, run it inside WSL.');
	}
	if (Number.parseInt(process.versions.node, 10) < 20) {
		throw new Failure(`This command requires Node.js 20 or later. You have ${process.versions.node}.`);
	}
}
