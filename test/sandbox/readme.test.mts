import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { SETTING_NAMES, valuesOf, type SettingName } from '../../sandbox/endpoints/behavior.mts';
import { FAULT_KINDS } from '../../sandbox/faults/faults.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { control } from './ask.mts';

const read = (file: string) => readFileSync(join(__dirname, '../../sandbox', file), 'utf8');
const README = read('README.md');

describe('The README of the sandbox', () => {
	it('names every setting with its values, in order', () => {
		const rows = [...README.matchAll(/^\| `(\w+)` +\| (.*) \|$/gm)].map(([, setting, text]) => [setting, text]);
		const named = rows.map(([setting, text]) => {
			const values: readonly string[] = valuesOf(setting as SettingName);
			const quoted = new Set(Array.from(text.matchAll(/`([^`]+)`/g), ([, value]) => value));
			return [setting, [...quoted].filter((value) => values.includes(value))];
		});
		expect(named).toEqual(SETTING_NAMES.map((setting) => [setting, valuesOf(setting)]));
	});

	it('names every fault', () => {
		const [, table] = /\n\| kind .*?\n((?:\|.*\n)+)/.exec(README)!;
		const named = Array.from(table.matchAll(/`([\w-]+)[^`]*`/g), ([, kind]) => kind);
		expect(named.sort()).toEqual(Object.keys(FAULT_KINDS).sort());
	});

	it('has curl examples that work on a new sandbox, and the address of the OpenAPI description', async () => {
		const sandbox = await startSandbox();
		const examples = [...README.matchAll(/^curl (?:-X (\w+) +)?'?localhost:4012([^\s']*)'?(?: -d '(.*)')?$/gm)];
		expect(examples).toHaveLength(16);
		for (const [, method = 'GET', path, body] of examples) {
			expect([path, (await control(sandbox, `${method} ${path}`, body)).status]).toEqual([path, 200]);
		}
		expect((await control(sandbox, 'GET /openapi.json')).body).toEqual(parse(read('openapi.yaml')));
		await sandbox.close();
	});

	it('has an example of a test that runs', async () => {
		const [, code] = /## In a test\n\n```ts\n(.*?)```/s.exec(README)!;
		const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
		const run = new AsyncFunction('startSandbox', `${code}; return { url, apiKey, tokens, served };`);
		expect(await run(startSandbox)).toEqual({
			url: expect.stringMatching(/^http:/),
			apiKey: 'sandbox-api-key',
			tokens: expect.any(Object),
			served: expect.any(Function),
		});
	});
});
