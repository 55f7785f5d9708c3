import { afterEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../sandbox/data/clients.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { call, createCaller, LIST_PATH, pickIds, TOKEN_PATH } from './caller.mts';

let sandbox: Sandbox;

async function start(options: SandboxOptions = {}) {
	sandbox = await startSandbox({ clients: 20, ...options });
	return {
		sandboxCaller: createCaller(sandbox.environments.sandbox),
		productionCaller: createCaller(sandbox.environments.production),
	};
}

afterEach(() => sandbox.close());

describe('The two environments of the sandbox', () => {
	it('have their own addresses and keys, and refuse the other key', async () => {
		await start();
		const { sandbox: ours, production: theirs } = sandbox.environments;
		expect(ours.url).not.toBe(theirs.url);
		const crossed = { 'api-key': theirs.apiKey };
		expect(await call(ours.url + TOKEN_PATH, { headers: crossed })).toMatchObject({ status: 401 });
		expect(await call(theirs.url + TOKEN_PATH, { headers: crossed })).toMatchObject({
			status: 200,
		});
	});

	it('refuse the token of the other', async () => {
		await start();
		const token = sandbox.app.environment('production').tokens.issue();
		const headers = { authorization: `Bearer ${token}` };
		const { sandbox: ours, production: theirs } = sandbox.environments;
		expect(await call(ours.url + LIST_PATH, { headers })).toMatchObject({ status: 401 });
		expect(await call(theirs.url + LIST_PATH, { headers })).toMatchObject({ status: 200 });
	});

	it('have no client and no group token in common', async () => {
		const { sandboxCaller, productionCaller } = await start({ clients: 300 });
		const [ours, theirs] = [await sandboxCaller.listAll(), await productionCaller.listAll()];
		expect(ours).toHaveLength(300);
		expect(theirs).toHaveLength(300);
		expect(new Set([...pickIds(ours), ...pickIds(theirs)]).size).toBe(600);
		const tokens = new Set(ours.map(({ group_token }) => group_token));
		expect(theirs.some(({ group_token }) => tokens.has(group_token))).toBe(false);
	});

	it('have separate clients and counts', async () => {
		const { sandboxCaller, productionCaller } = await start();
		sandbox.app.environment('sandbox').clients.add();
		await sandboxCaller.list();
		await sandboxCaller.list();
		expect((await productionCaller.list()).data.total_count).toBe(20);
		await call(`${sandbox.environments.production.url}/nowhere`);
		expect(sandbox.app.counts()).toEqual({
			sandbox: { token: 1, list: 2, other: 0 },
			production: { token: 1, list: 1, other: 1 },
		});
		sandbox.app.resetCounts();
		expect(sandbox.app.counts().sandbox).toEqual({ token: 0, list: 0, other: 0 });
	});

	it('treat an undefined option like a missing one', async () => {
		const { sandboxCaller } = await start({
			clients: undefined,
			now: undefined,
			apiKey: undefined,
		});
		expect((await sandboxCaller.list()).data.total_count).toBe(250);
	});

	it('list the given records', async () => {
		const given: Client = {
			reference_id: 'A-1',
			email: 'ada@example.com',
			client_name: 'Ada Example',
			client_type: 'individual',
			group_name: 'Own',
			group_token: '00000000-0000-4000-8000-000000000000',
			request_status: 'Accepted',
			client_status: 'active',
			created_at: '2024-05-31T09:30:00.123Z',
		};
		const other = { ...given, reference_id: 'B-1' };
		const { sandboxCaller, productionCaller } = await start({
			clients: [given],
			productionClients: [other],
		});
		expect(await sandboxCaller.listAll()).toEqual([given]);
		expect(await productionCaller.listAll()).toEqual([other]);
		expect(await sandboxCaller.listAll({ client_email: given.email, group_name: 'Own' })).toEqual([given]);
	});
});

describe('The access tokens of the sandbox', () => {
	it('expire after the lifetime, whatever expires_in says', async () => {
		let nowMs = Date.UTC(2026, 0, 1);
		const { sandboxCaller } = await start({
			now: () => nowMs,
			tokenLifetimeSeconds: 60,
			behavior: { expiresIn: 'milliseconds' },
		});
		await sandboxCaller.list();
		nowMs += 59_999;
		expect(await sandboxCaller.list()).toMatchObject({ status: 200 });
		nowMs += 1;
		expect(await sandboxCaller.list()).toMatchObject({ status: 401 });
	});

	it('can have a lifetime of a fraction of a second', async () => {
		let nowMs = Date.UTC(2026, 0, 1);
		const { sandboxCaller } = await start({ now: () => nowMs, tokenLifetimeSeconds: 0.3 });
		await sandboxCaller.list();
		nowMs += 299;
		expect(await sandboxCaller.list()).toMatchObject({ status: 200 });
		nowMs += 1;
		expect(await sandboxCaller.list()).toMatchObject({ status: 401 });
	});

	it('are good for the chosen number of list requests, then refused like expired ones', async () => {
		const { sandboxCaller } = await start({ tokenRequests: 2, behavior: { tokenRefusal: 'envelope-401' } });
		const statuses = [];
		for (let request = 0; request < 4; request++) statuses.push((await sandboxCaller.list()).status_code);
		expect(statuses).toEqual([200, 200, 401, 401]);

		const { access_token } = (await sandboxCaller.requestToken()).data;
		expect(await sandboxCaller.listWith(`Bearer ${access_token}`)).toMatchObject({ status_code: 200 });
		const { tokens } = sandbox.app.environment('sandbox');
		expect(tokens.isValid(access_token)).toBe(true);
		expect(tokens.revokeAll()).toBe(1);
	});

	it('each count their own requests, except those that a fault replaced', async () => {
		const { sandboxCaller } = await start({ tokenRequests: 1, faults: ['status:times=3'] });
		const { tokens } = sandbox.app.environment('sandbox');
		const [first, second] = [tokens.issue(), tokens.issue()];
		const statuses = [];
		for (const token of [first, first, first, second, first, first, second]) {
			statuses.push((await sandboxCaller.listWith(`Bearer ${token}`)).status);
		}
		expect(statuses).toEqual([503, 503, 503, 200, 200, 401, 401]);
	});

	it('are good for 50 requests if no number is given', async () => {
		const { sandboxCaller } = await start();
		for (let request = 0; request < 50; request++) expect((await sandboxCaller.list()).status).toBe(200);
		expect(sandbox.app.counts().sandbox.token).toBe(1);
	});

	it('are long and unique', async () => {
		await start();
		const { tokens } = sandbox.app.environment('sandbox');
		const issued = Array.from({ length: 100 }, () => tokens.issue());
		expect(new Set(issued).size).toBe(100);
		expect(issued.every((token) => /^[\w-]{43}$/.test(token))).toBe(true);
	});

	it('stay valid when newer ones are issued, except with singleToken', async () => {
		await start();
		const { tokens } = sandbox.app.environment('sandbox');
		const [first, second] = [tokens.issue(), tokens.issue()];
		expect([first, second].map((token) => tokens.isValid(token))).toEqual([true, true]);
		await sandbox.close();

		await start({ singleToken: true });
		const single = sandbox.app.environment('sandbox').tokens;
		const [older, newer] = [single.issue(), single.issue()];
		expect([older, newer].map((token) => single.isValid(token))).toEqual([false, true]);
	});

	it('are refused at once when one or all are revoked', async () => {
		await start();
		const { tokens } = sandbox.app.environment('sandbox');
		const [first, second] = [tokens.issue(), tokens.issue()];
		tokens.revoke(first);
		expect([first, second].map((token) => tokens.isValid(token))).toEqual([false, true]);
		expect(tokens.revokeAll()).toBe(1);
		expect(tokens.isValid(second)).toBe(false);
	});
});
