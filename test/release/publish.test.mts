import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authorize } from '../../release/publish.mts';
import { npmCommand, npmEnvironment } from '../../tools/process/command.mjs';

const { npm_config_registry: usual } = process.env;
/** The authorization headers that npm has sent. */
const sent: Array<string | undefined> = [];
const registry = createServer((request, response) => {
	sent.push(request.headers.authorization);
	response.end(JSON.stringify({ username: 'somebody' }));
});

beforeAll(async () => {
	await once(registry.listen(0, '127.0.0.1'), 'listening');
	process.env.npm_config_registry = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/some/path/`;
});

afterAll(() => {
	registry.close();
	if (usual === undefined) delete process.env.npm_config_registry;
	else process.env.npm_config_registry = usual;
});

describe('The npm token of a release', () => {
	it('reaches the registry that npm uses', async () => {
		const [npm, ...words] = npmCommand();
		const env = { ...npmEnvironment(), ...authorize('npm_secret') };
		const { stdout } = await promisify(execFile)(npm, [...words, 'whoami'], { env });
		expect(stdout.trim()).toBe('somebody');
		expect(sent).toEqual(['Bearer npm_secret']);
	});

	it('leads to no settings if it is undefined', () => {
		expect(authorize(undefined)).toEqual({});
	});
});
