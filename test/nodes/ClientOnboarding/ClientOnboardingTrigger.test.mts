import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Clients } from '../../../sandbox/data/clients.mts';
import { Poller, type PollerOptions } from '../../support/poller.mts';
import { startService, type Service } from '../../support/service.mts';

const ALL_EVENTS = ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged'];
const DAY_MS = 24 * 60 * 60 * 1000;

let service: Service;
let clients: Clients;

beforeEach(async () => {
	service = await startService({ clients: 12 });
	({ clients } = service.app.environment('sandbox'));
});

async function activated(parameters: INodeParameters, options?: PollerOptions): Promise<Poller> {
	const poller = new Poller(service.engine, parameters, options);
	expect(await poller.activate()).toEqual([]);
	return poller;
}

/** What matters of events: who, what, and from which status. */
const briefly = (events: IDataObject[]) =>
	events.map(({ event, reference_id, previous_request_status }) =>
		[event, reference_id, previous_request_status].filter(Boolean).join(' '),
	);

/** Gives the oldest client this status; returns its id. */
function withStatus(status: string): string {
	return clients.setStatus(clients.ids()[0], status).reference_id;
}

describe.each<[string, PollerOptions]>([
	['n8n keeps static data', {}],
	['n8n keeps durable cursors', { hasDurableCursors: true }],
])('The trigger, where %s,', (_, options) => {
	it('tells nothing of the clients that are there when it is activated', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		expect(await poller.poll()).toEqual([]);
	});

	it('tells a new client once, with all its fields', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const client = clients.add({ client_name: 'Ada' });
		const [event, ...others] = await poller.poll();
		expect(event).toEqual({ ...client, event: 'clientCreated', event_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
		expect(others).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});

	it('tells every change of status once, also back and forth', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'] }, options);
		const ids = new Set<unknown>();
		for (const [from, to] of [
			['Pending', 'Declined'],
			['Declined', 'Pending'],
			['Pending', 'Declined'],
		]) {
			clients.setStatus(id, to);
			const events = await poller.poll();
			expect(briefly(events)).toEqual([`requestStatusChanged ${id} ${from}`]);
			expect(events[0].request_status).toBe(to);
			ids.add(events[0].event_id);
			expect(await poller.poll()).toEqual([]);
		}
		expect(ids.size).toBe(3);
	});

	it.each([false, true])('tells who was removed; with name and e-mail address: %p', async (rememberNames) => {
		const id = withStatus('accepted');
		const poller = await activated({ triggerOn: ['clientRemoved'], options: { rememberNames } }, options);
		const { client_name, email } = clients.remove(id);
		expect(await poller.poll()).toEqual([
			{
				reference_id: id,
				...(rememberNames && { client_name, email }),
				reference_id_hash: createHash('sha256').update(id).digest('hex').slice(0, 10),
				previous_request_status: 'Accepted',
				event: 'clientRemoved',
				event_id: expect.any(String),
			},
		]);
		expect(await poller.poll()).toEqual([]);
	});

	it('remembers the first look until n8n has stored it', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const early = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${early.reference_id}`]);
	});

	it('tells after a restart what happened meanwhile', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		await poller.poll();
		const client = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(await poller.restart()).toEqual([]);
	});

	it('tells what happened while n8n was off right after the workflow was activated', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const client = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
	});

	it('tells what happened while n8n was off to clients whose coming was not told', async () => {
		const poller = await activated({ triggerOn: ['clientRemoved', 'requestStatusChanged'] }, options);
		const [first, second] = [clients.add(), clients.add()].map(({ reference_id: id }) => id);
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(first, 'declined');
		clients.remove(second);
		const told = await poller.restart();
		expect(briefly(told)).toEqual([`requestStatusChanged ${first} Pending`, `clientRemoved ${second} Pending`]);
		expect(await poller.restart()).toEqual([]);
	});

	it('tells what a poll had found whose result n8n threw away', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		const client = clients.add();
		await poller.pollForNobody();
		expect(briefly(await poller.reload())).toEqual([`clientCreated ${client.reference_id}`]);
		const later = clients.add();
		await poller.pollForNobody();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${later.reference_id}`]);
	});

	it('tells nothing twice and loses nothing where two processes take turns', async () => {
		const parameters = { triggerOn: ['clientRemoved', 'requestStatusChanged'] };
		const first = await activated(parameters, options);
		const second = new Poller(service.engine, parameters, options);
		const lead = async (leader: Poller, { saved }: Poller) => {
			leader.saved = saved;
			return await leader.reload();
		};
		const { reference_id: goes } = clients.add();
		expect(await first.poll()).toEqual([]);
		expect(await lead(second, first)).toEqual([]);
		clients.remove(goes);
		expect(await second.poll()).toMatchObject([{ event: 'clientRemoved' }]);
		expect(await lead(first, second)).toEqual([]);
		const changes = clients.ids()[0];
		const { request_status: before } = clients.get(changes) as { request_status: string };
		clients.setStatus(changes, before === 'Declined' ? 'pending' : 'declined');
		expect(briefly(await lead(second, first))).toEqual([`requestStatusChanged ${changes} ${before}`]);
		expect(await lead(first, second)).toEqual([]);
	});

	it('goes on under another name where n8n keeps durable cursors, and starts anew elsewhere', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const client = clients.add();
		const news = [`clientCreated ${client.reference_id}`];
		expect(briefly(await poller.rename('Renamed'))).toEqual(options.hasDurableCursors ? news : []);
		const later = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${later.reference_id}`]);
	});

	it('goes on with another key of the same account, and misses nothing', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		service.app.rotateKey('sandbox', 'another-key-of-the-account');
		service.engine.edit({ apiKey: 'another-key-of-the-account' });
		const client = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('starts anew with another account, and says so once in a failed execution', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		const other = await startService({ clients: 5 });
		service.engine.edit({ sandboxBaseUrl: other.environments.sandbox.url, apiKey: other.environments.sandbox.apiKey });
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{
				message: 'The credential belongs to another account or address than before',
				description: expect.stringContaining('starts anew'),
			},
		]);
		const client = other.app.environment('sandbox').clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('starts anew with a key under which nobody is listed, when the next poll agrees', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		service.app.rotateKey('sandbox', 'key-without-clients');
		service.engine.edit({ apiKey: 'key-without-clients' });
		for (const id of clients.ids()) clients.remove(id);
		await expect(poller.poll()).rejects.toThrow('The credential was changed, and nobody is listed with it');
		expect(poller.failures).toEqual([]);
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{ message: 'The credential belongs to another account or address than before' },
		]);
		const client = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('goes on where a new key showed nobody once', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		service.app.rotateKey('sandbox', 'another-key-of-the-account');
		service.engine.edit({ apiKey: 'another-key-of-the-account' });
		const all = [...clients.all()];
		for (const { reference_id: id } of all) clients.remove(id);
		await expect(poller.poll()).rejects.toThrow('nobody is listed with it');
		for (const client of all) clients.add(client);
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures).toEqual([]);
	});

	it('starts anew where n8n has lost what it remembered, and says so once in a failed execution', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		poller.saved = undefined;
		expect(await poller.restart()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{
				message: 'n8n has nothing stored of what this trigger remembered',
				description: expect.stringContaining('was not told'),
			},
		]);
		const client = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('says so as well where the workflow is only saved, but has run before', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		poller.saved = undefined;
		poller.global = { seen: 1 };
		expect(await poller.edit({ triggerOn: ['clientCreated'] })).toEqual([]);
		expect(poller.failures).toHaveLength(1);
	});

	it('tells once that a client is gone whose coming was not told', async () => {
		const poller = await activated({ triggerOn: ['clientRemoved'] }, options);
		const { reference_id: id } = clients.add();
		expect(await poller.poll()).toEqual([]);
		clients.remove(id);
		expect(await poller.poll()).toHaveLength(1);
		expect(await poller.poll()).toEqual([]);
	});

	it('tells nothing twice after an edit, and nothing that the filters of that time left out', async () => {
		const poller = await activated(
			{ triggerOn: ['clientCreated', 'requestStatusChanged'], filters: { clientType: 'company' } },
			options,
		);
		clients.add({ client_type: 'individual' });
		const company = clients.add({ client_type: 'company' });
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${company.reference_id}`]);
		clients.add({ client_type: 'individual' });
		expect(await poller.poll()).toEqual([]);
		const parameters = { triggerOn: ['clientCreated', 'requestStatusChanged'], filters: { clientType: 'individual' } };
		expect(await poller.edit(parameters)).toEqual([]);
		const individual = clients.add({ client_type: 'individual' });
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${individual.reference_id}`]);
	});
});

describe('The trigger', () => {
	it('tells all existing clients at its first activation where the user wants it so, once', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
		expect((await poller.activate()).map(({ reference_id }) => reference_id).sort()).toEqual(service.ids());
		expect(await poller.activate()).toEqual([]);
	});

	it('gives the events of one poll in the order of creation', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] });
		clients.add({ reference_id: 'b', created_at: '2026-02-01T00:00:00.000Z' });
		clients.add({ reference_id: 'c', created_at: '2026-03-01T00:00:00.000Z' });
		clients.add({ reference_id: 'a', created_at: '2026-01-01T00:00:00.000Z' });
		expect((await poller.poll()).map(({ reference_id }) => reference_id)).toEqual(['a', 'b', 'c']);
	});

	it('tells only changes to the statuses of "Status Becomes"', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'], statusBecomes: ['declined', 'completed'] });
		clients.setStatus(id, 'accepted');
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(id, 'completed');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Accepted`]);
	});

	it('takes a client that reaches the status of the filter for a change, not for a new client', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'], filters: { requestStatus: ['completed'] } });
		const { reference_id: id } = clients.add({ request_status: 'Pending' });
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(id, 'completed');
		expect(await poller.poll()).toEqual([]);
		const other = clients.add({ request_status: 'Completed' });
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${other.reference_id}`]);
	});

	it('minds no case: a status that is only written otherwise has not changed', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.app.setDialect({ statusCase: 'lower' });
		expect(await poller.poll()).toEqual([]);
	});

	it('follows statuses nobody knows', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'] });
		clients.setStatus(id, 'In review');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
		clients.setStatus(id, 'pending');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} In review`]);
	});

	it('tells of a removed client only where it matched the filters when last seen', async () => {
		const poller = await activated({
			triggerOn: ['clientRemoved'],
			filters: { groupName: { mode: 'name', value: 'Kept apart' } },
		});
		const { reference_id: id } = clients.add({ group_name: 'Kept apart' });
		await poller.poll();
		clients.remove(clients.ids()[0]);
		expect(await poller.poll()).toEqual([]);
		clients.remove(id);
		expect((await poller.poll()).map(({ event }) => event)).toEqual(['clientRemoved']);
	});

	it('starts quietly where an event is looked for that was not looked for before', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] });
		clients.setStatus(id, 'declined');
		expect(
			await poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged', 'clientStalled'], stalledAfterDays: 0 }),
		).toEqual([]);
		clients.setStatus(id, 'accepted');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Declined`]);
	});

	it('has the same event_id for an event that is told again', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const { saved } = poller;
		clients.setStatus(id, 'declined');
		clients.remove(clients.ids()[5]);
		clients.add();
		const told = await poller.poll();
		expect(told).toHaveLength(3);
		expect(await poller.restart(saved)).toEqual(told);
	});

	it('has the same event_id for a status reached, whether the way to it was seen or not', async () => {
		const poller = await activated({ triggerOn: ['statusReached'], statusBecomes: ['declined'] });
		const { saved } = poller;
		const { reference_id: id } = clients.add({ request_status: 'Pending' });
		await poller.poll();
		clients.setStatus(id, 'declined');
		const [seen] = await poller.poll();
		const [unseen] = await poller.restart(saved);
		expect(unseen.event_id).toBe(seen.event_id);
		clients.setStatus(id, 'pending');
		await poller.poll();
		clients.setStatus(id, 'declined');
		const [again] = await poller.poll();
		expect(again.event_id).not.toBe(seen.event_id);
	});
});

describe('A stalled client', () => {
	const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
	const parameters = { triggerOn: ['clientStalled'], stalledAfterDays: 3, stalledStatuses: ['pending', 'requested'] };

	/** Lets so many days pass. */
	function wait(days: number): void {
		const later = Date.now() + days * DAY_MS;
		jest.spyOn(Date, 'now').mockImplementation(() => later);
	}

	afterEach(() => {
		jest.restoreAllMocks();
	});

	it('is told when its time has come, once for each stay in a status', async () => {
		const { reference_id: id } = clients.add({ request_status: 'Pending', created_at: daysAgo(2) });
		const poller = await activated(parameters);
		wait(1.1);
		expect(briefly(await poller.poll())).toEqual([`clientStalled ${id}`]);
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(id, 'accepted');
		await poller.poll();
		clients.setStatus(id, 'pending');
		expect(await poller.poll()).toEqual([]);
		wait(3.1);
		const [again, ...others] = await poller.poll();
		expect(again).toMatchObject({ event: 'clientStalled', reference_id: id });
		expect(others).toEqual([]);
	});

	it('is counted from when it got there, also over a restart', async () => {
		const { reference_id: id } = clients.add({ request_status: 'Accepted', created_at: daysAgo(30) });
		const poller = await activated(parameters);
		clients.setStatus(id, 'pending');
		expect(await poller.poll()).toEqual([]);
		wait(2.9);
		expect(await poller.restart()).toEqual([]);
		wait(0.2);
		expect(briefly(await poller.poll())).toEqual([`clientStalled ${id}`]);
	});

	it('is told again every so many days, as long as it stays, and with how long that is', async () => {
		for (const other of clients.ids()) clients.setStatus(other, 'accepted');
		const { reference_id: id } = clients.add({ request_status: 'Pending', created_at: daysAgo(2) });
		const poller = await activated({ ...parameters, repeatAfterDays: 2 });
		const ids = new Set<unknown>();
		for (const [days, expected] of [
			[1.1, 3],
			[2, 5],
			[0.5, undefined],
			// Reminders that were due while n8n was off are one.
			[6, 11],
		] as const) {
			wait(days);
			const events = await poller.restart();
			expect(events).toMatchObject(expected === undefined ? [] : [{ reference_id: id, days_in_status: expected }]);
			for (const { event_id } of events) ids.add(event_id);
			expect(await poller.poll()).toEqual([]);
		}
		expect(ids.size).toBe(3);
	});

	it('is not told again because the number of days is another one', async () => {
		for (const other of clients.ids()) clients.setStatus(other, 'accepted');
		clients.add({ request_status: 'Pending', created_at: daysAgo(4) });
		const poller = new Poller(service.engine, parameters);
		await poller.activate();
		wait(20);
		expect(await poller.edit({ ...parameters, repeatAfterDays: 1 })).toEqual([]);
		wait(1.1);
		expect(await poller.poll()).toHaveLength(1);
		expect(await poller.edit({ ...parameters, repeatAfterDays: 10 })).toEqual([]);
		wait(10);
		expect(await poller.poll()).toHaveLength(1);
	});

	it('is told of a reminder that was due before the number of days was changed', async () => {
		for (const other of clients.ids()) clients.setStatus(other, 'accepted');
		clients.add({ request_status: 'Pending', created_at: daysAgo(4) });
		const poller = new Poller(service.engine, { ...parameters, repeatAfterDays: 7 });
		await poller.activate();
		wait(21);
		expect(await poller.edit({ ...parameters, repeatAfterDays: 6 })).toHaveLength(1);
		expect(await poller.poll()).toEqual([]);
	});

	it('is not told in a status that was not chosen, nor before its time', async () => {
		const poller = await activated(parameters);
		clients.add({ request_status: 'Accepted', created_at: daysAgo(10) });
		clients.add({ request_status: 'Pending', created_at: daysAgo(2) });
		expect(await poller.poll()).toEqual([]);
	});

	it('is told where a client that is older than that turns up', async () => {
		const poller = await activated(parameters);
		const { reference_id: id } = clients.add({ request_status: 'Pending', created_at: daysAgo(10) });
		expect(briefly(await poller.poll())).toEqual([`clientStalled ${id}`]);
	});

	it('is told at the first activation where the user wants all existing ones', async () => {
		const { reference_id: id } = clients.add({ request_status: 'Pending', created_at: daysAgo(10) });
		const poller = new Poller(service.engine, { ...parameters, firstActivation: 'allExisting' });
		expect(briefly(await poller.activate())).toContain(`clientStalled ${id}`);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('A poll that does not complete', () => {
	it.each([
		['a server that stays down', 'status:code=503', { cause: 'temporarily-unavailable' }],
		['too many requests', 'rate-limit-seconds:seconds=0', { cause: 'rate-limited', retryAfterMs: 0 }],
		['a refused request', 'status:code=400', { cause: 'temporarily-unavailable' }],
		['a web page', 'html', { cause: 'temporarily-unavailable' }],
		['other JSON', 'wrong-envelope', { cause: 'temporarily-unavailable' }],
		['refused tokens', 'status:code=401', { cause: 'temporarily-unavailable' }],
	])('because of %s throws, says when to come back, and remembers nothing', async (_, fault, failure) => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const memory = poller.memory();
		const client = clients.add();
		service.app.schedule(fault);
		await expect(poller.poll()).rejects.toMatchObject({
			name: 'NodeApiError',
			description: expect.stringMatching(/Nothing was told and nothing is lost/),
			failure,
		});
		expect(poller.memory()).toBe(memory);
		service.app.clearFaults();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${client.reference_id}`]);
	});

	it('names the API key as the cause when the token endpoint returns 401, also for a list that was read before', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.engine.edit({ apiKey: 'wrong' });
		await expect(poller.poll()).rejects.toMatchObject({
			message: expect.stringContaining('does not accept the API key (401)'),
			failure: { cause: 'credential-invalid' },
		});
	});

	it('asks for the API key when the credential has none', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.engine.edit({ apiKey: '' });
		await expect(poller.poll()).rejects.toMatchObject({
			message: 'Fill in "API Key" in the credential',
			failure: { cause: 'configuration-invalid' },
		});
	});

	it('within the time that n8n gives it throws and loses nothing', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, { budgetMs: 400.5 });
		const memory = poller.memory();
		const client = clients.add();
		service.app.schedule('hang');
		await expect(poller.poll()).rejects.toMatchObject({
			message: 'The list could not be read within the 0.4 seconds a poll may take',
			failure: { cause: 'temporarily-unavailable' },
		});
		expect(poller.memory()).toBe(memory);
		service.app.clearFaults();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${client.reference_id}`]);
	});

	it('at activation keeps the workflow from being activated', async () => {
		service.app.schedule('status:code=400');
		const poller = new Poller(service.engine);
		await expect(poller.activate()).rejects.toMatchObject({
			message: expect.stringContaining('rejected the request (status 400)'),
			failure: { cause: 'configuration-invalid' },
		});
		expect(poller.saved).toBeUndefined();
	});
});

describe('A list that is not all there for one poll', () => {
	const many = { clients: 250, maxPageLimit: 100, dialect: { overLimit: 'capped' as const } };

	it('while the total speaks of more ends the poll; nothing is told, nothing stored', async () => {
		service = await startService(many);
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const memory = poller.memory();
		for (const page of [2, 3]) service.app.schedule({ kind: 'no-rows', page });
		await expect(poller.poll()).rejects.toMatchObject({
			name: 'NodeOperationError',
			description: 'Nothing was told and nothing is lost: the next poll that succeeds tells what has happened.',
		});
		expect(poller.memory()).toBe(memory);
		service.app.clearFaults();
		expect(await poller.poll()).toEqual([]);
	});

	it('and says so is believed when the next poll finds the same', async () => {
		service = await startService({ clients: 40 });
		({ clients } = service.app.environment('sandbox'));
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const records = clients
			.ids()
			.slice(10)
			.map((id) => clients.remove(id));
		expect(await poller.poll()).toEqual([]);
		for (const record of records) clients.add(record);
		expect(await poller.poll()).toEqual([]);
		for (const { reference_id: id } of records) clients.remove(id);
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toHaveLength(30);
	});
});

describe('An execution without items', () => {
	const quietly = { triggerOn: ['requestStatusChanged'] };

	it('stores what a poll has learnt, and there is none where nothing was learnt', async () => {
		const poller = await activated(quietly);
		poller.emptyExecutions = 0;
		await poller.poll();
		expect(poller.emptyExecutions).toBe(0);
		clients.add();
		await poller.poll();
		expect(poller.emptyExecutions).toBe(1);
		await poller.poll();
		expect(poller.emptyExecutions).toBe(1);
	});

	it.each<[string, INodeParameters]>([
		['without filters', {}],
		['by date', { filters: { createdAfter: '2020-01-01', createdBefore: '2020-02-01' } }],
	])('is never made for new clients %s', async (_, parameters) => {
		const poller = await activated({ triggerOn: ['clientCreated'], ...parameters });
		poller.emptyExecutions = 0;
		for (const change of [() => clients.add(), () => withStatus('declined'), () => clients.remove(clients.ids()[0])]) {
			change();
			await poller.poll();
		}
		expect(poller.emptyExecutions).toBe(0);
	});

	it('is never made where the user wants none, until the next event tells all', async () => {
		const poller = await activated({ ...quietly, options: { quietChanges: 'never' } });
		poller.emptyExecutions = 0;
		const { reference_id: id } = clients.add();
		await poller.poll();
		expect(poller.emptyExecutions).toBe(0);
		clients.setStatus(id, 'declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
		expect(await poller.restart()).toEqual([]);
	});
});

describe('Two polls at once', () => {
	it.each([false, true])('tell an event once (durable cursors: %j)', async (hasDurableCursors) => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, { hasDurableCursors });
		const client = clients.add();
		const polls = await Promise.all([poller.poll(), poller.poll(), poller.poll()]);
		expect(briefly(polls.flat())).toEqual([`clientCreated ${client.reference_id}`]);
		clients.add();
		expect(await poller.poll()).toHaveLength(1);
	});
});

describe('What the trigger remembers', () => {
	it('holds nothing that tells who a client is, unless removals are looked for', async () => {
		const triggerOn = ['clientCreated', 'clientStalled', 'clientUpdated', 'requestStatusChanged', 'statusReached'];
		const poller = await activated({ triggerOn, statusBecomes: ['declined'] });
		const memory = poller.memory();
		for (const client of clients.all()) {
			for (const value of [
				client.reference_id,
				client.email,
				client.client_name,
				client.group_name,
				client.group_token,
			]) {
				expect(memory).not.toContain(value);
			}
		}
	});

	it.each<[string, (state: string) => unknown, string]>([
		['is cut off', (state) => state.slice(0, -10), 'it is damaged'],
		['was changed', (state) => state.replace('"salt":0', '"salt":1'), 'it is damaged'],
		['is no text', () => 7, 'it is damaged'],
		['comes from a later version', (state) => `4${state.slice(1)}`, 'version 0.3.0 or later of this package is needed'],
	])('and %s is not used: the user reads how to start anew', async (_, spoil, reason) => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		poller.overwrite(spoil((JSON.parse(poller.memory()) as { state: string }).state));
		const memory = poller.memory();
		const before = service.requests.length;
		await expect(poller.poll()).rejects.toMatchObject({
			message: `What this trigger remembers cannot be read: ${reason}`,
			description: 'To start anew, duplicate the node, delete the old one and activate or publish the workflow again.',
			failure: { cause: 'configuration-invalid' },
		});
		expect(poller.memory()).toBe(memory);
		expect(service.requests).toHaveLength(before);
	});

	it('is not written again where nothing has happened', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.app.setDialect({ order: 'arbitrary' });
		const memory = poller.memory();
		await poller.poll();
		expect(poller.memory()).toBe(memory);
	});
});

describe('A workflow that is saved or activated while a poll is under way', () => {
	const slow = 'latency:ms=300,times=1';

	it('begins anew with its own first look, so that whoever comes after that is new', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'] });
		service.app.schedule(slow);
		const first = poller.activate();
		await sleep(100);
		expect(await poller.activate()).toEqual([]);
		const { reference_id: id } = clients.add();
		expect(await first).toEqual([]);
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${id}`]);
	});

	it('tells all who are there once, where that is wanted', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
		service.app.schedule(slow);
		const first = poller.activate();
		await sleep(100);
		const told = [...(await poller.activate()), ...(await first), ...(await poller.poll())];
		expect(told.map(({ reference_id }) => reference_id)).toEqual(clients.ids());
	});

	it('looks from then on for what is chosen now', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] });
		service.app.schedule(slow);
		const under = poller.poll();
		await sleep(100);
		expect(await poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged'] })).toEqual([]);
		clients.setStatus(id, 'declined');
		await under;
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
	});

	it.each<[string, PollerOptions, number]>([
		['static data', {}, 1],
		['durable cursors', { hasDurableCursors: true }, 1],
	])('tells what both polls have found once, with %s', async (_, options, expected) => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const { reference_id: comes } = clients.add();
		service.app.schedule(slow);
		const under = poller.poll();
		await sleep(100);
		const told = [...(await poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged'] })), ...(await under)];
		clients.setStatus(id, 'declined');
		told.push(...(await poller.poll()), ...(await poller.poll()));
		expect(briefly(told).filter((event) => event === `clientCreated ${comes}`)).toHaveLength(expected);
		expect(briefly(told)).toContain(`requestStatusChanged ${id} Pending`);
	});

	it('tells what n8n threw away with the poll that told it', async () => {
		const changes = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] });
		const { reference_id: id } = clients.add();
		service.app.schedule({ kind: 'latency', ms: 300, skip: 1, times: 1 });
		const under = poller.poll();
		const edited = poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged'] });
		expect([...(await under), ...(await edited)]).toEqual([]);
		clients.setStatus(changes, 'declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${changes} Pending`, `clientCreated ${id}`]);
	});

	it('says once that both polls have found another account', async () => {
		const poller = await activated({ triggerOn: ['requestStatusChanged'] });
		const other = await startService({ clients: 5 });
		service.engine.edit({ sandboxBaseUrl: other.environments.sandbox.url, apiKey: other.environments.sandbox.apiKey });
		other.app.schedule(slow);
		const under = poller.poll();
		await sleep(100);
		expect([...(await poller.reload()), ...(await under), ...(await poller.poll())]).toEqual([]);
		expect(poller.failures).toHaveLength(1);
	});

	it('is not activated where the list cannot be read', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] });
		service.app.schedule('status:code=403');
		const under = poller.poll().catch(() => []);
		await expect(poller.reload()).rejects.toMatchObject({ name: 'NodeApiError' });
		await under;
	});
});

