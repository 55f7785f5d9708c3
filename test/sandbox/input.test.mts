import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { call, createCaller, LIST_PATH, TOKEN_PATH } from './caller.mts';

let sandbox: Sandbox;
let url: string;

beforeAll(async () => {
	sandbox = await startSandbox({ clients: 30 });
	({ url } = sandbox.environments.sandbox);
});

afterAll(() => sandbox.close());

describe('The list endpoint of the sandbox', () => {
	const wrong = ['0', '-1', '1.5', 'two', '', ' 1', '1e2', '0x10', '01', '99999999999999999999'];

	it.each(wrong)('refuses page_no=%p with a message that names it', async (page_no) => {
		const reply = await createCaller(sandbox.environments.sandbox).list({ page_no });
		expect(reply).toMatchObject({ status: 400, status_code: 400, data: null });
		expect(reply.message).toMatch(/^page_no /);
	});

	it.each(wrong)('refuses page_limit=%p with a message that names it', async (page_limit) => {
		const reply = await createCaller(sandbox.environments.sandbox).list({ page_limit });
		expect(reply).toMatchObject({ status: 400, status_code: 400, data: null });
		expect(reply.message).toMatch(/^page_limit /);
	});

	it.each([
		['request_status', 'done'],
		['request_status', 'Completed'],
		['request_status', 'completed '],
		['request_status', ''],
		['client_type', 'Company'],
		['client_type', 'person'],
		['client_type', ''],
	])('refuses %s=%p with a message that names it', async (name, value) => {
		const reply = await createCaller(sandbox.environments.sandbox).list({ [name]: value });
		expect(reply).toMatchObject({ status: 400, status_code: 400, data: null });
		expect(reply.message.startsWith(`${name} must be one of: `)).toBe(true);
	});

	it('refuses a repeated parameter', async () => {
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const headers = { authorization: `Bearer ${token}` };
		const query = '?request_status=pending&request_status=declined';
		expect(await call(url + LIST_PATH + query, { headers })).toMatchObject({ status: 400 });
	});

	it('ignores unknown parameters', async () => {
		const caller = createCaller(sandbox.environments.sandbox);
		const { data } = await caller.list({ colour: 'blue', 'request_status[]': 'x' });
		expect(data).toEqual((await caller.list()).data);
	});

	it('checks the token before the parameters', async () => {
		expect(await call(`${url}${LIST_PATH}?page_no=0`)).toMatchObject({ status: 401, data: null });
	});

	it.each(['POST', 'PUT', 'DELETE'] as const)('responds with 405 to %s', async (method) => {
		const reply = await call(url + LIST_PATH, { method });
		expect(reply).toMatchObject({ status: 405, status_code: 405, data: null });
		expect(reply.headers.allow).toBe('GET');
	});

	it('accepts the token only in the format of the specification', async () => {
		const caller = createCaller(sandbox.environments.sandbox);
		const token = sandbox.app.environment('sandbox').tokens.issue();
		expect(await caller.listWith(`Bearer ${token}`)).toMatchObject({ status: 200 });
		for (const authorization of [token, `bearer ${token}`, `Bearer  ${token}`, `Bearer ${token} x`]) {
			expect(await caller.listWith(authorization)).toMatchObject({ status: 401 });
		}
	});
});

describe('The token endpoint of the sandbox', () => {
	it.each([{}, { 'api-key': '' }, { 'api-key': 'wrong' }, { authorization: 'Bearer sandbox-api-key' }])(
		'refuses the headers %j with the documented 401',
		async (headers) => {
			const reply = await call(url + TOKEN_PATH, { headers: headers as Record<string, string> });
			expect(reply).toMatchObject({ status: 401, status_code: 401, data: null });
			expect(reply.message).toMatch(/API key is invalid/);
		},
	);
});

describe('Paths of the sandbox', () => {
	it('work with and without the trailing slash', async () => {
		const headers = { 'api-key': sandbox.environments.sandbox.apiKey };
		const reply = await call<{ access_token: string }>(url + TOKEN_PATH.slice(0, -1), { headers });
		expect(reply.status).toBe(200);
		const authorization = `Bearer ${reply.data.access_token}`;
		expect(await call(url + LIST_PATH.slice(0, -1), { headers: { authorization } })).toMatchObject({
			status: 200,
		});
	});

	it.each(['/', '/api/v1/', '/api/v2/clients-list/', '/api/v1/clients-list//', '/%', '//'])(
		'lead to a 404 in an envelope if unknown: %s',
		async (path) => {
			expect(await call(url + path)).toMatchObject({ status: 404, status_code: 404, data: null });
		},
	);
});
