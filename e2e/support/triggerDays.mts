import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../sandbox/data/client.mts';
import { N8nClient, type Credential, type Workflow } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../tools/n8n/examples.mts';
import type { N8nProcess } from '../../tools/n8n/server.mts';
import { Editor } from './browser.mts';
import { Clock } from './clock.mts';
import type { Host } from './hosts.mts';
import { startService, type Service } from './service.mts';
import { OWNER } from './shared.mts';
import { activateTrigger, triggerNode } from './trigger.mts';
import { until } from './until.mts';
import { closeBrowser } from './window.mts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 600_000;

export interface Circumstances {
	makeHost: (name: string, settings: Record<string, string>) => Host;
	pollTimes: object[];
	/** Long enough for a poll. */
	pollsWithinMs: number;
	/** State goes by the id of a node, so that another node has none. */
	isKeptById?: boolean;
}

let circumstances: Circumstances;
let clock: Clock;
let host: Host;
let service: Service;
let process_: N8nProcess;
let n8n: N8nClient;
let credential: Credential;
let gateway: Server | undefined;
let gatewayPort: number;

/** Leads to the service until it is closed; then connections are refused. */
async function openGateway(port = 0): Promise<number> {
	const target = Number(new URL(service.credential.sandboxBaseUrl).port);
	const server = createServer((socket) => {
		const inner = connect(target, '127.0.0.1');
		socket.pipe(inner).pipe(socket);
		for (const side of [socket, inner]) side.on('error', () => [socket, inner].forEach((each) => each.destroy()));
	});
	await once(server.listen(port, '127.0.0.1'), 'listening');
	gateway = server;
	return (server.address() as AddressInfo).port;
}

async function start(): Promise<void> {
	process_ = await host.start();
	n8n = new N8nClient(process_.url);
	await n8n.enter(OWNER);
}

async function createTrigger(name: string, parameters: Record<string, unknown>): Promise<Workflow> {
	const nodes = [triggerNode(credential, circumstances.pollTimes, parameters)];
	const workflow = await n8n.createWorkflow({ name, nodes, connections: {} });
	await activateTrigger(n8n, host, workflow);
	return workflow;
}

const emitted = async ({ id }: Workflow) =>
	(await n8n.runs(id))
		.flatMap((run) => run.items('Trigger'))
		.map(({ event, reference_id }) => `${event} ${reference_id}`);
const failures = async ({ id }: Workflow) => (await n8n.runs(id)).flatMap(({ error }) => error ?? []);

async function waitForPoll(): Promise<void> {
	const before = service.requests.length;
	await until(() => service.requests.length > before);
	await sleep(2_000);
}

/** The failed execution as a user sees it. */
async function seeFailure({ id }: Workflow): Promise<void> {
	const failed = (await n8n.runs(id)).find(({ error }) => error);
	const editor = await Editor.open(process_.url);
	await editor.logIn(OWNER);
	await editor.page.goto(`/workflow/${id}/executions/${failed?.id}`);
	// n8n 1.x shows it in a frame.
	const counts = async () =>
		await Promise.all(
			editor.page.frames().map(async (frame) => await frame.getByText('The next successful poll').count()),
		);
	await until(async () => (await counts()).some((count) => count > 0));
	await sleep(2_000);
	await editor.screenshot('outage');
	await editor.page.close();
}

const add = async (client: Partial<Client> = {}) => (await service.control('POST', '/clients', client)).reference_id;

