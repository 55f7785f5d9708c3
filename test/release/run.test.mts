import { execFileSync, spawnSync } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

const ROOT = resolve(__dirname, '../..');
const PARTS = ['.gitignore', 'CHANGELOG.md', 'package-lock.json', 'package.json', 'tsconfig.json'];
const FOLDERS = ['credentials', 'demo', 'nodes', 'release', 'sandbox', 'tools'];
const PATIENCE_MS = 180_000;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const WORKFLOW = { ACTIONS_ID_TOKEN_REQUEST_URL: 'http://127.0.0.1:9/', NODE_AUTH_TOKEN: 'npm_secret' };

jest.setTimeout(PATIENCE_MS);

/** A git clone of this project as it is now. */
const clone = mkdtempSync(join(tmpdir(), 'clone-'));
const git = (...words: string[]) =>
	execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], { cwd: clone });

beforeAll(() => {
	for (const part of [...PARTS, ...FOLDERS]) cpSync(join(ROOT, part), join(clone, part), { recursive: true });
	symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
	// Older than what is installed, so that nobody installs it again into the folder of this project.
	utimesSync(join(clone, 'package-lock.json'), 0, 0);
	git('init', '--quiet');
	git('add', '--all');
	git('commit', '--quiet', '--message', 'As it is');
});

beforeEach(() => {
	git('checkout', '--quiet', '.');
	utimesSync(join(clone, 'package-lock.json'), 0, 0);
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

function release(flags: string[], workflow: Record<string, string> = {}) {
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

describe('A release stops at once, before anything is installed or packed,', () => {
	const expectStop = ({ status, stderr, steps }: ReturnType<typeof release>, message: RegExp) => {
		expect(stderr).toMatch(message);
		expect(steps).toEqual(['✗ Checking version, notes and tag']);
		expect(status).toBe(1);
	};

	it('where the tag is another version', () => {
		expectStop(release(['--dry', '--tag', '0.0.1']), /The tag is "0\.0\.1"/);
	});

	it('where the tag that started the workflow is another version', () => {
		const workflow = { ...WORKFLOW, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: '0.0.1' };
		expectStop(release([], workflow), /The tag is "0\.0\.1"/);
	});

	it('where the changelog says nothing about the version', () => {
		const file = join(clone, 'CHANGELOG.md');
		writeFileSync(file, readFileSync(file, 'utf8').replace(`## ${version}`, '## 0.0.1'));
		expectStop(release(['--dry']), /CHANGELOG\.md begins with 0\.0\.1/);
	});

	it('where nobody could prove where the package comes from', () => {
		expectStop(release(['--tag', version]), /Only the workflow "Publish" can upload/);
	});

	it('where the commit does not have the tag', () => {
		expectStop(release(['--tag', version], WORKFLOW), /does not have the tag/);
	});

	it('where files are not as committed', () => {
		git('tag', version);
		appendFileSync(join(clone, 'CHANGELOG.md'), 'More\n');
		expectStop(release([], WORKFLOW), /not as in the commit(.|\n)*CHANGELOG\.md/);
		git('tag', '--delete', version);
	});
});

describe("What n8n's scanner does not allow", () => {
	const FORBIDDEN = '\nsetTimeout(() => console.log(process.env), 1000);\n';

	it('stops a release that has it in its sources, before anything is packed', () => {
		appendFileSync(join(clone, 'nodes/ClientOnboarding/service/client.ts'), FORBIDDEN);
		const { status, stderr, steps } = release(['--dry']);
		expect(stderr).toMatch(/n8n's scanner refuses the sources(.|\n)*client\.ts(.|\n)*setTimeout/);
		expect(steps.at(-1)).toBe("✗ Scanning the sources with n8n's scanner");
		expect(status).toBe(1);
	});

	it('stops a tarball that has it, before any n8n is started', () => {
		const folder = join(clone, 'build/planted/package');
		mkdirSync(join(folder, 'dist'), { recursive: true });
		cpSync(join(clone, 'package.json'), join(folder, 'package.json'));
		writeFileSync(join(folder, 'dist/planted.js'), FORBIDDEN);
		execFileSync('tar', ['-czf', 'planted.tgz', 'package'], { cwd: join(folder, '..') });
		const { status, stderr, steps } = release(['--tarball', 'build/planted/planted.tgz']);
		expect(stderr).toMatch(/n8n's scanner refuses the tarball(.|\n)*planted\.js(.|\n)*setTimeout/);
		expect(steps.at(-1)).toBe("✗ Scanning the tarball with n8n's scanner");
		expect(status).toBe(1);
	});
});
