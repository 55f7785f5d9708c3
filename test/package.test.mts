import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { previews } from '../nodes/ClientOnboarding/previews';
import { scanPackage } from '../tools/project/scan.mts';
import { deeply } from './support/depth.mts';

const ROOT = resolve(__dirname, '..');
const NODE = 'nodes/ClientOnboarding';
const PATIENCE_MS = 120_000;

const workplace = mkdtempSync(join(tmpdir(), 'package-'));
const unpacked = join(workplace, 'package');
let packed: { files: Array<{ path: string }>; size: number; unpackedSize: number };

function run(command: string, ...words: string[]): string {
	return execFileSync(command, words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

function filesIn(folder: string, pattern: RegExp): string[] {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return names.map((name) => name.replaceAll('\\', '/')).filter((name) => pattern.test(name));
}

function sourcesIn(...folders: string[]): string[] {
	return folders.flatMap((folder) => filesIn(join(ROOT, folder), /\.ts$/).map((name) => posix.join(folder, name)));
}

beforeAll(() => {
	const output = run('npm', 'pack', '--json', '--pack-destination', workplace);
	const [{ filename, ...rest }] = JSON.parse(output) as [typeof packed & { filename: string }];
	packed = rest;
	run('tar', '-xzf', join(workplace, filename), '-C', workplace);
}, PATIENCE_MS);

afterAll(() => rmSync(workplace, { recursive: true, force: true }));

describe('The packed package', () => {
	it('contains only the build of nodes, credentials and icons', () => {
		const compiled = sourcesIn('nodes', 'credentials').map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
		const copied = [
			'dist/icons/clientOnboarding.svg',
			'dist/icons/clientOnboarding.dark.svg',
			`dist/${NODE}/ClientOnboarding.node.json`,
			`dist/${NODE}/ClientOnboardingTrigger.node.json`,
			...Object.keys(previews).map((file) => `dist/${NODE}/__schema__/${file}`),
		];
		const paths = packed.files.map(({ path }) => path).sort();
		expect(paths).toEqual(['LICENSE', 'README.md', 'package.json', ...compiled, ...copied].sort());
	});

	deeply('contains every script as the TypeScript compiler wrote it', () => {
		const compiled = join(workplace, 'compiled');
		run(process.execPath, 'node_modules/typescript-native/bin/tsc', '--outDir', compiled);
		const scripts = filesIn(compiled, /\.js$/);
		expect(scripts.length).toBeGreaterThan(0);
		const differing = scripts.filter(
			(script) => !readFileSync(join(unpacked, 'dist', script)).equals(readFileSync(join(compiled, script))),
		);
		expect(differing).toEqual([]);
	});

	it('is smaller than 80 kB packed and 400 kB unpacked', () => {
		expect(packed.size).toBeLessThan(80_000);
		expect(packed.unpackedSize).toBeLessThan(400_000);
	});

	it('contains every file that n8n loads, has no dependencies and no install scripts', () => {
		const { n8n, dependencies, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
		expect(packed.files.map(({ path }) => path)).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
		expect(dependencies).toBeUndefined();
		expect(Object.keys(scripts).filter((name) => /install|^pre|^post|^prepare/.test(name))).toEqual([]);
	});
});

describe("n8n's scanner for community packages", () => {
	deeply(
		'accepts the sources',
		async () => expect(await scanPackage(ROOT, 'sources')).toEqual({ passed: true }),
		PATIENCE_MS,
	);

	it(
		'accepts the package',
		async () => expect(await scanPackage(unpacked, 'package')).toEqual({ passed: true }),
		PATIENCE_MS,
	);
});