describe('A trigger that starts anew', () => {
	it('gives no event the event_id of an earlier one', async () => {
		const id = withStatus('pending');
		const ids: unknown[] = [];
		for (let count = 0; count < 2; count++) {
			const poller = await activated({ triggerOn: ['clientRemoved', 'requestStatusChanged'] });
			const client = clients.setStatus(id, 'declined');
			ids.push(...(await poller.poll()).map(({ event_id }) => event_id));
			clients.remove(id);
			ids.push(...(await poller.poll()).map(({ event_id }) => event_id));
			clients.add({ ...client, request_status: 'Pending' });
		}
		expect(new Set(ids).size).toBe(4);
	});
});

describe('Always Output Data', () => {
	it('starts no workflow for what is only stored', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['requestStatusChanged'] }, { alwaysOutputData: true });
		expect(await poller.activate()).toEqual([]);
		const { reference_id: id } = clients.add();
		expect(await poller.poll()).toEqual([]);
		expect(poller.emptyExecutions).toBe(0);
		clients.setStatus(id, 'declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
	});
});

describe('An item', () => {
	it('begins with what happened and ends with the event_id', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'] });
		clients.setStatus(id, 'declined');
		const [event] = await poller.poll();
		const names = Object.keys(event);
		expect(names.slice(0, 5)).toEqual([
			'event',
			'reference_id',
			'client_name',
			'request_status',
			'previous_request_status',
		]);
		expect(names.at(-1)).toBe('event_id');
	});

	it('has only the fields that are wanted, with what happened', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'], options: { fields: ['email'] } });
		const { email } = clients.setStatus(id, 'declined');
		expect(await poller.poll()).toEqual([
			{
				event: 'requestStatusChanged',
				reference_id: id,
				previous_request_status: 'Pending',
				email,
				event_id: expect.any(String),
			},
		]);
	});
});

