import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { request, type Dispatcher } from 'undici';
import { parse } from 'yaml';
import {
	SETTINGS,
	SETTING_NAMES,
	DEFAULT_BEHAVIOR,
	valuesOf,
	type SettingName,
} from '../../sandbox/endpoints/behavior.mts';
import { FAULT_KINDS } from '../../sandbox/faults/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { createCaller } from './caller.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ clients: 20 });
});

beforeEach(() => {
	sandbox.app.setBehavior(DEFAULT_BEHAVIOR);
	sandbox.app.clearFaults();
});

afterAll(() => sandbox.close());

async function control(method: Dispatcher.HttpMethod, path: string, body?: object | string) {
	const text = typeof body === 'object' ? JSON.stringify(body) : body;
	const reply = await request(sandbox.controlUrl + path, { method, body: text });
	return { status: reply.statusCode, body: JSON.parse(await reply.body.text()) };
}

function chunk(text: string): string {
	return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** The whole response to these bytes, sent on a new connection. */
async function send(bytes: string, url = sandbox.controlUrl): Promise<string> {
	const socket = connect(Number(new URL(url).port), '127.0.0.1');
	socket.end(bytes);
	let answer = '';
	for await (const part of socket) answer += part;
	return answer;
}

describe('The control interface of the sandbox', () => {
	it('lists its routes', async () => {
		const { status, body } = await control('GET', '/');
		expect(status).toBe(200);
		for (const route of ['PATCH /behavior', 'POST /faults', 'DELETE /clients/:reference_id', 'POST /tokens/revoke']) {
			expect(body.routes.some((line: string) => line.startsWith(`${route}: `))).toBe(true);
		}
	});

	it('lists behaviors and violations of the specification separately', async () => {
		const { body } = await control('GET', '/options');
		expect(body.settings).toEqual(SETTING_NAMES.map((name) => ({ name, ...SETTINGS[name] })));
		expect(body.settings).toContainEqual(
			expect.objectContaining({ name: 'hiddenRows', behaviors: ['none'], violations: ['after-paging'] }),
		);
	});

	it('shows and changes the settings', async () => {
		expect(await control('GET', '/behavior')).toEqual({ status: 200, body: DEFAULT_BEHAVIOR });
		const { body } = await control('PATCH', '/behavior', { totals: 'absent', order: 'SHUFFLED' });
		expect(body).toEqual({ ...DEFAULT_BEHAVIOR, totals: 'absent', order: 'shuffled' });
		expect(sandbox.app.behavior()).toEqual(body);
	});

	it('schedules faults as objects and as text, lists and clears them', async () => {
		await control('POST', '/faults', { kind: 'status', code: 500, times: 1 });
		const { body } = await control('POST', '/faults', 'html:skip=1\n');
		expect(body).toMatchObject([
			{ fault: 'status:times=1,code=500', description: '500 for the list, once', seen: 0, hits: 0 },
			{ fault: 'html:skip=1,code=200', seen: 0, hits: 0 },
		]);
		const caller = createCaller(sandbox.environments.sandbox);
		expect((await caller.list()).status).toBe(500);
		expect((await caller.list()).text).toMatch(/html/);
		expect((await control('GET', '/faults')).body[0]).toMatchObject({ hits: 1 });
		expect(await control('DELETE', '/faults')).toEqual({ status: 200, body: [] });
		expect((await caller.list()).status).toBe(200);
	});

	it('removes one fault by its ID and keeps the others', async () => {
		for (const fault of ['status:code=503', 'hang', 'empty']) await control('POST', '/faults', fault);
		const [first, second, third] = (await control('GET', '/faults')).body;
		expect((await control('DELETE', `/faults?id=${second.id}`)).body).toEqual([first, third]);
		expect(await control('DELETE', `/faults?id=${second.id}`)).toEqual({
			status: 404,
			body: { message: `No fault has the id "${second.id}".` },
		});
		expect((await control('GET', '/faults')).body).toEqual([first, third]);
	});

	it('adds, changes and removes clients', async () => {
		const caller = createCaller(sandbox.environments.sandbox);
		const created_at = '2020-02-02T02:02:02.000Z';
		const { body: added } = await control('POST', '/clients', { client_name: 'Ada', created_at });
		expect((await caller.list()).data.results[0]).toEqual(added);
		expect(added).toMatchObject({ client_name: 'Ada', created_at });
		const path = `/clients/${added.reference_id}`;
		const { body: changed } = await control('PATCH', path, { request_status: 'completed' });
		expect(changed).toEqual({ ...added, request_status: 'Completed' });
		expect(await control('DELETE', path)).toEqual({ status: 200, body: changed });
		expect(await control('DELETE', path)).toMatchObject({ status: 404 });
		expect((await caller.list()).data.total_count).toBe(20);
	});

	it('adds a made-up client in the chosen environment', async () => {
		const { body } = await control('POST', '/clients?environment=production');
		expect(sandbox.app.environment('production').clients.get(body.reference_id)).toEqual(body);
		expect(sandbox.app.environment('sandbox').clients.get(body.reference_id)).toBeUndefined();
	});

	it('counts requests and resets the counts', async () => {
		await control('DELETE', '/requests');
		await createCaller(sandbox.environments.sandbox).list();
		const { body } = await control('GET', '/requests');
		expect(body).toEqual({
			sandbox: { token: 1, list: 1, other: 0 },
			production: { token: 0, list: 0, other: 0 },
		});
	});

	it('revokes tokens', async () => {
		const caller = createCaller(sandbox.environments.sandbox);
		await caller.list();
		const { body } = await control('POST', '/tokens/revoke');
		expect(body.revoked).toBeGreaterThan(0);
		expect(await caller.list()).toMatchObject({ status: 401 });
	});

	it.each([
		['PATCH', '/behavior', { ordre: 'shuffled' }, 400, 'ordre'],
		['PATCH', '/behavior', { order: 'random' }, 400, 'order'],
		['PATCH', '/behavior', '{', 400, 'JSON'],
		['POST', '/faults', { kind: 'status', code: 'x' }, 400, 'code'],
		['POST', '/faults', 'nothing', 400, 'nothing'],
		['POST', '/clients', { name: 'Ada' }, 400, 'name'],
		['POST', '/clients', { client_name: 5 }, 400, 'client_name'],
		['POST', '/clients', { client_type: 'robot' }, 400, 'client_type'],
		['POST', '/clients', { request_status: 'done' }, 400, 'request_status'],
		['POST', '/clients', { created_at: 'yesterday' }, 400, 'created_at'],
		['POST', '/clients', { created_at: '2024-13-01T00:00:00Z' }, 400, 'created_at'],
		['POST', '/clients', '[]', 400, 'object'],
		['POST', '/clients?environment=moon', {}, 400, 'environment'],
		['PATCH', '/clients/X', { request_status: 'pending' }, 404, 'X'],
		['PATCH', '/clients/X', {}, 400, 'request_status'],
		['PATCH', '/clients/X', { created_at: '2024-01-01T00:00:00Z' }, 400, 'created_at'],
		['DELETE', '/clients/%', undefined, 400, 'reference_id'],
		['PUT', '/behavior', {}, 405, 'GET, PATCH'],
		['GET', '/client', undefined, 404, '/client'],
	] as const)('refuses %s %s %j with %p and a message that names %p', async (method, path, body, status, name) => {
		const reply = await control(method, path, body);
		expect(reply.status).toBe(status);
		expect(reply.body.message).toContain(name);
	});

	it('refuses a reference_id that is taken', async () => {
		const [reference_id] = sandbox.app.environment('sandbox').clients.ids();
		const { status, body } = await control('POST', '/clients', { reference_id });
		expect(status).toBe(400);
		expect(body.message).toBe(`The reference_id "${reference_id}" is already taken.`);
	});

	it('shows no tokens and no API keys', async () => {
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const shown = [];
		for (const path of ['/', '/behavior', '/faults', '/requests']) shown.push(await control('GET', path));
		shown.push(await control('POST', '/tokens/revoke'));
		const text = JSON.stringify(shown);
		for (const secret of [token, ...Object.values(sandbox.environments).map(({ apiKey }) => apiKey)]) {
			expect(text).not.toContain(secret);
		}
	});
});

describe('A request that breaks off', () => {
	const CLIENT = JSON.stringify({ client_name: 'Ada Example' });
	const BROKEN: Array<[string, string]> = [
		['before its length is reached', `content-length: ${CLIENT.length + 1}\r\n\r\n${CLIENT}`],
		['before any of its body', `content-length: ${CLIENT.length}\r\n\r\n`],
		['after a chunk, without the last one', `transfer-encoding: chunked\r\n\r\n${chunk(CLIENT)}`],
		['in the middle of a chunk', `transfer-encoding: chunked\r\n\r\n${chunk(CLIENT).slice(0, -5)}`],
		['before the first chunk', 'transfer-encoding: chunked\r\n\r\n'],
		['in a chunk that is none', `transfer-encoding: chunked\r\n\r\n${chunk(CLIENT)}zz\r\n`],
	];

	describe.each(['end', 'destroy', 'resetAndDestroy'] as const)('by %s', (ending) => {
		it.each(BROKEN)('%s changes nothing', async (_, rest) => {
			const { app, controlUrl } = sandbox;
			const token = app.environment('sandbox').tokens.issue();
			const before = [app.environment('sandbox').clients.size, app.faults(), app.behavior()];
			for (const line of ['POST /clients', 'POST /faults', 'PATCH /behavior', 'POST /tokens/revoke']) {
				const socket = connect(Number(new URL(controlUrl).port), '127.0.0.1');
				const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
				await new Promise((resolve) => socket.once('connect', resolve));
				socket.resume();
				await new Promise((resolve) => socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\n${rest}`, resolve));
				await new Promise((resolve) => setTimeout(resolve, 10));
				socket[ending]();
				await closed;
			}
			await control('GET', '/');
			expect([app.environment('sandbox').clients.size, app.faults(), app.behavior()]).toEqual(before);
			expect(app.environment('sandbox').tokens.isValid(token)).toBe(true);
		});
	});

	it.each([
		['a length', `content-length: ${CLIENT.length}\r\n\r\n${CLIENT}`],
		['chunks', `transfer-encoding: chunked\r\n\r\n${chunk(CLIENT)}${chunk('')}`],
	])('is distinguished from a complete one, by %s', async (_, rest) => {
		const { clients } = sandbox.app.environment('sandbox');
		const before = clients.size;
		const answer = await send(`POST /clients HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${rest}`);
		expect(answer).toMatch(/^HTTP\/1\.1 200 /);
		expect(clients.size).toBe(before + 1);
	});
});

describe('A web page of another origin', () => {
	const post = (headers: string) =>
		send(`POST /tokens/revoke HTTP/1.1\r\n${headers}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
	const isRevoked = async (headers: string) => {
		const { tokens } = sandbox.app.environment('sandbox');
		const token = tokens.issue();
		const answer = await post(headers);
		return { status: Number(answer.split(' ')[1]), revoked: !tokens.isValid(token), answer };
	};

	it.each([
		'http://evil.example',
		'https://localhost:4012',
		'http://localhost',
		'http://localhost:3000',
		'http://127.0.0.1:4012',
		'http://localhost:4012.evil.example',
		'null',
		'file://',
		'',
	])('with the origin %p is refused, and changes nothing', async (origin) => {
		const { status, revoked, answer } = await isRevoked(`host: localhost:4012\r\norigin: ${origin}`);
		expect({ status, revoked }).toEqual({ status: 403, revoked: false });
		expect(answer).toContain('does not accept requests from the web page');
	});

	it.each([
		'evil.example',
		'evil.example:4012',
		'localhost.evil.example:4012',
		'127.0.0.1.evil.example',
		'127.0.0.2:4012',
		'[::2]:4012',
		'localhost:x',
		'',
	])('that calls this host %p is refused, and changes nothing', async (host) => {
		const { status, revoked, answer } = await isRevoked(`host: ${host}`);
		expect({ status, revoked }).toEqual({ status: 403, revoked: false });
		expect(answer).toContain('Use localhost.');
		const { status: withOrigin } = await isRevoked(`host: ${host}\r\norigin: http://${host}`);
		expect(withOrigin).toBe(403);
	});

	it('may not read anything', async () => {
		const answer = await send('GET /behavior HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n');
		expect(answer).toMatch(/^HTTP\/1\.1 403 /);
		expect(answer).not.toContain('tokenMethod');
	});

	it.each([
		'host: localhost',
		'host: localhost:4012',
		'host: LOCALHOST:4012',
		'host: 127.0.0.1:4012',
		'host: [::1]:4012',
		'host: localhost:4012\r\norigin: http://localhost:4012',
		'host: 127.0.0.1:4012\r\norigin: http://127.0.0.1:4012',
	])('is distinguished from a request with %j', async (headers) => {
		expect(await isRevoked(headers)).toMatchObject({ status: 200, revoked: true });
	});

	it.each([
		['localhost', 'localhost:4012', 200],
		['0.0.0.0', '0.0.0.0:4012', 200],
		['0.0.0.0', '127.0.0.1:4012', 200],
		['0.0.0.0', 'evil.example', 403],
	])('gets a response by host name: sandbox on %s, request to %s, status %p', async (host, asked, status) => {
		const other = await startSandbox({ host });
		const answer = await send(`GET / HTTP/1.1\r\nhost: ${asked}\r\nconnection: close\r\n\r\n`, other.controlUrl);
		expect(Number(answer.split(' ')[1])).toBe(status);
		await other.close();
	});

	it("is distinguished from Node's own fetch", async () => {
		const answer = await fetch(`${sandbox.controlUrl}/tokens/revoke`, { method: 'POST', body: '' });
		expect(answer.status).toBe(200);
	});
});

describe('The README of the sandbox', () => {
	const readme = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8');

	it('names exactly the kinds of faults that exist', () => {
		const [, table] = /\n\| kind .*?\n((?:\|.*\n)+)/.exec(readme) ?? [];
		const named = [...table.matchAll(/`([\w-]+)[^`]*`/g)].map(([, kind]) => kind);
		expect(named.sort()).toEqual(Object.keys(FAULT_KINDS).sort());
	});

	it('is right about automatic changes being off at the start and about the address of the OpenAPI description', async () => {
		expect((await control('GET', '/state')).body).toMatchObject({
			environments: { sandbox: { per_minute: 0 }, production: { per_minute: 0 } },
		});
		const yaml = readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8');
		expect((await control('GET', '/openapi.json')).body).toEqual(parse(yaml));
	});

	it('has an example test that runs', async () => {
		const [, code] = /## In a test\n\n```ts\n(.*?)```/s.exec(readme) ?? [];
		const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as FunctionConstructor;
		const run = new AsyncFunction('startSandbox', `${code}; return { url, apiKey, tokens, served };`) as (
			start: typeof startSandbox,
		) => Promise<Record<string, unknown>>;
		expect(await run(startSandbox)).toEqual({
			url: expect.stringMatching(/^http:/),
			apiKey: expect.any(String),
			tokens: expect.anything(),
			served: expect.any(Function),
		});
	});

	it('has an example client that exists', async () => {
		const [id] = /ONB-[0-9A-F]{8}/.exec(readme) ?? [];
		const { app, close } = await startSandbox();
		expect(app.environment('sandbox').clients.get(id!)).toBeDefined();
		await close();
	});

	it('names every setting and every value, in order', () => {
		const rows = [...readme.matchAll(/^\| `(\w+)` +\| (.*) \|$/gm)].map(([, setting, text]) => ({ setting, text }));
		expect(rows.map(({ setting }) => setting)).toEqual(SETTING_NAMES);
		for (const { setting, text } of rows) {
			const values: readonly string[] = valuesOf(setting as SettingName);
			const named = [...new Set(Array.from(text.matchAll(/`([^`]+)`/g), ([, name]) => name))];
			expect({ setting, named: named.filter((name) => values.includes(name)) }).toEqual({ setting, named: values });
		}
	});

	it('has curl examples that work on a fresh sandbox', async () => {
		const fresh = await startSandbox();
		const examples = [...readme.matchAll(/^curl (?:-X (\w+) +)?localhost:4012(\S*)(?: -d '(.*)')?$/gm)];
		expect(examples).toHaveLength(16);
		for (const [, method = 'GET', path, body] of examples) {
			const reply = await request(fresh.controlUrl + path, { method: method as 'GET', body });
			await reply.body.dump();
			expect({ path, status: reply.statusCode }).toEqual({ path, status: 200 });
		}
		await fresh.close();
	});
});
