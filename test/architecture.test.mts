import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = resolve(__dirname, '..');
const NODE = 'nodes/ClientOnboarding';
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: ROOT,
	encoding: 'utf8',
})
	.trim()
	.split('\n');

/** Forbidden imports, each with a file that gets it. */
const WRONG_IMPORTS: Record<string, [file: string, specifier: string]> = {
	'from a lower folder to a higher one': [`${NODE}/api/record.ts`, '../query/filters'],
	'between neighboring folders': [`${NODE}/trigger/removals.ts`, '../operations/find'],
	'in a circle': [`${NODE}/api/classify.ts`, './errors'],
	'of a package that n8n does not provide': [`${NODE}/api/retry.ts`, 'undici'],
	'from the sandbox to the package': ['sandbox/data/client.mts', '../../nodes/ClientOnboarding/api/record'],
	'of a process tool by the sandbox': ['sandbox/data/names.mts', '../../tools/process/command.mjs'],
	'of the sandbox by a tool': ['tools/terminal/failure.mjs', '../../sandbox/localhost.mts'],
	'of the demo by a tool': ['tools/terminal/table.mts', '../../demo/data.mts'],
	'of the demo by a release': ['release/publish.mts', '../demo/data.mts'],
};

/** The report of the import rules for a copy of the project with these imports. */
function checkWrongImports(): string {
	const folders = ['credentials', 'demo', 'nodes', 'release', 'sandbox', 'tools'];
	const copy = mkdtempSync(join(tmpdir(), 'architecture-'));
	for (const part of ['.dependency-cruiser.mjs', 'tsconfig.json', ...folders]) {
		cpSync(join(ROOT, part), join(copy, part), { recursive: true });
	}
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	for (const [file, specifier] of Object.values(WRONG_IMPORTS)) {
		writeFileSync(join(copy, file), `import '${specifier}';\n${readFileSync(join(ROOT, file), 'utf8')}`);
	}
	const { stdout } = spawnSync(process.execPath, [CRUISER, ...folders], { cwd: copy, encoding: 'utf8' });
	rmSync(copy, { recursive: true });
	return stdout;
}

describe('The architecture', () => {
	it('does HTTP in one file of the package', () => {
		const callers = tracked.filter(
			(file) =>
				/^(nodes|credentials)\/.*\.ts$/.test(file) && /httpRequest/.test(readFileSync(join(ROOT, file), 'utf8')),
		);
		expect(callers).toEqual([`${NODE}/api/http.ts`]);
	});

	it('names code files in one style', () => {
		const names = tracked.filter((file) => /\.m?[jt]s$/.test(file)).map((file) => basename(file));
		const isAsOthers = (name: string) => /^[a-zA-Z0-9]+(\.[a-zA-Z]+)*\.m?[jt]s$/.test(name);
		expect(names.filter((name) => !isAsOthers(name))).toEqual(['.dependency-cruiser.mjs']);
	});
});

describe('The import rules', () => {
	let complaints = '';
	beforeAll(() => {
		complaints = checkWrongImports();
	});

	it.each(Object.entries(WRONG_IMPORTS))('find an import %s', (_, [file, specifier]) => {
		const target = specifier.replace(/^[./]+/, '');
		expect(complaints).toMatch(new RegExp(`error .*: ${file.replaceAll('.', '\\.')} →\\s+\\S*${target}`));
	});
});