describe('A client that reaches a status', () => {
	it('is told whether it changes to it or comes with it, once', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['statusReached'], statusBecomes: ['declined'] });
		clients.setStatus(id, 'declined');
		const comes = clients.add({ request_status: 'Declined' });
		clients.add({ request_status: 'Accepted' });
		const events = await poller.poll();
		expect(briefly(events)).toEqual([`statusReached ${id} Pending`, `statusReached ${comes.reference_id}`]);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('An event that is told again after a loss', () => {
	it('is the same one where a client is gone, whatever its status was', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientRemoved'] });
		const { saved } = poller;
		clients.setStatus(id, 'declined');
		await poller.poll();
		clients.remove(id);
		const [told] = await poller.poll();
		const [again] = await poller.restart(saved);
		expect(again.event_id).toBe(told.event_id);
	});

	it('is another one where it is about other values', async () => {
		const [id] = clients.ids();
		const poller = await activated({ triggerOn: ['clientUpdated'], watchedFields: ['client_name', 'email'] });
		const { saved } = poller;
		const ids: unknown[] = [];
		for (const changes of [{ client_name: 'Ada' }, { client_name: 'Bea' }, { email: 'bea@example.com' }]) {
			clients.update(id, changes);
			ids.push(...(await poller.restart(saved)).map(({ event_id }) => event_id));
		}
		expect(new Set(ids).size).toBe(3);
	});
});

