import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(__dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { homepage, author, repository } = JSON.parse(read('package.json')) as {
	homepage: string;
	author: { name: string; email: string };
	repository: { url: string };
};
const [, address] = /^git\+(https:\/\/github\.com\/[\w.-]+\/[\w.-]+)\.git$/.exec(repository.url) ?? [];

/** Addresses reserved for examples, and n8n's placeholder. */
const MADE_UP = /@([\w-]+\.)*example(\.(com|net|org))?$|^name@email\.com$/;

/** Text files, except for tests, which may contain made-up addresses. */
const WRITTEN = ['.', ':!package-lock.json', ':!test', ':!e2e'];
const files = execFileSync('git', ['grep', '-Il', '--untracked', '', '--', ...WRITTEN], {
	cwd: ROOT,
	encoding: 'utf8',
})
	.trim()
	.split('\n');

function otherRepositories(text: string): string[] {
	const found = [...text.matchAll(/https?:\/\/github\.com\/[\w.-]+\/[\w.-]+/g)].map(([url]) => url);
	return found.filter((url) => url.replace(/\.git$/, '') !== address);
}

function otherPeople(text: string): string[] {
	const found = [...text.matchAll(/[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}\b/gi)].map(([email]) => email);
	return found.filter((email) => email !== author.email && !MADE_UP.test(email));
}

function findInFiles(find: (text: string) => string[]): string[] {
	return files.flatMap((file) => find(read(file)).map((found) => `${file}: ${found}`));
}

describe("The data of the package's owner", () => {
	it('is in package.json, and the homepage belongs to the repository', () => {
		expect(homepage).toBe(`${address}#readme`);
		expect(author).toEqual({ name: expect.stringMatching(/\S/), email: expect.stringMatching(/^\S+@\S+\.\w+$/) });
	});

	it('has the same repository in all files', () => {
		expect(findInFiles(otherRepositories)).toEqual([]);
	});

	it('has the same code owner, or a team of the same', () => {
		const [, owner] = /([\w.-]+)\/[\w.-]+$/.exec(address ?? '') ?? [];
		const owners = read('.github/CODEOWNERS').match(/@\S+/g) ?? [];
		expect(owners.length).toBeGreaterThan(0);
		expect(owners.filter((name) => name.split('/')[0] !== `@${owner}`)).toEqual([]);
	});

	it('has the same name in the license', () => {
		expect(read('LICENSE')).toContain(` ${author.name}\n`);
	});

	it('has the only real email address in all files', () => {
		expect(findInFiles(otherPeople)).toEqual([]);
	});

	it('is checked: another repository or email address is found', () => {
		expect(otherRepositories(`See https://github.com/somebody/else#readme or ${address}#readme.`)).toEqual([
			'https://github.com/somebody/else',
		]);
		expect(otherPeople(`Write to somebody@else.org, ada@example.com or ${author.email}.`)).toEqual([
			'somebody@else.org',
		]);
	});
});
