import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Credential } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../tools/n8n/examples.mts';
import { filesWith, startService, type Service } from './support/service.mts';
import { sharedN8n } from './support/shared.mts';
import { listNode, runNodes } from './support/workflow.mts';

const shared = sharedN8n();
const n8n = shared.client;
const WRONG_KEY = `wrong-${randomUUID()}`;
const GREEN = { status: 'OK', message: 'Connection successful!' };

let service: Service;
beforeAll(async () => {
	service = await startService({ clients: 30 });
});

async function save(
	changes: Record<string, unknown> = {},
): Promise<{ credential: Credential; data: Record<string, unknown> }> {
	const data = { ...service.credential, ...changes };
	return { credential: await n8n.createCredential(`Test ${randomUUID()}`, CREDENTIAL_TYPE, data), data };
}

/** Saves a credential with these changes and tests it, as the dialog does. */
async function testResultOf(changes: Record<string, unknown>) {
	const { credential, data } = await save(changes);
	return await n8n.testCredential(credential, data);
}

/** The data in the dialog of a saved credential, in which secrets are hidden. */
async function reopen({ id }: Credential): Promise<Record<string, unknown>> {
	const { data } = await n8n.request<{ data: Record<string, unknown> }>('GET', `/credentials/${id}?includeData=true`);
	return data;
}

describe('The credential test in n8n', () => {
	it('succeeds with the right key and address', async () => {
		expect(await testResultOf({})).toMatchObject(GREEN);
	});

	it('succeeds with production over https', async () => {
		const { apiKey } = service.environments.production;
		expect(await testResultOf({ environment: 'production', apiKey })).toMatchObject(GREEN);
	});

	it('says for a wrong key that it is not accepted and where to create one', async () => {
		const before = service.tokenRequestCount();
		expect(await testResultOf({ apiKey: WRONG_KEY })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(
				/^127\.0\.0\.1:\d+ does not accept the API key \(401\)\. Check that the key is complete and belongs to this environment, or create one in the dashboard under Settings > API credentials$/,
			),
		});
		expect(service.tokenRequestCount()).toBe(before + 1);
	});

	it('says for a wrong path that no access token was returned, and names the field', async () => {
		expect(await testResultOf({ sandboxBaseUrl: `${service.credential.sandboxBaseUrl}/elsewhere` })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(
				/^127\.0\.0\.1:\d+\/elsewhere returned no access token \(status 404\)\. Check the API key and "Sandbox Base URL" in the credential$/,
			),
		});
	});

	it('names a host that does not exist', async () => {
		expect(await testResultOf({ sandboxBaseUrl: 'http://no-such-host.invalid' })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/^Could not get an access token from no-such-host\.invalid: /),
		});
	});

	it('says that the address returned a web page if it is another server', async () => {
		const other = await startService({ faults: ['html:endpoint=any'] });
		expect(await testResultOf({ sandboxBaseUrl: other.environments.sandbox.url })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(
				/^127\.0\.0\.1:\d+ returned a web page \(status 200\) instead of an access token\. Check "Sandbox Base URL" in the credential/,
			),
		});
	});

	it('says that the connection was refused if the server is down', async () => {
		const gone = await startService();
		await gone.close();
		expect(await testResultOf({ sandboxBaseUrl: gone.environments.sandbox.url })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(
				/^Could not get an access token from 127\.0\.0\.1:\d+: the connection was refused\. Check "Sandbox Base URL" in the credential, or try again later$/,
			),
		});
	});
});

describe('A working credential that is edited in n8n', () => {
	it('still works when it is opened again and nothing is changed', async () => {
		const { credential } = await save();
		await runNodes(n8n, listNode(credential));
		expect(await n8n.testCredential(credential, await reopen(credential))).toMatchObject(GREEN);
	});

	it('is refused with a wrong key although the old token would still work', async () => {
		const { credential, data } = await save();
		expect(await n8n.testCredential(credential, data)).toMatchObject(GREEN);
		expect((await runNodes(n8n, listNode(credential))).status).toBe('success');

		const edited = { ...(await reopen(credential)), apiKey: WRONG_KEY };
		await n8n.updateCredential(credential, edited);
		expect(await n8n.testCredential(credential, edited)).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/does not accept the API key/),
		});
		const run = await runNodes(n8n, listNode(credential));
		expect(run.error?.message).toMatch(/does not accept the API key/);
	});

	it('keeps a key that is entered while an execution needs a new token', async () => {
		const edited: Service = await startService({
			clients: 300,
			onRequest: async ({ endpoint, count }) => {
				if (endpoint !== 'list' || count !== 3) return;
				await n8n.updateCredential(credential, { ...edited.credential, apiKey: WRONG_KEY });
				edited.app.environment('sandbox').tokens.revokeAll();
			},
		});
		const credential = await n8n.createCredential(`Test ${randomUUID()}`, CREDENTIAL_TYPE, edited.credential);
		const node = listNode(credential, { options: { pageSize: 50, parallelRequests: 1 } });
		expect((await runNodes(n8n, node)).error?.message).toMatch(/does not accept the API key/);
		// n8n 1.x stores key and token together, so a token refresh with the old key could overwrite the new one.
		expect((await runNodes(n8n, node)).error?.message).toMatch(/does not accept the API key/);
		expect(edited.requests.at(-1)?.apiKey).toBe(WRONG_KEY);
	});

	it('does not send the old token to another environment', async () => {
		const { credential } = await save();
		await runNodes(n8n, listNode(credential));
		const oldToken = service.listRequests().at(-1)?.bearer;
		expect(oldToken).toMatch(/./);
		const before = service.requests.length;

		const { productionBaseUrl } = service.credential;
		const { apiKey } = service.environments.production;
		const switched = { ...(await reopen(credential)), environment: 'production', productionBaseUrl, apiKey };
		await n8n.updateCredential(credential, switched);
		const run = await runNodes(n8n, listNode(credential));

		const later = service.requests.slice(before);
		expect(run.error).toBeUndefined();
		expect(run.items('Clients')).toHaveLength(30);
		expect(later.every(({ environment }) => environment === 'production')).toBe(true);
		expect(later.filter(({ bearer }) => bearer === oldToken)).toEqual([]);
	});
});

it('The credential leaves no key and no token unencrypted on disk, not even a wrong key', () => {
	expect(service.secrets.size).toBeGreaterThan(2);
	expect([...service.secrets, WRONG_KEY].flatMap((secret) => filesWith(secret, shared))).toEqual([]);
});
