import { connect } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Agent, request } from 'undici';
import type { RequestInfo } from '../../sandbox/endpoints/endpoints.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { createSelfSigned } from '../../tools/network/certificate.mts';
import { call, createCaller, LIST_PATH, TOKEN_PATH, type Page } from './caller.mts';

jest.setTimeout(30_000);

let sandbox: Sandbox;

afterEach(() => sandbox.close());

describe('onRequest', () => {
	it('gets the details of every request', async () => {
		const infos: RequestInfo[] = [];
		sandbox = await startSandbox({ clients: 5, onRequest: (info) => void infos.push(info) });
		const { url, apiKey } = sandbox.environments.sandbox;
		const caller = createCaller({ url, apiKey });
		await caller.list({ page_no: 1, group_name: 'Retail' });
		await caller.list();
		await call(`${url}/elsewhere`);
		expect(infos.map(({ endpoint, count }) => `${endpoint} ${count}`)).toEqual([
			'token 1',
			'list 1',
			'list 2',
			'other 1',
		]);
		expect(infos[0]).toMatchObject({
			environment: 'sandbox',
			method: 'GET',
			path: TOKEN_PATH,
			apiKey,
		});
		expect(infos[1]).toMatchObject({
			path: LIST_PATH,
			query: { page_no: '1', group_name: 'Retail' },
		});
		expect(infos[1].bearer).toMatch(/^[\w-]{43}$/);
		expect(infos[1].headers.authorization).toBe(`Bearer ${infos[1].bearer}`);
	});

	it('is awaited, and its changes are in the response', async () => {
		sandbox = await startSandbox({
			clients: 5,
			onRequest: async ({ endpoint, count }) => {
				await new Promise((resolve) => setTimeout(resolve, 10));
				const { clients, tokens } = sandbox.app.environment('sandbox');
				if (endpoint === 'list' && count === 2) clients.add();
				if (endpoint === 'list' && count === 3) tokens.revokeAll();
			},
		});
		const caller = createCaller(sandbox.environments.sandbox);
		expect((await caller.list()).data.total_count).toBe(5);
		expect((await caller.list()).data.total_count).toBe(6);
		expect(await caller.list()).toMatchObject({ status: 401 });
	});

	it('that throws leads to a 500 with its message, and the sandbox goes on', async () => {
		let calls = 0;
		sandbox = await startSandbox({
			onRequest: () => {
				if (++calls === 1) throw new Error('out of luck');
			},
		});
		const caller = createCaller(sandbox.environments.sandbox);
		const failed = await caller.requestToken();
		expect(failed).toMatchObject({ status: 500, data: null });
		expect(failed.message).toMatch(/out of luck/);
		expect(await caller.requestToken()).toMatchObject({ status: 200 });
	});
});

