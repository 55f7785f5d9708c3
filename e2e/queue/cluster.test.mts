import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cluster, Worker } from '../../tools/cluster/cluster.mts';
import { N8nClient, type Credential, type Run } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../tools/n8n/examples.mts';
import { askAgent } from '../support/agent.mts';
import { Editor } from '../support/browser.mts';
import { clusterHost, singleHost } from '../support/hosts.mts';
import { startService, type Service } from '../support/service.mts';
import { OWNER } from '../support/shared.mts';
import { until } from '../support/until.mts';
import { closeBrowser } from '../support/window.mts';
import { chain, listNode } from '../support/workflow.mts';

const PATIENCE_MS = 300_000;
const CLIENTS = 400;
const AT_ONCE = 12;

/** Lets n8n detect sooner that a worker is gone. */
const ATTENTIVE = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};
const host = clusterHost('queue', 2, ATTENTIVE);
let n8n: N8nClient;
let cluster: Cluster;
beforeAll(async () => {
	n8n = new N8nClient((await host.start()).url);
	cluster = host.cluster();
	await n8n.enter(OWNER);
}, PATIENCE_MS);
afterAll(async () => {
	await closeBrowser();
	await host.stop();
}, PATIENCE_MS);

const idsOf = (clients: Array<{ reference_id?: unknown }>) => clients.map(({ reference_id: id }) => String(id)).sort();
const servedBy = ({ app }: Service) => idsOf([...app.environment('sandbox').served()]);

async function credentialFor(service: Service, client = n8n): Promise<Credential> {
	return await client.createCredential(`Queue ${randomUUID()}`, CREDENTIAL_TYPE, service.credential);
}

/** Lists all clients in this many executions at the same time. */
async function listAtOnce(client: N8nClient, credential: Credential, count: number): Promise<Run[]> {
	const node = listNode(credential, { options: { pageSize: 20 } });
	const workflow = await client.createWorkflow(chain(node));
	return await Promise.all(Array.from({ length: count }, async () => await client.run(workflow, 'Start')));
}

function expectComplete(runs: Run[], service: Service): void {
	for (const run of runs) {
		expect([run.status, run.error?.message]).toEqual(['success', undefined]);
		expect(idsOf(run.items('Clients'))).toEqual(servedBy(service));
		expect(run.hints('Clients')).toEqual([]);
	}
}

describe('Executions in queue mode', () => {
	it(
		'are spread over the workers, and each worker requests at most one token',
		async () => {
			const service = await startService({ clients: CLIENTS, faults: ['latency:ms=20'] });
			const runs = await listAtOnce(n8n, await credentialFor(service), AT_ONCE);
			expectComplete(runs, service);
			expect(new Set(runs.map(({ id }) => cluster.workerOf(id)))).toEqual(new Set(['worker-1', 'worker-2']));
			expect(service.tokenRequestCount()).toBeLessThanOrEqual(cluster.workers.length);
		},
		PATIENCE_MS,
	);

	it.each([
		['for 25 requests', { tokenRequests: 25 }],
		['for 300 ms', { tokenLifetimeSeconds: 0.3 }],
		['until the next token request by any process', { singleToken: true }],
		[
			'until the next token request, and these are slow',
			{ singleToken: true, faults: ['latency:ms=20', 'latency:ms=250,endpoint=token'] },
		],
	])(
		'return every client once if a token is good %s',
		async (_, token) => {
			const service = await startService({ clients: CLIENTS, faults: ['latency:ms=20'], ...token });
			expectComplete(await listAtOnce(n8n, await credentialFor(service), AT_ONCE), service);
		},
		PATIENCE_MS,
	);

	it(
		'return every client once while another n8n with its own database uses the same key',
		async () => {
			const service = await startService({ clients: CLIENTS, faults: ['latency:ms=20'], singleToken: true });
			const neighbor = singleHost('queue-neighbor');
			const other = new N8nClient((await neighbor.start()).url);
			await other.enter(OWNER);
			const runs = await Promise.all([
				listAtOnce(n8n, await credentialFor(service), 4),
				listAtOnce(other, await credentialFor(service, other), 4),
			]);
			await neighbor.stop();
			expectComplete(runs.flat(), service);
		},
		PATIENCE_MS,
	);
});

