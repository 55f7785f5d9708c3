import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, jest } from '@jest/globals';

const ROOT = resolve(__dirname, '../..');
const PARTS = ['.gitignore', 'CHANGELOG.md', 'package-lock.json', 'package.json', 'tsconfig.json'];
const FOLDERS = ['credentials', 'demo', 'nodes', 'release', 'sandbox', 'tools'];
const PATIENCE_MS = 180_000;

/** A git repository with a copy of this project's files. */
export const clone = mkdtempSync(join(tmpdir(), 'clone-'));

export function git(...words: string[]): void {
	execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], { cwd: clone });
}

/** Resets the clone before every test of the file. */
export function useClone(): void {
	jest.setTimeout(PATIENCE_MS);
	beforeAll(() => {
		for (const part of [...PARTS, ...FOLDERS]) cpSync(join(ROOT, part), join(clone, part), { recursive: true });
		symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
		git('init', '--quiet');
		git('add', '--all');
		git('commit', '--quiet', '--message', 'As it is');
	});
	beforeEach(() => {
		git('checkout', '--quiet', '.');
		// Older than node_modules, so that the release does not install it again through the link to this project.
		utimesSync(join(clone, 'package-lock.json'), 0, 0);
	});
	afterAll(() => rmSync(clone, { recursive: true, force: true }));
}

export function release(flags: string[], workflow: Record<string, string> = {}) {
	const others = Object.entries(process.env).filter(([name]) => !/^(GITHUB_|ACTIONS_|NODE_AUTH|INIT_CWD$)/.test(name));
	const { status, stdout, stderr } = spawnSync(process.execPath, ['release/run.mjs', ...flags], {
		cwd: clone,
		env: { ...Object.fromEntries(others), ...workflow },
		encoding: 'utf8',
		timeout: PATIENCE_MS - 10_000,
	});
	const steps = stdout
		.split('\n')
		.filter((line) => /^[✓✗]/.test(line))
		.map((line) => line.replace(/ \(.*\)$/, ''));
	return { status, stderr, steps };
}
