import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { N8nClient, type Workflow, type WorkflowNode } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../tools/n8n/examples.mts';
import type { N8nProcess } from '../../tools/n8n/server.mts';
import { clusterHost } from '../support/hosts.mts';
import { startService, type Service } from '../support/service.mts';
import { OWNER } from '../support/shared.mts';
import { activateTrigger, OFTEN, triggerNode } from '../support/trigger.mts';
import { until } from '../support/until.mts';
import { chainFrom } from '../support/workflow.mts';

const PATIENCE_MS = 300_000;
/** Longer than it takes until the next poll has emitted another client. */
const SLOW_SECONDS = 20;
const WAIT: WorkflowNode = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { amount: `={{ $json.client_name === 'Slow' ? ${SLOW_SECONDS} : 1 }}`, unit: 'seconds' },
};
const CODE: WorkflowNode = {
	name: 'Code',
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: "$getWorkflowStaticData('global').seen = Date.now();\nreturn $input.all();" },
};

const host = clusterHost('queue-static-data', 1);
let main: N8nProcess;
let n8n: N8nClient;
let service: Service;
let workflow: Workflow;

async function start(): Promise<void> {
	main = await host.start();
	n8n = new N8nClient(main.url);
	await n8n.enter(OWNER);
}

beforeAll(async () => {
	service = await startService({ clients: 5, control: true });
	await start();
	const credential = await n8n.createCredential('Static data', CREDENTIAL_TYPE, service.credential);
	const trigger = triggerNode(credential, OFTEN.pollTimes, { triggerOn: ['clientCreated'] });
	workflow = await n8n.createWorkflow(chainFrom(trigger, WAIT, CODE));
	await activateTrigger(n8n, host, workflow);
}, PATIENCE_MS);
afterAll(async () => await host.stop(), PATIENCE_MS);

/** Adds a client and resolves when an execution with it has started, which may still run. */
async function addAndWait(client_name: string): Promise<void> {
	await service.control('POST', '/clients', { client_name });
	await until(async () => await isBegun(client_name));
}

async function isBegun(client_name: string): Promise<boolean> {
	const ids = await n8n.runIds(workflow.id);
	const runs = await Promise.all(
		ids.map(async (id) => await n8n.request<{ data: string }>('GET', `/executions/${id}`)),
	);
	return runs.some(({ data }) => data.includes(`"${client_name}"`));
}

/** The events of all executions, after they have finished. */
async function emitted(): Promise<Array<{ name: string; eventId: string }>> {
	const items = (await n8n.runs(workflow.id)).flatMap((run) => run.items('Trigger'));
	return items.map(({ client_name: name, event_id: eventId }) => ({ name: String(name), eventId: String(eventId) }));
}

describe('A Code node that writes static data in a worker while the trigger polls', () => {
	it(
		'may set its state back or erase it: events are emitted again with the same event_id, or a reset is reported',
		async () => {
			await addAndWait('Slow');
			await addAndWait('Fast');
			expect((await emitted()).map(({ name }) => name)).toEqual(['Slow', 'Fast']);
			const { staticData } = await n8n.request<{ staticData: object }>('GET', `/workflows/${workflow.id}`);
			process.kill(-main.pid, 'SIGKILL');
			await main.ended;
			await service.control('POST', '/clients', { client_name: 'Meanwhile' });
			await start();

			// Workers of n8n 2.41 do not have the state of the trigger and overwrite it with the static data they have.
			const isErased = !('node:Trigger' in staticData);
			const failures = async () => (await n8n.runs(workflow.id)).flatMap(({ error }) => error?.message ?? []);
			if (isErased) {
				await until(async () => (await failures()).length > 0);
				expect(await failures()).toEqual(['The trigger was reset because its saved state is missing']);
			} else {
				await until(async () => await isBegun('Meanwhile'));
			}
			await addAndWait('Last');
			const events = await emitted();
			const again = isErased ? [] : ['Fast', 'Meanwhile'];
			expect(events.map(({ name }) => name).sort()).toEqual(['Fast', 'Last', 'Slow', ...again].sort());
			expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(isErased ? 3 : 4);
		},
		PATIENCE_MS,
	);
});
