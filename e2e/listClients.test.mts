import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Credential } from '../tools/n8n/client.mts';
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
	credential = await n8n.createCredential(`Test ${randomUUID()}`, CREDENTIAL_TYPE, service.credential);
});
beforeEach(() => service.app.clearFaults());

type Client = Record<string, unknown>;
const served = () => [...service.app.environment('sandbox').served()] as unknown as Client[];
const byId = (clients: Client[]) =>
	[...clients].sort((a, b) => (String(a.reference_id) < String(b.reference_id) ? -1 : 1));

async function list(parameters: Record<string, unknown> = {}) {
	return await runNodes(n8n, listNode(credential, parameters));
}

describe('List Clients in a running workflow', () => {
	it('gives every client once, each just as the service wrote it', async () => {
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
	])('filters by %s: all that match, and only those', async (_, filters, matches) => {
		const expected = served().filter(matches);
		expect(expected.length).toBeGreaterThan(0);
		expect(byId((await list({ filters })).items('Clients'))).toEqual(byId(expected));
	});

	it('finds a client by e-mail address', async () => {
		const { email } = served()[100];
		const run = await list({ filters: { clientEmail: String(email).toUpperCase() } });
		expect(byId(run.items('Clients'))).toEqual(byId(served().filter((client) => client.email === email)));
	});

	it('gives as many clients as Limit says and asks for no more', async () => {
		const before = service.listRequests().length;
		const run = await list({ returnAll: false, limit: 7 });
		expect(run.items('Clients')).toHaveLength(7);
		const asked = service.listRequests().slice(before);
		expect(asked.map(({ query }) => query.page_limit)).toEqual(['7']);
	});

	it('reads its parameters for each input item', async () => {
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

	it('goes on when its token is refused in the middle, with one new exchange', async () => {
		await list({ returnAll: false, limit: 1 });
		service.app.environment('sandbox').tokens.revokeAll();
		const before = service.exchanges();
		expect((await list()).items('Clients')).toHaveLength(1234);
		expect(service.exchanges()).toBe(before + 1);
	});

	it('goes on after a passing disturbance', async () => {
		service.app.schedule('status:code=503,times=1');
		expect((await list()).items('Clients')).toHaveLength(1234);
	});
});

describe('what a user reads when List Clients cannot go on', () => {
	it('is the name of the field for a bad value, and no request is made', async () => {
		const before = service.requests.length;
		const run = await list({ returnAll: false, limit: '={{ 0 }}' });
		expect(run.status).toBe('error');
		expect(run.error?.message).toBe('"Limit" has to be a whole number of at least 1, not 0');
		expect(service.requests).toHaveLength(before);
	});

	it('is what the service says and how often it was asked, when it stays busy', async () => {
		service.app.schedule('status:code=503');
		const run = await list();
		expect(run.error?.message).toMatch(/127\.0\.0\.1:\d+ .*\(asked 5 times\)$/);
		expect(run.error?.description).toMatch(/^Try again later, or turn on "Retry On Fail"/);
	});

	it('is that there is no such service, and which field to check, when a web page comes back', async () => {
		service.app.schedule('html');
		const run = await list();
		expect(run.error?.message).toMatch(/^There is no client onboarding service at 127\.0\.0\.1:\d+: /);
		expect(run.error?.description).toBe('Check "Sandbox Base URL" in the credential.');
	});

	it('is an item with the text, and the workflow goes on, with Continue On Fail', async () => {
		const run = await runNodes(
			n8n,
			listNode(credential, { returnAll: false, limit: '={{ 0 }}' }, { onError: 'continueRegularOutput' }),
		);
		expect(run.status).toBe('success');
		expect(run.items('Clients')).toEqual([{ error: '"Limit" has to be a whole number of at least 1, not 0' }]);
	});

	it('never holds a key or a token, nor does anything n8n wrote to disk', async () => {
		service.app.schedule('status:code=400');
		const run = await list();
		expect(run.status).toBe('error');
		expect([...service.secrets].filter((secret) => run.text.includes(secret))).toEqual([]);
		expect(service.secrets.size).toBeGreaterThan(2);
		expect([...service.secrets].flatMap((secret) => filesWith(secret, shared))).toEqual([]);
	});
});
