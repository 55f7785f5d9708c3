import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../sandbox/data/client.mts';
import { N8nClient, type Credential, type Workflow, type WorkflowDraft } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE, withCredential } from '../tools/n8n/examples.mts';
import { singleHost } from './support/hosts.mts';
import { startService, type Service } from './support/service.mts';
import { OWNER } from './support/shared.mts';

const PATIENCE_MS = 240_000;
const MINUTE_DAYS = 1 / (24 * 60);
const OFTEN = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
};

let service: Service;
const host = singleHost('automations');
let n8n: N8nClient;
let credential: Credential;

beforeAll(async () => {
	service = await startService({ clients: 0, control: true });
	n8n = new N8nClient((await host.start()).url);
	await n8n.enter(OWNER);
	credential = await n8n.createCredential('Automations', CREDENTIAL_TYPE, service.credential);
}, PATIENCE_MS);

afterAll(async () => await host.stop());

/** An example as a user has it after filling in the credential, with these parameters of its first node changed. */
async function create(example: string, parameters: Record<string, unknown> = {}): Promise<Workflow> {
	const draft = JSON.parse(readFileSync(`examples/${example}.json`, 'utf8')) as WorkflowDraft;
	Object.assign(draft.nodes[0].parameters, parameters);
	return await n8n.createWorkflow(withCredential(draft, credential));
}

const add = async (fields: Partial<Client>) => await service.control('POST', '/clients', fields);

async function messagesOf({ id }: Workflow): Promise<unknown[]> {
	const runs = await n8n.runs(id);
	return runs.flatMap((run) => run.items('Message')).map(({ message }) => message);
}

async function untilMessages(workflow: Workflow, count: number): Promise<unknown[]> {
	const deadline = Date.now() + PATIENCE_MS / 2;
	while ((await messagesOf(workflow)).length < count && Date.now() < deadline) await sleep(1_000);
	return (await messagesOf(workflow)).sort();
}

const ada = { client_name: 'Ada', group_name: 'Retail', email: 'ada@example.com' };
const bob = { client_name: 'Bob', group_name: 'Retail', email: 'bob@example.com' };

describe('An automation from the examples', () => {
	it(
		'tells of a client that is declined, and of one that arrives declined',
		async () => {
			const { reference_id: id } = await add({ ...ada, request_status: 'Pending' });
			const workflow = await create('declined-clients-to-a-message', { pollTimes: OFTEN });
			await n8n.activate(workflow.id);
			// The first look is stored by an execution without items.
			while ((await n8n.runs(workflow.id)).length === 0) await sleep(500);
			await service.control('PATCH', `/clients/${id}`, { request_status: 'declined' });
			await add({ ...bob, request_status: 'Declined' });
			expect(await untilMessages(workflow, 2)).toEqual([
				'Ada (Retail) was declined, after it was pending. E-mail: ada@example.com',
				'Bob (Retail) was declined. E-mail: bob@example.com',
			]);
			await n8n.deactivate(workflow.id);
		},
		PATIENCE_MS,
	);

	it(
		'reminds of a client that is pending, and reminds again',
		async () => {
			const { reference_id: id } = await add({ ...ada, request_status: 'Pending' });
			const workflow = await create('reminders-for-pending-clients', {
				pollTimes: OFTEN,
				stalledAfterDays: MINUTE_DAYS / 4,
				repeatAfterDays: MINUTE_DAYS / 2,
			});
			await n8n.activate(workflow.id);
			const reminder = 'Please look after Ada: pending for 0 days. E-mail: ada@example.com';
			expect(await untilMessages(workflow, 2)).toEqual([reminder, reminder]);
			await service.control('PATCH', `/clients/${id}`, { request_status: 'accepted' });
			await n8n.deactivate(workflow.id);
		},
		PATIENCE_MS,
	);

	it(
		'counts the new clients of the week',
		async () => {
			await add({ ...bob, request_status: 'Completed', created_at: '2020-01-01T00:00:00.000Z' });
			const workflow = await create('mondays-counts');
			const run = await n8n.run(workflow, 'Every Monday at 9');
			expect(run.items('Message')).toEqual([
				{ message: '3 new clients in the last 7 days: 0 completed, 2 declined, 0 pending' },
			]);
		},
		PATIENCE_MS,
	);
});
