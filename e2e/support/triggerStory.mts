import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../sandbox/data/client.mts';
import {
	N8nClient,
	type Credential,
	type Workflow,
	type WorkflowDraft,
	type WorkflowNode,
} from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE, withCredential } from '../../tools/n8n/examples.mts';
import { obtainN8n } from '../../tools/n8n/install.mts';
import { startN8n, type N8nProcess } from '../../tools/n8n/server.mts';
import { placePackage } from '../../tools/project/package.mts';
import { startService, type Service } from './service.mts';
import { FOLDERS, OUTPUT, OWNER, TARBALL, VERSION } from './shared.mts';

const EXAMPLE = 'examples/new-completed-clients-to-a-message.json';
const TRIGGER_TYPE = 'n8n-nodes-client-onboarding.clientOnboardingTrigger';
const ALL_EVENTS = ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged'];
const TRIGGER_NAMES = ['Trigger', 'Renamed', 'Client Onboarding Trigger'];
/** A busy machine needs more than the minute between two polls. */
const TOLD_WITHIN_MS = 150_000;
const STEP_MS = 400_000;
/** How long the service takes where something happens during a poll. */
const SLOW_MS = 2_000;

export interface Circumstances {
	/** n8n takes no interval below a minute, but several times in each. */
	pollTimes: object[];
	/** Long enough for every trigger to poll. */
	quietMs: number;
	/** How n8n keeps state. */
	settings?: Record<string, string>;
	/** State goes by the id of a node, so that it may be renamed. */
	isKeptById?: boolean;
}