describe('A client that is updated', () => {
	it('is told with the fields that changed, each time with its own event_id', async () => {
		const [id] = clients.ids();
		const poller = await activated({ triggerOn: ['clientUpdated'], watchedFields: ['client_name', 'email'] });
		const name = String(clients.get(id)?.client_name);
		const ids = new Set<unknown>();
		for (const client_name of ['Ada', name, 'Ada']) {
			clients.update(id, { client_name, group_name: `Group of ${client_name}` });
			const [event, ...others] = await poller.poll();
			expect(event).toMatchObject({ event: 'clientUpdated', reference_id: id, changed_fields: ['client_name'] });
			expect(others).toEqual([]);
			ids.add(event.event_id);
			expect(await poller.poll()).toEqual([]);
		}
		expect(ids.size).toBe(3);
	});

	it('is told by a field that is watched from now on only if that changes after', async () => {
		const [id] = clients.ids();
		const poller = await activated({ triggerOn: ['clientUpdated'], watchedFields: ['email'] });
		clients.update(id, { client_name: 'Ada' });
		expect(await poller.edit({ triggerOn: ['clientUpdated'], watchedFields: ['client_name', 'email'] })).toEqual([]);
		clients.update(id, { client_name: 'Bea', email: 'bea@example.com' });
		expect(await poller.poll()).toMatchObject([{ changed_fields: ['client_name', 'email'] }]);
		expect(await poller.edit({ triggerOn: ['clientCreated'] })).toEqual([]);
		expect(poller.memory()).not.toContain('prints');
	});
});

