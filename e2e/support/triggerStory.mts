import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../sandbox/data/client.mts';
import { N8nClient, type Credential, type Workflow, type WorkflowDraft } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../tools/n8n/examples.mts';
import type { N8nProcess } from '../../tools/n8n/server.mts';
import type { Host } from './hosts.mts';
import { startService, type Service } from './service.mts';
import { OWNER, VERSION } from './shared.mts';
import { activateTrigger, triggerNode } from './trigger.mts';
import { until } from './until.mts';
import { chainFrom } from './workflow.mts';

const MESSAGE = {
	name: 'Message',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [
				{ id: 'message', name: 'message', type: 'string', value: '={{ $json.client_name }} has completed' },
			],
		},
		options: {},
	},
};
const ALL_EVENTS = ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged'];
const TRIGGER_NAMES = ['Trigger', 'Renamed', 'Client Onboarding Trigger'];
const STEP_MS = 400_000;

/** Parts of the test after the first activation, always in this order. */
type Chapter = 'restarts' | 'edits' | 'idle' | 'events';

export interface Circumstances {
	host: Host;
	/** n8n has no interval below a minute, but allows several times in a minute. */
	pollTimes: object[];
	/** Long enough for every trigger to poll. */
	pollsWithinMs: number;
	/** Whether n8n saves the state by the ID of the node, so that the node can be renamed. */
	isKeptById?: boolean;
	chapters: Chapter[];
}