/** What triggers in a real n8n tell, through all that happens to a workflow. */
export function describeTrigger(
	name: string,
	folder: string,
	{ pollTimes, quietMs, settings, isKeptById }: Circumstances,
): void {
	const written = { userFolder: join(FOLDERS, folder), log: join(OUTPUT, `${folder}-n8n.log`) };
	let service: Service;
	let process_: N8nProcess;
	let n8n: N8nClient;
	let credential: Credential;
	const workflows: Record<string, Workflow> = {};
	const expected: Record<string, string[]> = { everything: [], companies: [], existing: [], example: [], changes: [] };

	async function start(): Promise<void> {
		process_ = await startN8n(await obtainN8n(VERSION), {
			...written,
			settings: { N8N_LOG_LEVEL: 'debug', ...settings },
		});
		n8n = new N8nClient(process_.url);
		await n8n.enter(OWNER);
	}

	function triggerNode(parameters: Record<string, unknown>): WorkflowNode {
		return {
			id: randomUUID(),
			name: 'Trigger',
			type: TRIGGER_TYPE,
			typeVersion: 1,
			position: [0, 0],
			parameters: { pollTimes: { item: pollTimes }, ...parameters },
			credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
		};
	}

	/** Until the trigger has had its first look; n8n 2.x answers before that. */
	async function activate(key: string): Promise<void> {
		const isActive = `Activated trigger node "${workflows[key].nodes[0].name}" for workflow "${workflows[key].name}"`;
		const count = () => readFileSync(written.log, 'utf8').split(isActive).length;
		const before = count();
		await n8n.activate(workflows[key].id);
		while (!VERSION.startsWith('1.') && count() === before) await sleep(250);
	}

	async function create(key: string, draft: Omit<WorkflowDraft, 'name'>): Promise<void> {
		workflows[key] = await n8n.createWorkflow({ ...draft, name: `Trigger ${key}` });
		await activate(key);
	}

	async function activateTrigger(key: string, parameters: Record<string, unknown>): Promise<void> {
		// Nothing comes after the trigger, so what it tells is the outcome of the run.
		await create(key, { nodes: [triggerNode(parameters)], connections: {}, settings: { executionOrder: 'v1' } });
	}

	const add = async (fields: Partial<Client>) => (await service.control('POST', '/clients', fields)).reference_id;
	const setStatus = async (id: string, request_status: string) =>
		await service.control('PATCH', `/clients/${id}`, { request_status });
	const remove = async (id: string) => await service.control('DELETE', `/clients/${id}`);

	async function told(key: string): Promise<string[]> {
		const runs = await n8n.runs(workflows[key].id);
		expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
		const events = runs.flatMap((run) => TRIGGER_NAMES.flatMap((node) => run.items(node)));
		// n8n 1.x lets a poll finish while the workflow is saved, and goes on from the state before it.
		const once = VERSION.startsWith('1.') ? [...new Map(events.map((item) => [item.event_id, item])).values()] : events;
		return once
			.map(({ event, reference_id, previous_request_status }) =>
				[event, reference_id, previous_request_status].filter(Boolean).join(' '),
			)
			.sort();
	}

	/** Waits for these events, on top of what was told before; more than these are as wrong as fewer. */
	async function expectTold(news: Record<string, string[]>): Promise<void> {
		for (const [key, events] of Object.entries(news)) expected[key].push(...events);
		const deadline = Date.now() + TOLD_WITHIN_MS;
		for (const key of Object.keys(workflows)) {
			while ((await told(key)).length < expected[key].length && Date.now() < deadline) await sleep(1_000);
			expect([key, ...(await told(key))]).toEqual([key, ...expected[key].sort()]);
		}
	}

	/** Until some polls have come and gone, so that none is under way. */
	async function untilPollsAreOver(): Promise<void> {
		let seen = service.listRequests().length;
		while (service.listRequests().length === seen) await sleep(50);
		while (service.listRequests().length > seen) {
			seen = service.listRequests().length;
			await sleep(2 * SLOW_MS);
		}
	}

	/** Something happens, and then all triggers are in the middle of a poll that sees it. */
	async function happenDuringPolls(happen: () => Promise<string>): Promise<string> {
		service.app.schedule(`latency:ms=${SLOW_MS}`);
		await untilPollsAreOver();
		const id = await happen();
		const seen = service.listRequests().length;
		while (service.listRequests().length === seen) await sleep(50);
		await sleep(SLOW_MS / 4);
		return id;
	}

	describe(`The trigger in a real n8n, ${name},`, () => {
		let company: string;

		beforeAll(async () => {
			service = await startService({ clients: 30, control: true });
			await placePackage(TARBALL, written.userFolder);
			await start();
			credential = await n8n.createCredential('Trigger', CREDENTIAL_TYPE, service.credential);
			company = await add({ client_type: 'company', request_status: 'Pending' });
		}, STEP_MS);
		afterAll(async () => await process_?.stop());

		it(
			'tells at its first activation what is there only where asked to',
			async () => {
				await activateTrigger('existing', { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
				await expectTold({
					existing: service.app
						.environment('sandbox')
						.clients.ids()
						.map((id) => `clientCreated ${id}`),
				});
				await activateTrigger('everything', { triggerOn: ALL_EVENTS, stalledAfterDays: 10_000 });
				await activateTrigger('companies', {
					triggerOn: ['clientCreated', 'requestStatusChanged'],
					filters: { clientType: 'company' },
				});
				const example = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as WorkflowDraft;
				example.nodes[0].parameters.pollTimes = { item: pollTimes };
				await create('example', withCredential(example, credential));
				await expectTold({});
			},
			STEP_MS,
		);

		it(
			'tells exactly what happened between two polls, and the example makes a message of it',
			async () => {
				const individual = await add({
					client_type: 'individual',
					request_status: 'Completed',
					client_name: 'Ada',
					group_name: 'Retail',
					email: 'ada@example.com',
				});
				await setStatus(company, 'declined');
				const gone = service.app.environment('sandbox').clients.ids()[0];
				const { request_status } = await remove(gone);
				await expectTold({
					everything: [
						`clientCreated ${individual}`,
						`requestStatusChanged ${company} Pending`,
						`clientRemoved ${gone} ${request_status}`,
					],
					companies: [`requestStatusChanged ${company} Pending`],
					existing: [`clientCreated ${individual}`],
					example: [`clientCreated ${individual}`],
				});
				const runs = await n8n.runs(workflows.example.id);
				expect(runs.flatMap((run) => run.items('Message'))).toEqual([
					{ message: 'Ada (Retail) has completed onboarding. E-mail: ada@example.com' },
				]);
			},
			STEP_MS,
		);

		it(
			'tells after a restart what happened meanwhile, and nothing twice',
			async () => {
				await process_.stop();
				await setStatus(company, 'pending');
				const late = await add({ client_type: 'company', request_status: 'Requested' });
				await start();
				await expectTold({
					everything: [`requestStatusChanged ${company} Declined`, `clientCreated ${late}`],
					companies: [`requestStatusChanged ${company} Declined`, `clientCreated ${late}`],
					existing: [`clientCreated ${late}`],
				});
			},
			STEP_MS,
		);

		it(
			'tells nothing because its filter is edited, and from then on what the new filter lets through',
			async () => {
				const overlooked = await add({ client_type: 'individual', request_status: 'Pending' });
				// When this one has been told, the other one was seen as well and left out.
				const barrier = await add({ client_type: 'company', request_status: 'Pending' });
				await expectTold({
					everything: [`clientCreated ${overlooked}`, `clientCreated ${barrier}`],
					companies: [`clientCreated ${barrier}`],
					existing: [`clientCreated ${overlooked}`, `clientCreated ${barrier}`],
				});
				const { nodes } = await n8n.workflow(workflows.companies.id);
				const parameters = { ...nodes[0].parameters, filters: { clientType: 'individual' } };
				await n8n.updateWorkflow(workflows.companies.id, [{ ...nodes[0], parameters }]);
				await activate('companies');
				await expectTold({});
				await setStatus(company, 'accepted');
				await setStatus(overlooked, 'completed');
				await expectTold({
					everything: [`requestStatusChanged ${company} Pending`, `requestStatusChanged ${overlooked} Pending`],
					companies: [`requestStatusChanged ${overlooked} Pending`],
					example: [`requestStatusChanged ${overlooked} Pending`],
				});
			},
			STEP_MS,
		);

		it(
			'tells when it is activated again what happened while it was not',
			async () => {
				await n8n.deactivate(workflows.everything.id);
				const meanwhile = await add({ client_type: 'company', request_status: 'Accepted' });
				await expectTold({ existing: [`clientCreated ${meanwhile}`] });
				await activate('everything');
				await expectTold({ everything: [`clientCreated ${meanwhile}`] });
			},
			STEP_MS,
		);

		it(
			'loses and repeats nothing when n8n is killed between two polls',
			async () => {
				process.kill(-process_.pid, 'SIGKILL');
				await process_.ended;
				await setStatus(company, 'completed');
				const last = await add({ client_type: 'individual', request_status: 'Declined' });
				await start();
				await expectTold({
					everything: [`requestStatusChanged ${company} Accepted`, `clientCreated ${last}`],
					companies: [`clientCreated ${last}`],
					existing: [`clientCreated ${last}`],
					example: [`requestStatusChanged ${company} Accepted`],
				});
			},
			STEP_MS,
		);

		it(
			'tells what happened while n8n was off to a client whose coming was not told, also with another key',
			async () => {
				await activateTrigger('changes', { triggerOn: ['requestStatusChanged'] });
				const runs = async () => (await n8n.runs(workflows.changes.id)).length;
				// The first look is stored in the same way.
				while ((await runs()) === 0) await sleep(1_000);
				const before = await runs();
				const quiet = await add({ client_type: 'company', request_status: 'Pending' });
				await expectTold({ everything: [`clientCreated ${quiet}`], existing: [`clientCreated ${quiet}`] });
				// What was learnt is stored with an execution without items.
				const deadline = Date.now() + TOLD_WITHIN_MS;
				while ((await runs()) === before && Date.now() < deadline) await sleep(1_000);
				expect(await runs()).toBe(before + 1);
				const apiKey = `key-${randomUUID()}`;
				service.app.rotateKey('sandbox', apiKey);
				await n8n.updateCredential(credential, { ...service.credential, apiKey });
				await process_.stop();
				await setStatus(quiet, 'accepted');
				await start();
				const change = `requestStatusChanged ${quiet} Pending`;
				await expectTold({ everything: [change], changes: [change] });
			},
			STEP_MS,
		);

		it(
			'tells what a poll was about to tell when n8n was killed',
			async () => {
				const news = await happenDuringPolls(
					async () => await add({ client_type: 'individual', request_status: 'Accepted' }),
				);
				process.kill(-process_.pid, 'SIGKILL');
				await process_.ended;
				service.app.clearFaults();
				await start();
				const event = `clientCreated ${news}`;
				await expectTold({ everything: [event], companies: [event], existing: [event] });
			},
			STEP_MS,
		);

		it(
			`tells what a poll was about to tell when the workflow was saved${isKeptById ? ' with another name for the node' : ''}`,
			async () => {
				const news = await happenDuringPolls(
					async () => await add({ client_type: 'individual', request_status: 'Accepted' }),
				);
				const [node] = (await n8n.workflow(workflows.everything.id)).nodes;
				const parameters = { ...node.parameters, stalledAfterDays: 9_999 };
				const name = isKeptById ? 'Renamed' : node.name;
				workflows.everything = await n8n.updateWorkflow(workflows.everything.id, [{ ...node, name, parameters }]);
				service.app.clearFaults();
				await activate('everything');
				const event = `clientCreated ${news}`;
				await expectTold({ everything: [event], companies: [event], existing: [event] });
			},
			STEP_MS,
		);

		it(
			'is quiet when nothing happens',
			async () => {
				const before = service.listRequests().length;
				await sleep(quietMs);
				expect(service.listRequests().length).toBeGreaterThanOrEqual(before + Object.keys(workflows).length);
				await expectTold({});
			},
			STEP_MS,
		);
	});
}
