import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const POLL_EVERY_MS = 1_000;

/**
 * Reports once a second how many packages npm has installed in a node_modules folder, until the work is done.
 * @template T
 * @param {string} modules
 * @param {(packages: number) => void} report
 * @param {() => Promise<T>} work
 */
export async function watchPackages(modules, report, work) {
	const watch = setInterval(() => report(countPackages(modules)), POLL_EVERY_MS);
	try {
		return await work();
	} finally {
		clearInterval(watch);
	}
}

/**
 * npm creates all folders first and fills them one by one.
 * @param {string} modules
 * @returns {number}
 */
function countPackages(modules) {
	if (!existsSync(modules)) return 0;
	return readdirSync(modules).reduce((count, name) => {
		const path = join(modules, name);
		if (name.startsWith('@')) return count + countPackages(path);
		const isFilled = existsSync(join(path, 'package.json'));
		return count + (isFilled ? 1 : 0) + countPackages(join(path, 'node_modules'));
	}, 0);
}