describe('Events that are more than one poll may tell', () => {
	const everybody = { triggerOn: ['clientCreated'], firstActivation: 'allExisting', options: { maxEvents: 5 } };

	it('come with the next polls, the oldest first, over restarts and edits too', async () => {
		const poller = new Poller(service.engine, everybody);
		const late = clients.add();
		const told = [await poller.activate(), await poller.restart(), await poller.edit(everybody), await poller.poll()];
		expect(told.map((events) => events.length)).toEqual([5, 5, 3, 0]);
		expect(told.flat().map(({ reference_id }) => reference_id)).toEqual(clients.ids());
		expect(told[2].at(-1)?.reference_id).toBe(late.reference_id);
	});

	it('of one client stay together', async () => {
		const triggerOn = ['clientCreated', 'statusReached'];
		const poller = await activated({ triggerOn, statusBecomes: ['declined'], options: { maxEvents: 1 } });
		for (let count = 0; count < 2; count++) clients.add({ request_status: 'Declined' });
		expect((await poller.poll()).map(({ event }) => event)).toEqual(triggerOn);
		expect((await poller.poll()).map(({ event }) => event)).toEqual(triggerOn);
		expect(await poller.poll()).toEqual([]);
	});

	it('of clients that left wait as well', async () => {
		const poller = await activated({ triggerOn: ['clientRemoved'], options: { maxEvents: 2 } });
		for (const id of clients.ids().slice(0, 5)) clients.remove(id);
		const told = [await poller.poll(), await poller.poll(), await poller.poll(), await poller.poll()];
		expect(told.map((events) => events.length)).toEqual([2, 2, 1, 0]);
	});

	it('do not wait for ever behind clients to whom something happens all the time', async () => {
		const [first, second, third] = clients.ids();
		const triggerOn = ['clientRemoved', 'clientUpdated'];
		const poller = await activated({ triggerOn, watchedFields: ['client_name'], options: { maxEvents: 1 } });
		clients.update(second, { client_name: 'Bea' });
		clients.remove(third);
		const told: string[] = [];
		for (let count = 0; count < 4; count++) {
			clients.update(first, { client_name: `Ada ${count}` });
			told.push(...(await poller.poll()).map(({ reference_id }) => String(reference_id)));
		}
		expect(told).toEqual([first, second, third, first]);
	});

	it('do not keep the trigger from seeing what else happens to a client that waits', async () => {
		const [first, second] = clients.ids();
		for (const id of [first, second]) clients.setStatus(id, 'pending');
		const triggerOn = ['clientRemoved', 'clientUpdated'];
		const poller = await activated({ triggerOn, watchedFields: ['email'], options: { maxEvents: 1 } });
		for (const id of [first, second]) clients.update(id, { email: 'new@example.com' });
		expect(await poller.poll()).toMatchObject([{ event: 'clientUpdated' }]);
		for (const id of [first, second]) clients.update(id, { request_status: 'declined', email: 'newer@example.com' });
		await poller.poll();
		for (const id of [first, second]) clients.remove(id);
		const told = [...(await poller.poll()), ...(await poller.poll())];
		expect(told).toMatchObject([
			{ event: 'clientRemoved', previous_request_status: 'Declined' },
			{ event: 'clientRemoved', previous_request_status: 'Declined' },
		]);
	});

	it('merge where more happens meanwhile', async () => {
		const [first, second] = clients.ids();
		for (const id of [first, second]) clients.setStatus(id, 'pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'], options: { maxEvents: 1 } });
		for (const id of [first, second]) clients.setStatus(id, 'accepted');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${first} Pending`]);
		clients.setStatus(second, 'declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${second} Pending`]);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('A run by hand', () => {
	it('shows one real event of each kind, in the live shape, and leaves no trace', async () => {
		const poller = new Poller(service.engine, { triggerOn: ALL_EVENTS, stalledAfterDays: 0 });
		withStatus('pending');
		const events = await poller.runByHand();
		expect(events.map(({ event }) => event)).toEqual([
			'clientCreated',
			'clientStalled',
			'requestStatusChanged',
			'clientRemoved',
		]);
		for (const event of events) expect(event.event_id).toMatch(/^[0-9a-f]{32}$/);
		const newest = [...clients.all()].at(-1);
		expect(events[0]).toMatchObject({ ...newest });
		expect(events[2].previous_request_status).not.toBe(events[2].request_status);
		expect(service.ids()).toContain(events[2].reference_id);
	});

	it('is as an event that the same client would really give', async () => {
		const { reference_id } = clients.add();
		const [sample] = await new Poller(service.engine, { triggerOn: ['clientCreated'] }).runByHand();
		expect(sample.reference_id).toBe(reference_id);
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
		const { event_id, ...content } = sample;
		const told = await poller.activate();
		expect(told).toContainEqual(expect.objectContaining(content));
		expect(told.map((event) => event.event_id)).not.toContain(event_id);
	});

	it('shows nothing where no client matches', async () => {
		const filters = { clientEmail: 'nobody@example.com' };
		expect(await new Poller(service.engine, { triggerOn: ALL_EVENTS, filters }).runByHand()).toEqual([]);
	});

	it('is believable where no client is in such a status: a real one as if it were', async () => {
		for (const id of clients.ids()) clients.setStatus(id, 'accepted');
		const triggerOn = ['clientStalled', 'clientUpdated', 'requestStatusChanged', 'statusReached'];
		const parameters = { triggerOn, statusBecomes: ['declined'], stalledAfterDays: 100_000 };
		const [stalled, updated, changed, reached] = await new Poller(service.engine, parameters).runByHand();
		expect(stalled).toMatchObject({ request_status: 'Pending', days_in_status: 100_000 });
		expect(updated).toMatchObject({ request_status: 'Accepted', changed_fields: ['client_name'] });
		expect(changed).toMatchObject({ request_status: 'Declined', previous_request_status: 'Accepted' });
		expect(reached).toMatchObject({ request_status: 'Declined', previous_request_status: 'Accepted' });
		for (const { reference_id } of [stalled, updated, changed, reached]) expect(service.ids()).toContain(reference_id);
	});

	it('has another status before, also where all clients are in the same one', async () => {
		for (const id of clients.ids()) clients.setStatus(id, 'accepted');
		const [event] = await new Poller(service.engine, { triggerOn: ['requestStatusChanged'] }).runByHand();
		expect(event).toMatchObject({ request_status: 'Accepted', previous_request_status: 'Completed' });
	});
});

