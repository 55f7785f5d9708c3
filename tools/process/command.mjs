import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../terminal/failure.mjs';
import { atEnd } from './lifetime.mjs';

const GUARD = fileURLToPath(new URL('guard.mjs', import.meta.url));
const PATIENCE_MS = 15_000;
/** npm takes long to undo an install that is deleted anyway. */
const SHORT_PATIENCE_MS = 1_000;

/** By default, npm waits for more than a minute before it reports that the registry is unreachable. */
const LESS_PATIENT = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '8000' };

/**
 * @typedef {object} CommandOptions
 * @property {string} [log] file that gets everything the command prints, instead of the terminal
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [patienceMs] how long it may take to stop when asked to
 *
 * @typedef {object} Command
 * @property {number} pid also the id of its process group
 * @property {Promise<boolean>} finished whether it ended well
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a command in its own process group, which ends with this process even if that is killed.
 * @param {string[]} command
 * @param {CommandOptions} options
 * @returns {Command}
 */
export function startCommand(command, { log, cwd, env, patienceMs = PATIENCE_MS }) {
	const output = log === undefined ? 'inherit' : openSync(log, 'a', 0o600);
	const child = spawn(process.execPath, [GUARD, ...command], {
		cwd,
		env,
		detached: true,
		stdio: ['pipe', output, output],
	});
	if (output !== 'inherit') closeSync(output);
	const pid = /** @type {number} */ (child.pid);
	/** @type {Promise<boolean>} */
	const finished = new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)));

	const stop = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		process.kill(-pid, 'SIGTERM');
		const impatience = setTimeout(() => process.kill(-pid, 'SIGKILL'), patienceMs);
		await finished;
		clearTimeout(impatience);
	};
	const forget = atEnd(stop);
	void finished.then(forget);
	return { pid, finished, stop };
}

/**
 * Runs a command to its end. `explain` turns its output into a message for the user if it did not succeed.
 * @param {string[]} command
 * @param {CommandOptions & { log: string, explain: (output: string) => string }} options
 */
export async function runCommand(command, { explain, ...options }) {
	if (await startCommand(command, { patienceMs: SHORT_PATIENCE_MS, ...options }).finished) return;
	throw new Failure(explain(readFileSync(options.log, 'utf8')));
}

/**
 * npm as this machine has it, run by the given Node.
 * @param {string} [node]
 */
export function npmCommand(node = process.execPath) {
	const script = process.env.npm_execpath;
	return script && basename(script) === 'npm-cli.js' ? [node, script] : ['npm'];
}

/**
 * The environment for npm in another folder, free of what the npm that started us says about this one.
 * @param {string} [node]
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment(node = process.execPath) {
	const aboutUs = /^npm_(package_|lifecycle_|config_(allow_scripts|ignore_scripts|local_prefix)$)/;
	const entries = Object.entries(process.env).filter(([name]) => !aboutUs.test(name));
	return { ...LESS_PATIENT, ...Object.fromEntries(entries), PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

/**
 * @param {string} what
 * @param {string} log
 */
export function explainNpm(what, log) {
	return (/** @type {string} */ output) => {
		if (/ENOSPC/.test(output)) return `${what}: the disk is full. Free some space and start again.`;
		if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ERR_SOCKET_TIMEOUT|ENETUNREACH/.test(output)) {
			return `${what}: the npm registry cannot be reached. Check the network ("npm ping"), then start again.`;
		}
		if (/gyp ERR!/.test(output)) {
			return `${what}: a native module must be compiled, which requires python3, make and a C++ compiler. See ${log}`;
		}
		return `${what}: npm did not finish. See ${log}`;
	};
}
