import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../sandbox/data/client.mts';
import type { Credential, Run, WorkflowNode } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../tools/n8n/examples.mts';
import { startService, type Service } from './support/service.mts';
import { sharedN8n } from './support/shared.mts';
import { until } from './support/until.mts';
import { chain, listNode, runNodes } from './support/workflow.mts';

const n8n = sharedN8n().client;

let service: Service;
let credential: Credential;
let clients: Client[];
let requestsOfOneRead: number;
beforeAll(async () => {
	service = await startService({ clients: 10_000, maxPageLimit: 1_000, behavior: { overLimit: 'capped' } });
	credential = await n8n.createCredential(`Test ${randomUUID()}`, CREDENTIAL_TYPE, service.credential);
	clients = [...service.app.environment('sandbox').served()];
	requestsOfOneRead = (await watch(listNode(credential))).requests;
});

/** Nodes that output these rows as items. */
function sheetOf(rows: object[]): WorkflowNode[] {
	return [
		{
			name: 'Sheet',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} },
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

const pairs: WorkflowNode = {
	name: 'Pairs',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: "={{ { row: $('Rows').item.json.row, found: $json.reference_id ?? $json.error } }}",
		options: {},
	},
};

async function watch(...nodes: WorkflowNode[]): Promise<{ run: Run; requests: number }> {
	const before = service.listRequests().length;
	const run = await runNodes(n8n, ...nodes);
	expect(run.status).toBe('success');
	return { run, requests: service.listRequests().length - before };
}

function findNode(parameters: Record<string, unknown> = {}, settings: Record<string, unknown> = {}): WorkflowNode {
	const find = { operation: 'find', findBy: 'referenceId', referenceId: '={{ $json.id }}', ...parameters };
	return listNode(credential, find, settings);
}

describe('A workflow with many rows', () => {
	it('of reference IDs (1,000) reads the list once, and each row gets its own client', async () => {
		const rows = clients
			.filter((_, index) => index % 10 === 3)
			.map(({ reference_id: id }, row) => ({ row, id: row % 2 ? id : id.toLowerCase() }));
		const { run, requests } = await watch(...sheetOf(rows), findNode(), pairs);
		expect(run.items('Pairs')).toEqual(rows.map(({ row, id }) => ({ row, found: id.toUpperCase() })));
		expect(requests).toBeLessThanOrEqual(1.2 * requestsOfOneRead);
	});

	it('with equal parameters (20) reads the list once, and a hint names "Execute Once"', async () => {
		const rows = Array.from({ length: 20 }, (_, row) => ({ row }));
		const { run, requests } = await watch(...sheetOf(rows), listNode(credential, { options: { fields: ['email'] } }));
		expect(run.items('Clients')).toHaveLength(20 * clients.length);
		expect(run.hints('Clients')).toEqual([expect.stringMatching(/ran for 20 items.*"Execute Once"/)]);
		expect(requests).toBeLessThanOrEqual(1.2 * requestsOfOneRead);
	});

	it('with different filters (20) reads the list once, and each row gets its own clients', async () => {
		const rows = clients.filter((_, index) => index % 500 === 3).map(({ email }, row) => ({ row, email }));
		const list = listNode(credential, { filters: { clientEmail: '={{ $json.email }}' } });
		const { run, requests } = await watch(...sheetOf(rows), list, pairs);
		const found = run.items('Pairs').map(({ row }) => Number(row));
		expect([...new Set(found)]).toEqual(rows.map(({ row }) => row));
		expect(requests).toBeLessThanOrEqual(1.2 * requestsOfOneRead);
	});

	it('with different emails (20) takes at most 25 requests on a list of 60 pages', async () => {
		const long = await startService({ clients: 6_000, maxPageLimit: 100, behavior: { overLimit: 'capped' } });
		const own = await n8n.createCredential(`Test ${randomUUID()}`, CREDENTIAL_TYPE, long.credential);
		const rows = [...long.app.environment('sandbox').served()]
			.filter((_, index) => index % 300 === 7)
			.map(({ email, reference_id: id }, row) => ({ row, email, id }));
		const find = listNode(own, { operation: 'find', findBy: 'email', email: '={{ $json.email }}' });
		const run = await runNodes(n8n, ...sheetOf(rows), find, pairs);
		for (const { row, id } of rows) expect(run.items('Pairs')).toContainEqual({ row, found: id });
		expect(rows).toHaveLength(20);
		expect(long.listRequests().length).toBeLessThanOrEqual(25);
	});

	it('with different parameters goes on, and each row gets its own clients or message', async () => {
		const [ada, bea] = clients;
		const table: Array<[object, unknown[]]> = [
			[{ by: 'referenceId', id: ada.reference_id }, [ada.reference_id]],
			[{ by: 'referenceId', id: '' }, [expect.stringContaining('"Reference ID"')]],
			[{ by: 'referenceId' }, [expect.stringContaining('"Reference ID"')]],
			[{ by: 'referenceId', id: ada.reference_id }, [ada.reference_id]],
			[{ by: 'referenceId', id: 'NOBODY' }, []],
			[{ by: 'referenceId', id: 'NOBODY', must: true }, [expect.stringContaining('"NOBODY"')]],
			[{ by: 'email', email: bea.email }, [bea.reference_id]],
			[{ by: 'wish' }, [expect.stringContaining('"Find By"')]],
		];
		const rows = table.map(([values], row) => ({ row, ...values }));
		const parameters = {
			findBy: '={{ $json.by }}',
			email: '={{ $json.email }}',
			options: { errorIfNotFound: '={{ $json.must ?? false }}' },
		};
		const find = findNode(parameters, { onError: 'continueRegularOutput' });
		const { run } = await watch(...sheetOf(rows), find, pairs);
		const got = table.map((_, row) =>
			run
				.items('Pairs')
				.filter((pair) => pair.row === row)
				.map(({ found }) => found),
		);
		expect(got).toEqual(table.map(([, outcome]) => outcome));
	});

	it('sends rows with an error to the error output with their columns and the message', async () => {
		const rows = [clients[0].reference_id, '', clients[1].reference_id].map((id, row) => ({ row, id }));
		const { run } = await watch(...sheetOf(rows), findNode({}, { onError: 'continueErrorOutput' }), pairs);
		expect(run.items('Pairs')).toEqual([rows[0], rows[2]].map(({ row, id }) => ({ row, found: id })));
		expect(run.items('Clients', 1)).toEqual([
			expect.objectContaining({ row: 1, id: '', error: expect.stringContaining('"Reference ID"') }),
		]);
	});

	it('sends no more requests after its execution is stopped', async () => {
		service.app.schedule('latency:ms=400');
		const rows = clients.slice(0, 100).map(({ reference_id: id }, row) => ({ row, id: `${id} of nobody` }));
		const workflow = await n8n.createWorkflow(chain(...sheetOf(rows), findNode()));
		const before = service.listRequests().length;
		const { executionId } = await n8n.request<{ executionId: string }>('POST', `/workflows/${workflow.id}/run`, {
			workflowData: workflow,
			triggerToStartFrom: { name: 'Start' },
		});
		await until(() => service.listRequests().length >= before + 3, 20);
		await n8n.request('POST', `/executions/${executionId}/stop`);
		// A request that is on its way when n8n stops the execution still arrives.
		await sleep(1_000);
		const asked = service.listRequests().length;
		await sleep(2_000);
		expect(service.listRequests().length).toBe(asked);
		expect(asked - before).toBeLessThan(requestsOfOneRead);
	});
});
