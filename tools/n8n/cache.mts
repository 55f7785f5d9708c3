import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../process/lock.mjs';
import { Failure } from '../terminal/failure.mjs';
import { showProgress } from '../terminal/progress.mjs';

const GIGABYTE = 1024 ** 3;

export interface Recipe {
	/** Name of the folder, with the version, since a complete folder is not changed. */
	name: string;
	/** For the user, such as "Downloading n8n 2.41.1". */
	what: string;
	gigabytes: number;
	make(folder: string, report: (detail: string) => void): Promise<void>;
}

/** Downloads and demo data, kept from one start to the next. */
export function cacheFolder(): string {
	const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return join(base, 'n8n-nodes-client-onboarding');
}

/** The folder of the recipe, created if missing. It appears only when complete. */
export async function obtain(recipe: Recipe): Promise<string> {
	const root = cacheFolder();
	const folder = join(root, recipe.name);
	if (existsSync(folder)) return folder;

	mkdirSync(root, { recursive: true });
	return await showProgress(recipe.what, async (report) => {
		const release = await takeLock(`${folder}.lock`, (pid) => report(`waiting for another run (process ${pid})`));
		try {
			if (existsSync(folder)) return folder;
			await removeLeftovers(root, recipe.name, report);
			await demandSpace(root, recipe);
			const draft = `${folder}.part-${process.pid}`;
			mkdirSync(draft);
			await recipe.make(draft, report);
			renameSync(draft, folder);
			return folder;
		} finally {
			release();
		}
	});
}

/** Only the holder of the lock creates drafts, so every other draft is from an interrupted run. */
async function removeLeftovers(root: string, name: string, report: (detail: string) => void): Promise<void> {
	for (const entry of readdirSync(root).filter((file) => file.startsWith(`${name}.part-`))) {
		report('removing the files of an interrupted start');
		await rm(join(root, entry), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

async function demandSpace(root: string, { what, gigabytes }: Recipe): Promise<void> {
	const { bavail, bsize } = await statfs(root);
	const free = (bavail * bsize) / GIGABYTE;
	if (free < gigabytes) {
		const facts = `${what}: needs ${gigabytes} GB, but only ${free.toFixed(1)} GB is free in ${root}.`;
		throw new Failure(`${facts} Free some space, or set XDG_CACHE_HOME to a folder on another disk.`);
	}
}
