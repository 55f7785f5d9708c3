import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const WATCH_MS = 500;

/** @type {Set<() => unknown>} */
const cleanups = new Set();
/** @type {Promise<never> | undefined} */
let ending;

/**
 * Runs before the process ends, last added first. Returns a function that removes it.
 * @param {() => unknown} cleanup
 */
export function atEnd(cleanup) {
	cleanups.add(cleanup);
	return () => void cleanups.delete(cleanup);
}

/**
 * @param {number} exitCode
 * @returns {Promise<never>}
 */
export function end(exitCode) {
	ending ??= (async () => {
		for (const cleanup of [...cleanups].reverse()) await cleanup();
		process.exit(exitCode);
	})();
	return ending;
}

export function isEnding() {
	return ending !== undefined;
}

/**
 * Ends with all cleanups on Ctrl-C and other signals, and at once when the npm that started us was killed: our commands then
 * end by themselves. Returns a function that removes the handlers.
 * @param {() => number} exitCode
 */
export function endOnSignals(exitCode) {
	const onSignal = () => void end(exitCode());
	for (const signal of SIGNALS) process.on(signal, onSignal);
	const shell = process.ppid;
	const npm = process.env.npm_lifecycle_event ? parentOf(shell) : shell;
	const watch = setInterval(() => {
		if (process.env.npm_lifecycle_event && (process.ppid !== shell || !isAlive(npm))) process.exit(1);
	}, WATCH_MS).unref();
	return () => {
		clearInterval(watch);
		for (const signal of SIGNALS) process.off(signal, onSignal);
	};
}

/** @param {number} pid */
export function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}

/**
 * npm runs scripts through a shell, which keeps running when npm is killed.
 * @param {number} pid
 */
function parentOf(pid) {
	if (process.platform === 'linux') {
		return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
	}
	return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
}
