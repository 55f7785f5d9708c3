import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { request, type Dispatcher } from 'undici';
import { DEFAULT_DIALECT } from '../../sandbox/endpoints/dialect.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { createCaller } from './caller.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ clients: 20 });
});

beforeEach(() => {
	sandbox.app.setDialect(DEFAULT_DIALECT);
	sandbox.app.clearFaults();
});

afterAll(() => sandbox.close());

async function control(method: Dispatcher.HttpMethod, path: string, body?: object | string) {
	const text = typeof body === 'object' ? JSON.stringify(body) : body;
	const reply = await request(sandbox.controlUrl + path, { method, body: text });
	return { status: reply.statusCode, body: JSON.parse(await reply.body.text()) };
}

describe('the control interface', () => {
	it('says what it can do', async () => {
		const { status, body } = await control('GET', '/');
		expect(status).toBe(200);
		for (const route of ['PATCH /dialect', 'POST /faults', 'DELETE /clients/:reference_id', 'POST /tokens/revoke']) {
			expect(body.routes.some((line: string) => line.startsWith(`${route}: `))).toBe(true);
		}
	});

	it('shows and changes the dialect', async () => {
		expect(await control('GET', '/dialect')).toEqual({ status: 200, body: DEFAULT_DIALECT });
		const { body } = await control('PATCH', '/dialect', { totals: 'absent', order: 'SHUFFLED' });
		expect(body).toEqual({ ...DEFAULT_DIALECT, totals: 'absent', order: 'shuffled' });
		expect(sandbox.app.dialect()).toEqual(body);
	});

	it('schedules faults as objects and as text, lists and clears them', async () => {
		await control('POST', '/faults', { kind: 'status', code: 500, times: 1 });
		const { body } = await control('POST', '/faults', 'html:skip=1\n');
		expect(body).toEqual([
			{ fault: 'status:times=1,code=500', seen: 0, hits: 0 },
			{ fault: 'html:skip=1', seen: 0, hits: 0 },
		]);
		const caller = createCaller(sandbox.environments.sandbox);
		expect((await caller.list()).status).toBe(500);
		expect((await caller.list()).text).toMatch(/html/);
		expect((await control('GET', '/faults')).body[0]).toMatchObject({ hits: 1 });
		expect(await control('DELETE', '/faults')).toEqual({ status: 200, body: [] });
		expect((await caller.list()).status).toBe(200);
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

	it('adds a client made up from nothing, in the environment asked for', async () => {
		const { body } = await control('POST', '/clients?environment=production');
		expect(sandbox.app.environment('production').clients.get(body.reference_id)).toEqual(body);
		expect(sandbox.app.environment('sandbox').clients.get(body.reference_id)).toBeUndefined();
	});

	it('counts requests and forgets them', async () => {
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
		['PATCH', '/dialect', { ordre: 'shuffled' }, 400, 'ordre'],
		['PATCH', '/dialect', { order: 'random' }, 400, 'order'],
		['PATCH', '/dialect', '{', 400, 'JSON'],
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
		['PATCH', '/clients/X', { email: 'a@example.com' }, 400, 'request_status'],
		['DELETE', '/clients/%', undefined, 400, 'reference_id'],
		['PUT', '/dialect', {}, 405, 'GET, PATCH'],
		['GET', '/client', undefined, 404, '/client'],
	] as const)('%s %s %j is a %p that names %p', async (method, path, body, status, name) => {
		const reply = await control(method, path, body);
		expect(reply.status).toBe(status);
		expect(reply.body.message).toContain(name);
	});

	it('refuses an id that is taken', async () => {
		const [reference_id] = sandbox.app.environment('sandbox').clients.ids();
		const { status, body } = await control('POST', '/clients', { reference_id });
		expect(status).toBe(400);
		expect(body.message).toBe(`The reference_id "${reference_id}" is already taken.`);
	});

	it('never shows a token or an API key', async () => {
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const shown = [];
		for (const path of ['/', '/dialect', '/faults', '/requests']) shown.push(await control('GET', path));
		shown.push(await control('POST', '/tokens/revoke'));
		const text = JSON.stringify(shown);
		for (const secret of [token, ...Object.values(sandbox.environments).map(({ apiKey }) => apiKey)]) {
			expect(text).not.toContain(secret);
		}
	});
});

describe('the README', () => {
	const readme = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8');

	it('has an example client that exists', async () => {
		const [id] = /ONB-[0-9A-F]{8}/.exec(readme) ?? [];
		const { app, close } = await startSandbox();
		expect(app.environment('sandbox').clients.get(id!)).toBeDefined();
		await close();
	});

	it('has curl examples that work on a fresh sandbox', async () => {
		const fresh = await startSandbox();
		const examples = [...readme.matchAll(/^curl (?:-X (\w+) +)?localhost:4012(\S*)(?: -d '(.*)')?$/gm)];
		expect(examples).toHaveLength(9);
		for (const [, method = 'GET', path, body] of examples) {
			const reply = await request(fresh.controlUrl + path, { method: method as 'GET', body });
			await reply.body.dump();
			expect({ path, status: reply.statusCode }).toEqual({ path, status: 200 });
		}
		await fresh.close();
	});
});
