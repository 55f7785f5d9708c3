import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(__dirname, '..');

function sourcesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.m?ts$/.test(file))
		.map((file) => posix.join(folder, file.replaceAll('\\', '/')));
}

const NODE = 'nodes/ClientOnboarding';

describe('The sources', () => {
	it('do HTTP in one file', () => {
		const callers = [...sourcesIn('nodes'), ...sourcesIn('credentials')].filter((file) =>
			/httpRequest/.test(readFileSync(join(root, file), 'utf8')),
		);
		expect(callers).toEqual([`${NODE}/service/request.ts`]);
	});
});

describe('The packed package', () => {
	const folder = mkdtempSync(join(tmpdir(), 'packed-'));
	const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	rmSync(folder, { recursive: true });
	const [packed] = JSON.parse(output) as [{ files: Array<{ path: string }>; size: number; unpackedSize: number }];
	const paths = packed.files.map(({ path }) => path).sort();

	it('holds what is built of nodes, credentials and icons, and nothing else', () => {
		const compiled = [...sourcesIn('nodes'), ...sourcesIn('credentials')].map(
			(file) => `dist/${file.replace(/\.ts$/, '.js')}`,
		);
		const copied = [
			'dist/icons/clientOnboarding.svg',
			'dist/icons/clientOnboarding.dark.svg',
			`dist/${NODE}/ClientOnboarding.node.json`,
			`dist/${NODE}/ClientOnboardingTrigger.node.json`,
		];
		expect(paths).toEqual(['LICENSE', 'README.md', 'package.json', ...compiled, ...copied].sort());
	});

	it('is small to fetch and to keep', () => {
		expect(packed.size).toBeLessThan(80_000);
		expect(packed.unpackedSize).toBeLessThan(400_000);
	});

	it('contains every file that n8n is told to load', () => {
		const { n8n, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
		expect(paths).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
		expect(dependencies).toBeUndefined();
	});
});