/** What triggers in a real n8n emit over days, by a clock that is put ahead. */
export function describeDays(name: string, given: Circumstances): void {
	circumstances = given;
	clock = new Clock(name);
	host = given.makeHost(name, clock.settings);

	describe(`The trigger over days (${name})`, () => {
		let outage: Workflow;
		let stalled: Workflow;

		beforeAll(async () => {
			service = await startService({ clients: 30, control: true, now: () => clock.now(), tokenLifetimeSeconds: 1e6 });
			await start();
			gatewayPort = await openGateway();
			const sandboxBaseUrl = `http://127.0.0.1:${gatewayPort}`;
			credential = await n8n.createCredential('Days', CREDENTIAL_TYPE, { ...service.credential, sandboxBaseUrl });
			// Before the clock is put ahead: the durable scheduler goes by the clock of the database, which stays.
			outage = await createTrigger('Outage', { triggerOn: ['clientCreated'] });
			stalled = await createTrigger('Stalled', {
				triggerOn: ['clientCreated', 'clientStalled'],
				stalledStatuses: ['pending'],
				stalledAfterDays: 3,
			});
		}, STEP_MS);

		afterEach(() => service.app.clearFaults());

		afterAll(async () => {
			await closeBrowser();
			await host.stop();
			gateway?.close();
		});

		it(
			`resets${given.isKeptById ? '' : ' and reports it'} when a deleted trigger is replaced by another one with the same name`,
			async () => {
				const workflow = await createTrigger('Replaced', { triggerOn: ['clientCreated'] });
				await n8n.deactivate(workflow.id);
				// A poll that has already started would emit what is added now.
				await sleep(circumstances.pollsWithinMs);
				for (let count = 0; count < 40; count++) await add();
				const { nodes } = await n8n.workflow(workflow.id);
				await n8n.updateWorkflow(workflow.id, [{ ...nodes[0], id: randomUUID() }]);
				await activateTrigger(n8n, host, workflow);
				const said = circumstances.isKeptById ? [] : ['The trigger was reset because its node ID changed'];
				await until(async () => (await failures(workflow)).length === said.length);
				expect((await failures(workflow)).map(({ message }) => message)).toEqual(said);
				const id = await add();
				await until(async () => (await emitted(workflow)).length > 0);
				expect(await emitted(workflow)).toEqual([`clientCreated ${id}`]);
				await n8n.deactivate(workflow.id);
			},
			STEP_MS,
		);

		it(
			'shows an outage of two hours by at most three failed executions, also after a restart, and emits everything afterwards',
			async () => {
				const id = await add();
				await until(async () => (await emitted(outage)).includes(`clientCreated ${id}`));
				const before = await emitted(outage);
				service.app.schedule('status:code=503');
				const late = await add();
				await until(async () => (await failures(outage)).length === 1);
				expect(await failures(outage)).toMatchObject([
					{ message: expect.stringMatching(/since .* UTC\. The next successful poll .*$/) },
				]);
				await seeFailure(outage);
				service.app.clearFaults();
				service.app.schedule('html');
				for (let quarter = 0; quarter < 4; quarter++) {
					clock.advance(HOUR_MS / 4);
					await waitForPoll();
				}
				gateway?.close();
				await process_.stop();
				clock.advance(HOUR_MS);
				await start();
				await sleep(2 * circumstances.pollsWithinMs);
				expect((await failures(outage)).length).toBeLessThanOrEqual(3);
				service.app.clearFaults();
				await openGateway(gatewayPort);
				await until(async () => (await emitted(outage)).includes(`clientCreated ${late}`));
				expect(await emitted(outage)).toEqual([...before, `clientCreated ${late}`]);
			},
			STEP_MS,
		);

		it(
			'emits a client that stalls after three days although n8n restarts every two, and clients added while n8n was off',
			async () => {
				const id = await add({ request_status: 'Accepted' });
				await until(async () => (await emitted(stalled)).includes(`clientCreated ${id}`));
				await service.control('PATCH', `/clients/${id}`, { request_status: 'pending' });
				await waitForPoll();
				await sleep(2 * circumstances.pollsWithinMs);
				for (const [days, isStalled] of [
					[2, false],
					[2, true],
					[3, true],
				] as const) {
					await process_.stop();
					clock.advance(days * DAY_MS);
					const meanwhile = await add({ request_status: 'Accepted' });
					await start();
					await until(async () => (await emitted(stalled)).includes(`clientCreated ${meanwhile}`));
					expect((await emitted(stalled)).includes(`clientStalled ${id}`)).toBe(isStalled);
				}
			},
			STEP_MS,
		);
	});
}
