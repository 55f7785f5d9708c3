import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Credential, Run } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../tools/n8n/examples.mts';
import { startService, type Service } from './support/service.mts';
import { sharedN8n } from './support/shared.mts';
import { runNodes } from './support/workflow.mts';

const { client: n8n } = sharedN8n();

let service: Service;
let credential: Credential;
beforeAll(async () => {
	service = await startService({ clients: 30 });
	credential = await n8n.createCredential(`Test ${randomUUID()}`, CREDENTIAL_TYPE, service.credential);
});

async function request(url: string): Promise<Run> {
	return await runNodes(n8n, {
		name: 'Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { url, authentication: 'predefinedCredentialType', nodeCredentialType: CREDENTIAL_TYPE, options: {} },
		credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
	});
}

describe("n8n's HTTP Request node with the credential of the package", () => {
	const listUrl = () => `${service.environments.sandbox.url}/api/v1/clients-list/?page_limit=5`;

	it('requests a token once for two executions', async () => {
		for (const _ of ['first', 'second']) {
			const run = await request(listUrl());
			expect(run.items('Request')).toEqual([expect.objectContaining({ status_code: 200 })]);
		}
		expect(service.tokenRequestCount()).toBe(1);
	});

	it('refreshes an expired token and repeats the request', async () => {
		await request(listUrl());
		service.app.environment('sandbox').tokens.revokeAll();
		const before = service.tokenRequestCount();
		const run = await request(listUrl());
		expect(run.items('Request')).toEqual([expect.objectContaining({ status_code: 200 })]);
		expect(service.tokenRequestCount()).toBe(before + 1);
	});

	it('sends no request to another address', async () => {
		const other = await startService();
		const run = await request(`${other.environments.sandbox.url}/api/v1/clients-list/`);
		expect(run.status).toBe('error');
		expect(other.requests).toEqual([]);
	});
});
