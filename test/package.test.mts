import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(__dirname, '..');

function sourcesIn(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.m?ts$/.test(file))
		.map((file) => posix.join(folder, file.replaceAll('\\', '/')));
}

/** Our own files a file imports, by their paths from the root, and the packages it imports. */
function importsOf(file: string): { ours: string[]; packages: string[] } {
	const specifiers = [...readFileSync(join(root, file), 'utf8').matchAll(/from '([^']+)'/g)].map(
		([, specifier]) => specifier,
	);
	const isOurs = (specifier: string) => specifier.startsWith('.');
	return {
		ours: specifiers
			.filter(isOurs)
			.map((specifier) => relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/')),
		packages: specifiers.filter((specifier) => !isOurs(specifier)),
	};
}

const NODE = 'nodes/ClientOnboarding';
const SERVICE = `${NODE}/service`;

/** Which of our files each part may import. One request flows one way. */
const DIRECTIONS: Array<{ from: RegExp; to: RegExp }> = [
	{ from: /^credentials\//, to: /^credentials\// },
	{ from: new RegExp(`^${NODE}/ClientOnboarding\\.node\\.ts$`), to: new RegExp(`^${NODE}/operations/`) },
	{
		from: new RegExp(`^${NODE}/ClientOnboardingTrigger\\.node\\.ts$`),
		to: new RegExp(`^${NODE}/(operations/searchGroups|trigger/(fields|poll))$`),
	},
	{
		from: new RegExp(`^${NODE}/trigger/(poll|watch|look|fields)\\.ts$`),
		to: new RegExp(
			`^${NODE}/(changes|operations/(fields|input)|trigger/(look|marks|memory|state|watch)|service/(client|filters|newest|reading|request))$`,
		),
	},
	{
		from: new RegExp(`^${NODE}/(changes|trigger/(marks|memory|state))\\.ts$`),
		to: new RegExp(`^${NODE}/(trigger/(marks|state)|service/(client|newest))$`),
	},
	{
		from: new RegExp(`^${NODE}/operations/`),
		to: new RegExp(
			`^${NODE}/(operations/(clientReader|fields|input)|service/(client|counting|filters|reading|request|tally))$`,
		),
	},
	{ from: new RegExp(`^${SERVICE}/reading\\.ts$`), to: new RegExp(`^${SERVICE}/(filters|pages|request|snapshot)$`) },
	{
		from: new RegExp(`^${SERVICE}/counting\\.ts$`),
		to: new RegExp(`^${SERVICE}/(client|filters|pages|request|tally)$`),
	},
	{ from: new RegExp(`^${SERVICE}/(newest|snapshot)\\.ts$`), to: new RegExp(`^${SERVICE}/(client|pages|request)$`) },
	{ from: new RegExp(`^${SERVICE}/pages\\.ts$`), to: new RegExp(`^${SERVICE}/(client|pace|queue|request|response)$`) },
	{ from: new RegExp(`^${SERVICE}/queue\\.ts$`), to: new RegExp(`^${SERVICE}/(pace|request|waiting)$`) },
	{
		from: new RegExp(`^${SERVICE}/request\\.ts$`),
		to: new RegExp(`^(${SERVICE}/(explanation|response|waiting)|credentials/(address|answer|exchange|transport))$`),
	},
	{ from: new RegExp(`^${SERVICE}/response\\.ts$`), to: new RegExp(`^(${SERVICE}/client|credentials/answer)$`) },
	{
		from: new RegExp(`^${SERVICE}/(client|explanation|filters|pace|tally|time|waiting)\\.ts$`),
		to: new RegExp(`^${SERVICE}/(client|response|time)$`),
	},
	{ from: /^sandbox\//, to: /^sandbox\// },
];

describe('Imports', () => {
	it.each([...sourcesIn('nodes'), ...sourcesIn('credentials'), ...sourcesIn('sandbox')])(
		'of %s run one way',
		(file) => {
			const direction = DIRECTIONS.find(({ from }) => from.test(file));
			expect(direction).toBeDefined();
			expect(importsOf(file).ours.filter((target) => !direction?.to.test(target))).toEqual([]);
		},
	);

	it.each([...sourcesIn('nodes'), ...sourcesIn('credentials')])('of %s need no package but n8n-workflow', (file) => {
		expect(importsOf(file).packages.filter((name) => !['n8n-workflow', 'node:crypto'].includes(name))).toEqual([]);
	});

	it('of the campaign leave what is right to itself: only its fuzz part hands answers to the product directly', () => {
		const isProduct = (target: string) => /^(nodes|credentials)\//.test(target);
		expect(sourcesIn('test/campaign').filter((file) => importsOf(file).ours.some(isProduct))).toEqual([
			'test/campaign/fuzz.mts',
		]);
	});

	it('of HTTP stand in one file of the node', () => {
		const callers = sourcesIn('nodes').filter((file) => /httpRequest/.test(readFileSync(join(root, file), 'utf8')));
		expect(callers).toEqual([`${SERVICE}/request.ts`]);
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
