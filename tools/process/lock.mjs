import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd, isAlive } from './lifetime.mjs';

const BEAT_MS = 2_000;
// In a container, a pid is soon reused, so a living process is no proof.
const STALE_MS = 30_000;
const RETRY_MS = 250;

/**
 * Waits for the lock and returns a function that releases it. The lock of a dead process is ignored.
 * @param {string} path
 * @param {(holder: number) => void} [onWait] may throw to give up
 */
export async function takeLock(path, onWait = () => {}) {
	mkdirSync(dirname(path), { recursive: true });
	while (!tryLock(path)) {
		const holder = readHolder(path);
		if (holder === undefined) continue;
		if (holder.isStale) {
			discard(path, holder.text);
			continue;
		}
		onWait(holder.pid);
		await sleep(RETRY_MS);
	}
	const beat = setInterval(() => touch(path), BEAT_MS).unref();
	const release = () => {
		clearInterval(beat);
		forget();
		rmSync(path, { force: true });
	};
	const forget = atEnd(release);
	return release;
}

/**
 * The file appears with its content or not at all.
 * @param {string} path
 */
function tryLock(path) {
	const draft = `${path}.${randomUUID()}`;
	writeFileSync(draft, `${process.pid} ${randomUUID()}`);
	try {
		linkSync(draft, path);
		return true;
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
		throw error;
	} finally {
		rmSync(draft);
	}
}

/** @param {string} path */
function readHolder(path) {
	try {
		const text = readFileSync(path, 'utf8');
		const pid = Number.parseInt(text, 10);
		const isStale = !isAlive(pid) || Date.now() - statSync(path).mtimeMs > STALE_MS;
		return { text, pid, isStale };
	} catch {
		return undefined;
	}
}

/**
 * Two may find the same lock stale: only what was judged is removed.
 * @param {string} path
 * @param {string} judged
 */
function discard(path, judged) {
	const aside = `${path}.${randomUUID()}`;
	try {
		renameSync(path, aside);
		if (readFileSync(aside, 'utf8') !== judged) linkSync(aside, path);
	} catch {
		// Another process was faster.
	}
	rmSync(aside, { force: true });
}

/** @param {string} path */
function touch(path) {
	const now = new Date();
	try {
		utimesSync(path, now, now);
	} catch {
		// The folder was deleted by hand, so no process waits for this lock.
	}
}