describe('A value that cannot be meant', () => {
	it.each<[string, INodeParameters, string]>([
		['no event', { triggerOn: [] }, '"Trigger On" is empty. Choose at least one event'],
		['an unknown event', { triggerOn: ['clientLost'] }, '"Trigger On" has no choice "clientLost"'],
		[
			'an unknown status',
			{ triggerOn: ['requestStatusChanged'], statusBecomes: ['lost'] },
			'"Status Becomes" has no choice "lost"',
		],
		[
			'no status to be stalled in',
			{ triggerOn: ['clientStalled'], stalledStatuses: [] },
			'"Stalled Statuses" is empty. Choose at least one status',
		],
		[
			'a number of days below zero',
			{ triggerOn: ['clientStalled'], stalledAfterDays: -1 },
			'"Stalled After (Days)" has to be a number of at least 0, not -1',
		],
		['an unknown first activation', { firstActivation: 'never' }, '"First Activation" has no choice "never"'],
		[
			'a filter that its expression leaves empty',
			{ filters: { clientEmail: '={{ $vars.email }}' } },
			'"Client Email" is empty: its expression resolved to nothing. Check it, remove it, or enter the word all for no filter',
		],
		[
			'a status that its expression leaves empty',
			{ triggerOn: ['requestStatusChanged'], statusBecomes: '={{ $vars.status }}' },
			'"Status Becomes" is empty: its expression resolved to nothing. Check it, remove it, or enter the word all for every status',
		],
		[
			'an endless number of days',
			{ triggerOn: ['clientStalled'], stalledAfterDays: '={{ Infinity }}' },
			'"Stalled After (Days)" has to be a number of at least 0, not Infinity',
		],
		[
			'no status to reach',
			{ triggerOn: ['statusReached'], statusBecomes: [] },
			'"Status Becomes" is empty. Choose at least one status',
		],
		[
			'no field to watch',
			{ triggerOn: ['clientUpdated'], watchedFields: [] },
			'"Watched Fields" is empty. Choose at least one field',
		],
		[
			'a status that the filter excludes',
			{ triggerOn: ['statusReached'], statusBecomes: ['declined'], filters: { requestStatus: ['pending'] } },
			'"Status Becomes" and the filter "Request Status" have no status in common',
		],
		[
			'stalled in a status that the filter excludes',
			{ triggerOn: ['clientStalled'], stalledStatuses: ['pending'], filters: { requestStatus: ['declined'] } },
			'"Stalled Statuses" and the filter "Request Status" have no status in common',
		],
		[
			'stalled for longer than any client is there',
			{ triggerOn: ['clientStalled'], stalledAfterDays: 7, filters: { createdWithinDays: 3 } },
			'No client can be "Stalled After (Days)" that many and "Created in the Last (Days)" as well',
		],
		[
			'dates that exclude each other',
			{ filters: { createdAfter: '2026-02-01', createdBefore: '2026-02-01' } },
			'The filters on the creation date exclude each other',
		],
		[
			'ages that exclude each other',
			{ filters: { createdWithinDays: 7, olderThanDays: 30, createdBefore: '2100-01-01' } },
			'The filters on the creation date exclude each other',
		],
		['no events at all', { options: { maxEvents: 0 } }, '"Max Events per Poll" has to be a whole number of at least 1'],
		['a bad filter', { filters: { createdAfter: 'yesterday-ish' } }, '"Created After" is not a date'],
		[
			'a bad option',
			{ options: { parallelRequests: 0 } },
			'"Parallel Requests" has to be a whole number from 1 to 20, not 0',
		],
	])('(%s) is named, and costs no request', async (_, parameters, message) => {
		const poller = new Poller(service.engine, parameters);
		await expect(poller.activate()).rejects.toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			failure: { cause: 'configuration-invalid' },
		});
		expect(service.requests).toEqual([]);
	});
});

describe('Values from expressions', () => {
	it('are understood as they are meant', async () => {
		const poller = await activated({
			triggerOn: '={{ "clientCreated, RequestStatusChanged" }}',
			statusBecomes: '={{ "All" }}',
			filters: { clientType: '={{ ["company", "individual"] }}', groupName: '={{ "all" }}' },
		});
		const { reference_id: id } = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${id}`]);
		clients.setStatus(id, 'Declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
	});
});

describe('An older n8n', () => {
	it('that names no time for a poll is served as well', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, { isOld: true });
		clients.add();
		expect(await poller.poll()).toHaveLength(1);
	});
});