/** The events of triggers in a real n8n through restarts, edits and outages. */
export function describeTrigger(
	name: string,
	{ host, pollTimes, pollsWithinMs, isKeptById, chapters }: Circumstances,
): void {
	let service: Service;
	let process_: N8nProcess;
	let n8n: N8nClient;
	let credential: Credential;
	const workflows: Record<string, Workflow> = {};
	/** Triggers whose request for the list is held back. Undefined: none is. */
	let heldRequests: (() => void)[] | undefined;
	const expected: Record<string, string[]> = {
		everything: [],
		companies: [],
		existing: [],
		messages: [],
		changes: [],
		others: [],
		many: [],
	};

	async function start(): Promise<void> {
		process_ = await host.start();
		n8n = new N8nClient(process_.url);
		await n8n.enter(OWNER);
	}

	const activate = async (key: string) => await activateTrigger(n8n, host, workflows[key]);

	async function create(key: string, draft: Omit<WorkflowDraft, 'name'>): Promise<void> {
		workflows[key] = await n8n.createWorkflow({ ...draft, name: `Trigger ${key}` });
		await activate(key);
	}

	async function createTrigger(key: string, parameters: Record<string, unknown>): Promise<void> {
		// No node follows the trigger, so what it emits is the output of the execution.
		await create(key, {
			nodes: [triggerNode(credential, pollTimes, parameters)],
			connections: {},
			settings: { executionOrder: 'v1' },
		});
	}

	async function deactivateAll(): Promise<void> {
		for (const [key, { id }] of Object.entries(workflows)) {
			await n8n.deactivate(id);
			delete workflows[key];
		}
	}

	const add = async (fields: Partial<Client>) => (await service.control('POST', '/clients', fields)).reference_id;
	const setStatus = async (id: string, request_status: string) =>
		await service.control('PATCH', `/clients/${id}`, { request_status });
	const remove = async (id: string) => await service.control('DELETE', `/clients/${id}`);

	async function emitted(key: string): Promise<string[]> {
		const runs = await n8n.runs(workflows[key].id);
		expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
		const events = runs.flatMap((run) => TRIGGER_NAMES.flatMap((node) => run.items(node)));
		// n8n may give two polls the same state: 1.x while the workflow is saved, 2.x with durable cursors if the second poll starts
		// before n8n has saved the state of the first. The events of the second have the IDs of the first.
		const mayRepeat = VERSION.startsWith('1.') || isKeptById;
		const once = mayRepeat ? [...new Map(events.map((item) => [item.event_id, item])).values()] : events;
		return once
			.map(({ event, reference_id, previous_request_status }) =>
				[event, reference_id, previous_request_status].filter(Boolean).join(' '),
			)
			.sort();
	}

	/** Waits for these events in addition to the earlier ones, and expects no others. */
	async function expectEmitted(news: Record<string, string[]>): Promise<void> {
		for (const [key, events] of Object.entries(news)) expected[key].push(...events);
		for (const key of Object.keys(workflows)) {
			await until(async () => (await emitted(key)).length >= expected[key].length);
			expect([key, ...(await emitted(key))]).toEqual([key, ...expected[key].sort()]);
		}
	}

	/** Acts while every trigger is in the middle of a poll that will see a new client. Returns the ID of the client. */
	async function actDuringPolls(client: Partial<Client>, act: () => Promise<void>): Promise<string> {
		heldRequests = [];
		const id = await add(client);
		await until(() => heldRequests?.length === Object.keys(workflows).length, 50);
		await act();
		const held = heldRequests;
		heldRequests = undefined;
		for (const respond of held) respond();
		return id;
	}

	describe(`The trigger in a real n8n, ${name},`, () => {
		let company: string;
		const statusOf = (id: string) => service.app.environment('sandbox').clients.get(id)?.request_status;

		beforeAll(async () => {
			service = await startService({
				clients: 30,
				control: true,
				onRequest: async ({ endpoint }) => {
					if (heldRequests && endpoint === 'list') await new Promise<void>((respond) => heldRequests?.push(respond));
				},
			});
			await start();
			credential = await n8n.createCredential('Trigger', CREDENTIAL_TYPE, service.credential);
			company = await add({ client_type: 'company', request_status: 'Pending' });
		}, STEP_MS);
		afterAll(async () => await host.stop());

		it(
			'emits existing clients at its first activation only if that is chosen',
			async () => {
				await createTrigger('existing', { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
				await expectEmitted({
					existing: service.app
						.environment('sandbox')
						.clients.ids()
						.map((id) => `clientCreated ${id}`),
				});
				await createTrigger('everything', { triggerOn: ALL_EVENTS, stalledAfterDays: 10_000 });
				await createTrigger('companies', {
					triggerOn: ['clientCreated', 'requestStatusChanged'],
					filters: { clientType: 'company' },
				});
				const completed = {
					triggerOn: ['clientCreated', 'requestStatusChanged'],
					filters: { requestStatus: ['completed'] },
				};
				await create('messages', chainFrom(triggerNode(credential, pollTimes, completed), MESSAGE));
				await expectEmitted({});
			},
			STEP_MS,
		);

		it(
			'emits exactly the changes between two polls, and the next node gets them',
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
				await expectEmitted({
					everything: [
						`clientCreated ${individual}`,
						`requestStatusChanged ${company} Pending`,
						`clientRemoved ${gone} ${request_status}`,
					],
					companies: [`requestStatusChanged ${company} Pending`],
					existing: [`clientCreated ${individual}`],
					messages: [`clientCreated ${individual}`],
				});
				const runs = await n8n.runs(workflows.messages.id);
				expect(runs.flatMap((run) => run.items('Message'))).toEqual([{ message: 'Ada has completed' }]);
			},
			STEP_MS,
		);

		if (chapters.includes('restarts')) {
			it(
				'emits exactly the changes that happened while n8n was off, also for a client added without an event, and with a rotated key',
				async () => {
					await createTrigger('changes', { triggerOn: ['requestStatusChanged'] });
					const runs = async () => (await n8n.runs(workflows.changes.id)).length;
					// The baseline is saved in the same way.
					await until(async () => (await runs()) > 0);
					const before = await runs();
					const added = await add({ client_type: 'individual', request_status: 'Pending' });
					await expectEmitted({ everything: [`clientCreated ${added}`], existing: [`clientCreated ${added}`] });
					// The new client is saved by an execution without items.
					await until(async () => (await runs()) > before);
					expect(await runs()).toBe(before + 1);
					const apiKey = `key-${randomUUID()}`;
					service.app.rotateKey('sandbox', apiKey);
					await n8n.updateCredential(credential, { ...service.credential, apiKey });
					await process_.stop();
					await setStatus(added, 'accepted');
					await setStatus(company, 'completed');
					const late = await add({ client_type: 'company', request_status: 'Requested' });
					await start();
					const ofAdded = `requestStatusChanged ${added} Pending`;
					const ofCompany = `requestStatusChanged ${company} Declined`;
					await expectEmitted({
						everything: [ofAdded, ofCompany, `clientCreated ${late}`],
						changes: [ofAdded, ofCompany],
						companies: [ofCompany, `clientCreated ${late}`],
						existing: [`clientCreated ${late}`],
						messages: [ofCompany],
					});
					await n8n.deactivate(workflows.changes.id);
					delete workflows.changes;
				},
				STEP_MS,
			);

			it(
				'emits every change once when n8n is killed between two polls',
				async () => {
					process.kill(-process_.pid, 'SIGKILL');
					await process_.ended;
					const before = statusOf(company);
					await setStatus(company, 'accepted');
					const last = await add({ client_type: 'individual', request_status: 'Declined' });
					await start();
					await expectEmitted({
						everything: [`requestStatusChanged ${company} ${before}`, `clientCreated ${last}`],
						companies: [`requestStatusChanged ${company} ${before}`],
						existing: [`clientCreated ${last}`],
					});
				},
				STEP_MS,
			);

			it(
				'emits the event of a poll during which n8n was killed',
				async () => {
					const news = await actDuringPolls({ client_type: 'company', request_status: 'Accepted' }, async () => {
						process.kill(-process_.pid, 'SIGKILL');
						await process_.ended;
					});
					await start();
					const event = `clientCreated ${news}`;
					await expectEmitted({ everything: [event], companies: [event], existing: [event] });
				},
				STEP_MS,
			);
		}

		if (chapters.includes('edits')) {
			it(
				'emits nothing when its filter is edited, and then only what matches the new filter',
				async () => {
					const filteredOut = await add({ client_type: 'individual', request_status: 'Pending' });
					// When every trigger has emitted this one, each has seen the other one as well.
					const barrier = await add({ client_type: 'company', request_status: 'Completed' });
					await expectEmitted({
						everything: [`clientCreated ${filteredOut}`, `clientCreated ${barrier}`],
						companies: [`clientCreated ${barrier}`],
						messages: [`clientCreated ${barrier}`],
						existing: [`clientCreated ${filteredOut}`, `clientCreated ${barrier}`],
					});
					const { nodes } = await n8n.workflow(workflows.companies.id);
					const parameters = { ...nodes[0].parameters, filters: { clientType: 'individual' } };
					await n8n.updateWorkflow(workflows.companies.id, [{ ...nodes[0], parameters }]);
					await activate('companies');
					await expectEmitted({});
					const before = statusOf(company);
					await setStatus(company, 'requested');
					await setStatus(filteredOut, 'completed');
					await expectEmitted({
						everything: [`requestStatusChanged ${company} ${before}`, `requestStatusChanged ${filteredOut} Pending`],
						companies: [`requestStatusChanged ${filteredOut} Pending`],
						messages: [`requestStatusChanged ${filteredOut} Pending`],
					});
				},
				STEP_MS,
			);

			it(
				'emits the changes that happened while it was inactive',
				async () => {
					await n8n.deactivate(workflows.everything.id);
					const meanwhile = await add({ client_type: 'company', request_status: 'Accepted' });
					await expectEmitted({ existing: [`clientCreated ${meanwhile}`] });
					await activate('everything');
					await expectEmitted({ everything: [`clientCreated ${meanwhile}`] });
				},
				STEP_MS,
			);

			it(
				`emits the event of a poll during which the workflow was saved${isKeptById ? ' with another name for the node' : ''}`,
				async () => {
					const news = await actDuringPolls({ client_type: 'individual', request_status: 'Accepted' }, async () => {
						const [node] = (await n8n.workflow(workflows.everything.id)).nodes;
						const parameters = { ...node.parameters, stalledAfterDays: 9_999 };
						const name = isKeptById ? 'Renamed' : node.name;
						workflows.everything = await n8n.updateWorkflow(workflows.everything.id, [{ ...node, name, parameters }]);
						await activate('everything');
					});
					const event = `clientCreated ${news}`;
					await expectEmitted({ everything: [event], companies: [event], existing: [event] });
				},
				STEP_MS,
			);
		}

		if (chapters.includes('idle')) {
			it(
				'makes no execution when nothing happens',
				async () => {
					const before = service.listRequests().length;
					await sleep(pollsWithinMs);
					// On a busy machine, n8n polls late.
					await until(() => service.listRequests().length >= before + Object.keys(workflows).length);
					await expectEmitted({});
				},
				STEP_MS,
			);
		}

		if (host.workerOf) {
			it('runs its executions in workers', async () => {
				const runs = await Promise.all(Object.values(workflows).map(async ({ id }) => await n8n.runs(id)));
				expect(runs.flat().filter(({ id }) => !host.workerOf?.(id))).toEqual([]);
			});
		}

		if (chapters.includes('events')) {
			it(
				'emits clients that reach a chosen status, are updated or stall',
				async () => {
					await deactivateAll();
					const [reached, updated, stalled] = await Promise.all(
						[1, 2, 3].map(async () => await add({ request_status: 'Accepted' })),
					);
					await createTrigger('others', {
						triggerOn: ['statusReached', 'clientUpdated', 'clientStalled'],
						statusBecomes: ['declined'],
						watchedFields: ['email'],
						stalledStatuses: ['pending'],
						stalledAfterDays: 0,
					});
					await setStatus(reached, 'declined');
					await service.control('PATCH', `/clients/${updated}`, { email: 'new@example.com' });
					await setStatus(stalled, 'pending');
					await expectEmitted({
						others: [`statusReached ${reached} Accepted`, `clientUpdated ${updated}`, `clientStalled ${stalled}`],
					});
				},
				STEP_MS,
			);

			it(
				'emits 2,500 new clients in three polls, at most 1,000 in each',
				async () => {
					await deactivateAll();
					await createTrigger('many', { triggerOn: ['clientCreated'] });
					const { clients } = service.app.environment('sandbox');
					const added = Array.from({ length: 2_500 }, () => clients.add({}).reference_id);
					await expectEmitted({ many: added.map((id) => `clientCreated ${id}`) });
					const counts = (await n8n.runs(workflows.many.id)).map((run) => run.items('Trigger').length);
					expect(counts.filter((count) => count > 0).sort()).toEqual([1_000, 1_000, 500]);
				},
				STEP_MS,
			);
		}
	});
}