/** Starts a slow listing and resolves in the middle of it. */
async function beginListing(service: Service): Promise<{ id: string; worker: Worker }> {
	service.app.schedule('latency:ms=700');
	const node = listNode(await credentialFor(service), { options: { pageSize: 20, parallelRequests: 1 } });
	const id = await n8n.startRun(await n8n.createWorkflow(chain(node)), 'Start');
	await until(() => service.listRequests().length >= 3, 50);
	const name = cluster.workerOf(id);
	return { id, worker: cluster.workers.find((candidate) => candidate.name === name) as Worker };
}

/** An incomplete list must not be a success. */
function expectCompleteOrFailed(run: Run, service: Service): void {
	if (run.status === 'success') expectComplete([run], service);
	else expect(run.items('Clients')).toEqual([]);
}

describe('When a part of the cluster ends, an execution', () => {
	it(
		'whose worker is killed is complete or failed, and the next ones are complete',
		async () => {
			const service = await startService({ clients: CLIENTS });
			const { id, worker } = await beginListing(service);
			process.kill(-worker.pid, 'SIGKILL');
			await worker.ended;
			service.app.clearFaults();
			expectCompleteOrFailed(await n8n.finishedRun(id), service);
			// Not earlier: a worker of n8n 1.x fails if another one has taken over an execution that it began.
			await cluster.startWorker(worker.name);
			expectComplete(await listAtOnce(n8n, await credentialFor(service), AT_ONCE), service);
		},
		PATIENCE_MS,
	);

	it(
		'during which Redis restarts is complete or failed, and the next ones are complete',
		async () => {
			const service = await startService({ clients: CLIENTS });
			const { id } = await beginListing(service);
			await cluster.queue.restart();
			service.app.clearFaults();
			expectCompleteOrFailed(await n8n.finishedRun(id), service);
			expectComplete(await listAtOnce(n8n, await credentialFor(service), AT_ONCE), service);
		},
		PATIENCE_MS,
	);
});

describe('In queue mode', () => {
	let service: Service;
	let credential: Credential;
	beforeAll(async () => {
		service = await startService({ clients: 250 });
		credential = await credentialFor(service);
	});

	it('an AI agent in a worker counts clients with its tool', async () => {
		const { run, calls } = await askAgent(n8n, credential, {
			question: 'How many clients do we have?',
			parameters: { operation: 'count', filters: {}, options: {} },
			choose: () => ({}),
		});
		expect(calls[0].result).toMatchObject([{ total: 250 }]);
		expect(cluster.workerOf(run.id)).toMatch(/^worker-/);
	});

	it('a user chooses a group from the list, and a worker returns its clients', async () => {
		const group = 'Wholesale';
		const inGroup = [...service.app.environment('sandbox').served()].filter((client) => client.group_name === group);
		const { id } = await n8n.createWorkflow(chain(listNode(credential)));
		const editor = await Editor.open(n8n.url);
		await editor.logIn(OWNER);
		await editor.page.goto(`/workflow/${id}`);
		await editor.node('Clients').dblclick();
		await editor.addFilter('Group');
		await editor.part('rlc-input').click();
		await editor.page.getByText(new RegExp(`^${group} \\(${inGroup.length}\\b`)).click();
		await editor.part('node-execute-button').click();
		await editor
			.part('output-panel')
			.getByText(new RegExp(`^\\s*${inGroup.length} items`))
			.waitFor();
		await editor.screenshot('group-in-queue-mode');
		const [run] = await n8n.runs(id);
		expect(idsOf(run.items('Clients'))).toEqual(idsOf(inGroup));
		expect(cluster.workerOf(run.id)).toMatch(/^worker-/);
	});
});
