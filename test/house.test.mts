import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(__dirname, '..');
const NODE = 'nodes/ClientOnboarding';
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
	cwd: ROOT,
	encoding: 'utf8',
})
	.trim()
	.split('\n');

/** What the import rules say where this stands at the top of a file. */
function complaintsWith(file: string, line: string): string {
	const copy = mkdtempSync(join(tmpdir(), 'house-'));
	try {
		for (const part of [
			'.dependency-cruiser.mjs',
			'tsconfig.json',
			'nodes',
			'credentials',
			'sandbox',
			'tools',
			'demo',
		]) {
			cpSync(join(ROOT, part), join(copy, part), { recursive: true });
		}
		symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
		writeFileSync(join(copy, file), `${line}\n${readFileSync(join(ROOT, file), 'utf8')}`);
		const folders = ['credentials', 'demo', 'nodes', 'sandbox', 'tools'];
		return spawnSync(process.execPath, [CRUISER, ...folders], { cwd: copy, encoding: 'utf8' }).stdout;
	} finally {
		rmSync(copy, { recursive: true });
	}
}

describe('The house', () => {
	it('does HTTP in one file of the package', () => {
		const callers = tracked.filter(
			(file) =>
				/^(nodes|credentials)\/.*\.ts$/.test(file) && /httpRequest/.test(readFileSync(join(ROOT, file), 'utf8')),
		);
		expect(callers).toEqual([`${NODE}/service/request.ts`]);
	});

	it('has one style of names for files of code', () => {
		const names = tracked.filter((file) => /\.m?[jt]s$/.test(file)).map((file) => basename(file));
		const isAsOthers = (name: string) => /^\.?[a-zA-Z0-9]+(\.[a-zA-Z]+)*\.m?[jt]s$/.test(name);
		expect(names.filter((name) => !isAsOthers(name) && name !== '.dependency-cruiser.mjs')).toEqual([]);
	});

	it.each([
		['from a lower folder to a higher one', `${NODE}/service/client.ts`, "import '../list/filters';"],
		['between neighbours', `${NODE}/trigger/marks.ts`, "import '../operations/find';"],
		['in a circle', `${NODE}/service/answer.ts`, "import './response';"],
		[
			'from the sandbox to what it tries',
			'sandbox/data/client.mts',
			"import '../../nodes/ClientOnboarding/service/client';",
		],
		['of a package that n8n does not bring', `${NODE}/service/client.ts`, "import 'undici';"],
		['of a tool by the sandbox', 'sandbox/data/client.mts', "import '../../tools/terminal/failure.mjs';"],
		['of the demo by a tool', 'tools/terminal/table.mts', "import '../../demo/data.mts';"],
	])('finds an import %s', (_, file, line) => {
		const specifier = /'(.*)'/.exec(line)?.[1].replace(/^[./]+/, '') as string;
		expect(complaintsWith(file, line)).toMatch(
			new RegExp(`error .*: ${file.replaceAll('.', '\\.')} →[^]*${specifier}`),
		);
	});
});
