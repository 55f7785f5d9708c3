import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Credential, WorkflowNode } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../tools/n8n/examples.mts';
import { filesWith, startService, type Service } from './support/service.mts';
import { sharedN8n } from './support/shared.mts';
import { listNode, runNodes } from './support/workflow.mts';

const shared = sharedN8n();
const n8n = shared.client;

let service: Service;
let credential: Credential;
beforeAll(async () => {
	service = await startService({ clients: 1234 });
	credential = await credentialFor(service);
});
beforeEach(() => service.app.clearFaults());

async function credentialFor({ credential: data }: Service): Promise<Credential> {
	return await n8n.createCredential(`Test ${randomUUID()}`, CREDENTIAL_TYPE, data);
}

type Client = Record<string, unknown>;
const servedBy = ({ app }: Service) => [...app.environment('sandbox').served()] as unknown as Client[];
const served = () => servedBy(service);
const byId = (clients: Client[]) =>
	[...clients].sort((a, b) => (String(a.reference_id) < String(b.reference_id) ? -1 : 1));

async function list(parameters: Record<string, unknown> = {}) {
	return await runNodes(n8n, listNode(credential, parameters));
}

describe('List Clients in a running workflow', () => {
	it('returns every client once and unchanged', async () => {
		const run = await list();
		expect(run.status).toBe('success');
		expect(byId(run.items('Clients'))).toEqual(byId(served()));
		expect(run.hints('Clients')).toEqual([]);
	});

	it.each<[string, Record<string, unknown>, (client: Client) => boolean]>([
		['a status', { requestStatus: ['pending'] }, (client) => client.request_status === 'Pending'],
		[
			'one of two statuses',
			{ requestStatus: ['declined', 'accepted'] },
			(client) => ['Declined', 'Accepted'].includes(String(client.request_status)),
		],
		['a type', { clientType: 'company' }, (client) => client.client_type === 'company'],
		[
			'a group, in any case',
			{ groupName: { __rl: true, mode: 'name', value: 'WHOLESALE' } },
			(client) => client.group_name === 'Wholesale',
		],
		[
			'a date, a type and a status at once',
			{ createdAfter: '2024-01-01T10:00:00Z', clientType: 'individual', requestStatus: ['completed'] },
			(client) =>
				String(client.created_at) >= '2024-01-01T10' &&
				client.client_type === 'individual' &&
				client.request_status === 'Completed',
		],
	])('returns exactly the clients that match %s', async (_, filters, matches) => {
		const expected = served().filter(matches);
		expect(expected.length).toBeGreaterThan(0);
		expect(byId((await list({ filters })).items('Clients'))).toEqual(byId(expected));
	});

	it('finds a client by email address', async () => {
		const { email } = served()[100];
		const run = await list({ filters: { clientEmail: String(email).toUpperCase() } });
		expect(byId(run.items('Clients'))).toEqual(byId(served().filter((client) => client.email === email)));
	});

	it('returns as many clients as Limit says and requests no more rows', async () => {
		const before = service.listRequests().length;
		const run = await list({ returnAll: false, limit: 7 });
		expect(run.items('Clients')).toHaveLength(7);
		const asked = service.listRequests().slice(before);
		expect(asked.map(({ query }) => query.page_limit)).toEqual(['7']);
	});

	it('evaluates its parameters for each input item', async () => {
		const run = await runNodes(
			n8n,
			{
				name: 'Statuses',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: '{ "status": ["pending", "declined"] }', options: {} },
			},
			{
				name: 'Each',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'status', options: {} },
			},
			listNode(credential, { returnAll: false, limit: 2, filters: { requestStatus: '={{ [$json.status] }}' } }),
		);
		expect(run.items('Clients').map((client) => client.request_status)).toEqual([
			'Pending',
			'Pending',
			'Declined',
			'Declined',
		]);
	});

	it('goes on with one new token after its token is revoked', async () => {
		await list({ returnAll: false, limit: 1 });
		service.app.environment('sandbox').tokens.revokeAll();
		const before = service.tokenRequestCount();
		expect((await list()).items('Clients')).toHaveLength(1234);
		expect(service.tokenRequestCount()).toBe(before + 1);
	});

	it('goes on after a temporary error', async () => {
		service.app.schedule('status:code=503,times=1');
		expect((await list()).items('Clients')).toHaveLength(1234);
	});
});