describe('Connections to the sandbox', () => {
	it('are kept alive for HTTP clients that want it', async () => {
		sandbox = await startSandbox();
		let connections = 0;
		const dispatcher = new Agent({ connections: 1 });
		dispatcher.on('connect', () => connections++);
		for (let count = 0; count < 5; count++) {
			const { body } = await request(sandbox.environments.sandbox.url + LIST_PATH, { dispatcher });
			await body.dump();
		}
		expect(connections).toBe(1);
		await dispatcher.close();
	});

	it('can be 200 at once, one for each request', async () => {
		sandbox = await startSandbox();
		const { url } = sandbox.environments.sandbox;
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const headers = { authorization: `Bearer ${token}` };
		const dispatcher = new Agent({ pipelining: 0 });
		const statuses = await Promise.all(
			Array.from({ length: 200 }, async () => {
				const { statusCode, body } = await request(url + LIST_PATH, { dispatcher, headers });
				await body.dump();
				return statusCode;
			}),
		);
		expect(statuses.filter((status) => status === 200)).toHaveLength(200);
		expect(sandbox.app.counts().sandbox.list).toBe(200);
		await dispatcher.close();
	});

	it('can carry pipelined requests', async () => {
		sandbox = await startSandbox({ faults: ['latency:ms=40,times=2'] });
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const headers = { authorization: `Bearer ${token}` };
		const dispatcher = new Agent({ connections: 1, pipelining: 4 });
		const pages = await Promise.all(
			[1, 2, 3, 4].map(async (page) => {
				const url = `${sandbox.environments.sandbox.url}${LIST_PATH}?page_no=${page}`;
				const { body } = await request(url, { dispatcher, headers });
				return ((await body.json()) as { data: Page }).data.page_number;
			}),
		);
		expect(pages).toEqual([1, 2, 3, 4]);
		await dispatcher.close();
	});

	it('do not delay the end of the sandbox if they wait, hang or are idle', async () => {
		sandbox = await startSandbox({
			faults: ['latency:ms=60000,endpoint=token', 'hang'],
			tls: await createSelfSigned(),
		});
		const { sandbox: plain, production } = sandbox.environments;
		const sockets = [plain, production].map(({ url }) => connect(Number(new URL(url).port), '127.0.0.1'));
		const ended = sockets.map((socket) => new Promise((resolve) => socket.on('error', resolve).on('close', resolve)));
		await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
		const waiting = [TOKEN_PATH, LIST_PATH].map((path) => call(plain.url + path).catch(() => 'cut off'));
		await new Promise((resolve) => setTimeout(resolve, 50));
		await sandbox.close();
		await Promise.all(ended);
		expect(await Promise.all(waiting)).toEqual(['cut off', 'cut off']);
	});
});

describe('Starting the sandbox', () => {
	it('with a certificate makes only production use https', async () => {
		const tls = await createSelfSigned();
		sandbox = await startSandbox({ tls, faults: ['reset-before'] });
		const { production } = sandbox.environments;
		expect(production.url).toMatch(/^https:/);
		expect(sandbox.environments.sandbox.url).toMatch(/^http:/);
		const dispatcher = new Agent({ connect: { ca: tls.cert } });
		const headers = { 'api-key': production.apiKey };
		const { statusCode, body } = await request(production.url + TOKEN_PATH, {
			dispatcher,
			headers,
		});
		await body.dump();
		expect(statusCode).toBe(200);
		await expect(request(production.url + LIST_PATH, { dispatcher })).rejects.toThrow();
		await expect(request(production.url + TOKEN_PATH)).rejects.toThrow(/self-signed/);
		await dispatcher.close();
	});

	it('on a port that is taken fails with EADDRINUSE', async () => {
		sandbox = await startSandbox();
		const taken = Number(new URL(sandbox.controlUrl).port);
		const start = startSandbox({ controlPort: taken });
		await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE', port: taken });
	});

	const onLinux = process.platform === 'linux' ? it : it.skip;

	onLinux('on another host moves the environments there, but not the control interface', async () => {
		sandbox = await startSandbox({ host: '127.0.0.2' });
		expect(sandbox.environments.sandbox.url).toMatch(/^http:\/\/127\.0\.0\.2:/);
		expect(await call(sandbox.environments.sandbox.url)).toMatchObject({ status: 404 });
		expect(await call(sandbox.controlUrl)).toMatchObject({ status: 200 });
		const elsewhere = sandbox.controlUrl.replace('127.0.0.1', '127.0.0.2');
		await expect(call(elsewhere)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	});

	it('uses 127.0.0.1 for environments by default and always for the control interface', async () => {
		sandbox = await startSandbox({ host: 'localhost' });
		expect(sandbox.environments.sandbox.url).toMatch(/^http:\/\/localhost:\d+$/);
		expect(sandbox.controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		await sandbox.close();
		sandbox = await startSandbox({ control: false });
		expect(sandbox.environments.sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(sandbox.controlUrl).toBe('');
	});
});