describe('A list that may be incomplete in a running workflow', () => {
	const AFTER: WorkflowNode = { name: 'After', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
	let wrongTotals: Credential;
	beforeAll(async () => {
		wrongTotals = await credentialFor(await startService({ clients: 230, behavior: { totals: 'too-high' } }));
	});

	it.each(['list', 'find', 'count', 'listGroups'])(
		'stops the workflow in the operation %s if that is chosen',
		async (operation) => {
			const parameters = {
				operation,
				findBy: 'referenceId',
				referenceId: 'NO-CLIENT',
				options: { onIncomplete: 'fail' },
			};
			const run = await runNodes(n8n, listNode(wrongTotals, parameters), AFTER);
			expect(run.status).toBe('error');
			expect(run.error?.message).toContain('The service reports 267 clients but returned 230');
			expect(run.items('After')).toEqual([]);
		},
	);

	it('leads to a warning by default, and the workflow goes on', async () => {
		const run = await runNodes(n8n, listNode(wrongTotals), AFTER);
		expect(run.items('After')).toHaveLength(230);
		expect(run.hints('Clients')).toEqual([expect.stringContaining('reports 267 clients but returned 230')]);
	});
});

describe('List Clients in a running workflow, while tokens expire or the list changes,', () => {
	const options = { pageSize: 20, parallelRequests: 5 };

	it('returns every client once if a token is good for four requests', async () => {
		const hasty = await startService({ clients: 1000, tokenRequests: 4, faults: ['latency:ms=80'] });
		const run = await runNodes(n8n, listNode(await credentialFor(hasty), { options }));
		expect(run.status).toBe('success');
		expect(byId(run.items('Clients'))).toEqual(byId(servedBy(hasty)));
		expect(run.hints('Clients')).toEqual([]);
		expect(hasty.listRequests().length).toBeGreaterThan(50);
		expect(hasty.tokenRequestCount()).toBeGreaterThan(5);
	});

	it.each([
		['oldest first', 'every request', 1],
		['oldest first', 'every 15th request', 15],
		['newest first', 'every 5th request', 5],
	])('misses no client that stays, or gives a warning (%s, changes at %s)', async (first, _, interval) => {
		const moving: Service = await startService({
			clients: 400,
			behavior: { order: first === 'oldest first' ? 'created-ascending' : 'created-descending' },
			control: true,
			onRequest: async ({ endpoint, count }) => {
				if (endpoint === 'list' && count > 1 && count % interval === 0) lastMove = lastMove.then(move);
				// The total must be the same on every page, so no page is returned between a removal and the addition after it.
				await lastMove;
			},
		});
		const { clients } = moving.app.environment('sandbox');
		const before = clients.ids();
		const staying = before.filter((__, index) => index % 2 === 1);
		const leaving = before.filter((id) => !staying.includes(id));
		let moves = 0;
		let lastMove = Promise.resolve();
		async function move(): Promise<void> {
			await moving.control('DELETE', `/clients/${leaving.shift()}`);
			leaving.push((await moving.control('POST', '/clients', {})).reference_id);
			const changed = staying[moves % staying.length];
			await moving.control('PATCH', `/clients/${changed}`, { request_status: 'declined' });
			moves += 1;
		}

		const run = await runNodes(n8n, listNode(await credentialFor(moving), { options }));
		expect(run.status).toBe('success');
		expect(moves).toBeGreaterThan(0);
		const ids = run.items('Clients').map((client) => String(client.reference_id));
		expect(new Set(ids).size).toBe(ids.length);
		const missing = before.filter((id) => clients.get(id) && !ids.includes(id));
		const hints = run.hints('Clients');
		if (hints.length === 0) expect(missing).toEqual([]);
		else expect(hints).toEqual([expect.stringMatching(/^The list kept changing .* Some may be missing\.$/)]);
	});
});

describe('The message of List Clients in a running workflow', () => {
	it('names the field of a bad value, and no request is sent', async () => {
		const before = service.requests.length;
		const run = await list({ returnAll: false, limit: '={{ 0 }}' });
		expect(run.status).toBe('error');
		expect(run.error?.message).toBe('"Limit" must be a whole number of at least 1, not 0');
		expect(service.requests).toHaveLength(before);
	});

	it('gives the status and the number of tries when the service stays unavailable', async () => {
		service.app.schedule('status:code=503');
		const run = await list();
		expect(run.error?.message).toMatch(/^127\.0\.0\.1:\d+ is unavailable: status 503 \(tried \d+ times\)$/);
		expect(run.error?.description).toMatch(/^Try again later\./);
	});

	it('says that a web page was returned, and names the field to check', async () => {
		service.app.schedule('html');
		const run = await list();
		expect(run.error?.message).toMatch(/^127\.0\.0\.1:\d+ returned a web page \(status 200\) instead of clients$/);
		expect(run.error?.description).toMatch(/^Check "Sandbox Base URL" in the credential\. /);
	});

	it('is returned as an item with Continue On Fail, and the workflow goes on', async () => {
		const run = await runNodes(
			n8n,
			listNode(credential, { returnAll: false, limit: '={{ 0 }}' }, { onError: 'continueRegularOutput' }),
		);
		expect(run.status).toBe('success');
		expect(run.items('Clients')).toEqual([{ error: '"Limit" must be a whole number of at least 1, not 0' }]);
	});

	it('contains no key and no token, nor do the files of n8n', async () => {
		service.app.schedule('status:code=400');
		const run = await list();
		expect(run.status).toBe('error');
		expect([...service.secrets].filter((secret) => run.text.includes(secret))).toEqual([]);
		expect(service.secrets.size).toBeGreaterThan(2);
		expect([...service.secrets].flatMap((secret) => filesWith(secret, shared))).toEqual([]);
	});
});
