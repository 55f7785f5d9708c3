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

/** Event, client and previous status. */
const briefly = (events: IDataObject[]) =>
	events.map(({ event, reference_id, previous_request_status }) =>
		[event, reference_id, previous_request_status].filter(Boolean).join(' '),
	);

/** Gives the oldest client this status; returns its id. */
function withStatus(status: string): string {
	return clients.setStatus(clients.ids()[0], status).reference_id;
}

describe.each<[string, PollerOptions]>([
	['n8n saves static data', {}],
	['n8n has durable cursors', { hasDurableCursors: true }],
])('The trigger, if %s,', (_, options) => {
	it('emits nothing for the clients that are listed when it is activated', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		expect(await poller.poll()).toEqual([]);
	});

	it('emits a new client once, with all its fields', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const client = clients.add({ client_name: 'Ada' });
		const [event, ...others] = await poller.poll();
		expect(event).toEqual({
			...client,
			event: 'clientCreated',
			detected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
			event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
		});
		expect(others).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});

	it('emits every change of status once, also back and forth', async () => {
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

	it.each([false, true])('emits removed clients (with name and email: %p)', async (rememberNames) => {
		const id = withStatus('accepted');
		const poller = await activated({ triggerOn: ['clientRemoved'], options: { rememberNames } }, options);
		const { client_name, email } = clients.remove(id);
		expect(await poller.poll()).toEqual([
			{
				reference_id: id,
				...(rememberNames && { client_name, email }),
				previous_request_status: 'Accepted',
				event: 'clientRemoved',
				detected_at: expect.any(String),
				event_id: expect.any(String),
			},
		]);
		expect(await poller.poll()).toEqual([]);
	});

	it('emits a client that is added right after the activation', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const early = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${early.reference_id}`]);
	});

	it('emits a client that was added during a restart', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		await poller.poll();
		const client = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(await poller.restart()).toEqual([]);
	});

	it('emits a client that was added while n8n was off right after the activation', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const client = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
	});

	it('emits changes that happened while n8n was off, for clients added without an event', async () => {
		const poller = await activated({ triggerOn: ['clientRemoved', 'requestStatusChanged'] }, options);
		const [first, second] = [clients.add(), clients.add()].map(({ reference_id: id }) => id);
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(first, 'declined');
		clients.remove(second);
		const emitted = await poller.restart();
		expect(briefly(emitted)).toEqual([`requestStatusChanged ${first} Pending`, `clientRemoved ${second} Pending`]);
		expect(await poller.restart()).toEqual([]);
	});

	it('emits the events of a poll whose result n8n threw away', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		const client = clients.add();
		await poller.pollForNobody();
		expect(briefly(await poller.reload())).toEqual([`clientCreated ${client.reference_id}`]);
		const later = clients.add();
		await poller.pollForNobody();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${later.reference_id}`]);
	});

	it('emits every event once if two processes poll in turn', async () => {
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

	it('goes on after it is renamed if n8n has durable cursors, and resets otherwise', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const client = clients.add();
		const news = [`clientCreated ${client.reference_id}`];
		expect(briefly(await poller.rename('Renamed'))).toEqual(options.hasDurableCursors ? news : []);
		const later = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${later.reference_id}`]);
	});

	it('goes on with another key of the same account', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		service.app.rotateKey('sandbox', 'another-key-of-the-account');
		service.engine.edit({ apiKey: 'another-key-of-the-account' });
		const client = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('resets with another account and reports it once in a failed execution', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		const other = await startService({ clients: 5 });
		service.engine.edit({ sandboxBaseUrl: other.environments.sandbox.url, apiKey: other.environments.sandbox.apiKey });
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{
				message: 'The trigger was reset because the credential was changed',
				description: expect.stringContaining('The clients listed now (5) are the new baseline'),
			},
		]);
		const client = other.app.environment('sandbox').clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('emits and saves nothing while a changed key lists no client', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		service.app.rotateKey('sandbox', 'another-key-of-the-account');
		service.engine.edit({ apiKey: 'another-key-of-the-account' });
		const all = [...clients.all()];
		for (const { reference_id: id } of all) clients.remove(id);
		const memory = poller.memory();
		for (let count = 0; count < 3; count++) expect(await poller.poll()).toEqual([]);
		expect(poller.memory()).toBe(memory);
		for (const client of all) clients.add(client);
		const { reference_id: id } = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('resets and reports it when a Code node has overwritten its state', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, options);
		poller.saved = undefined;
		poller.global = { seen: 1 };
		expect(await poller.restart()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{
				message: 'The trigger was reset because its saved state is missing',
				description: expect.stringContaining('Changes between the last poll and this one are not emitted'),
			},
		]);
		const client = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${client.reference_id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('reports no lost state when it is added to a workflow that has static data', async () => {
		const poller = new Poller(service.engine, { triggerOn: ALL_EVENTS }, options);
		poller.global = { seen: 1 };
		expect(await poller.edit({ triggerOn: ['clientCreated'] })).toEqual([]);
		expect(poller.failures).toEqual([]);
	});

	it('reports no lost state when n8n activates it for the first time at its start', async () => {
		const poller = new Poller(service.engine, { triggerOn: ALL_EVENTS }, options);
		expect(await poller.restart()).toEqual([]);
		expect(poller.failures).toEqual([]);
	});

	it('emits the removal of a client once if the client was added without an event', async () => {
		const poller = await activated({ triggerOn: ['clientRemoved'] }, options);
		const { reference_id: id } = clients.add();
		expect(await poller.poll()).toEqual([]);
		clients.remove(id);
		expect(await poller.poll()).toHaveLength(1);
		expect(await poller.poll()).toEqual([]);
	});

	it('emits neither earlier events nor earlier clients after its filters are edited', async () => {
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
	it('resets and reports it when it finds the state of a deleted node with the same name', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] });
		poller.nodeId = 'another-node';
		clients.add();
		expect(await poller.edit({ triggerOn: ['clientCreated'] })).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([{ message: 'The trigger was reset because its node ID changed' }]);
		const { reference_id: id } = clients.add();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('emits all existing clients once at its first activation if that is chosen', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
		expect((await poller.activate()).map(({ reference_id }) => reference_id).sort()).toEqual(service.ids());
		expect(await poller.activate()).toEqual([]);
	});

	it('emits the events of one poll in the order of creation', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] });
		clients.add({ reference_id: 'b', created_at: '2026-02-01T00:00:00.000Z' });
		clients.add({ reference_id: 'c', created_at: '2026-03-01T00:00:00.000Z' });
		clients.add({ reference_id: 'a', created_at: '2026-01-01T00:00:00.000Z' });
		expect((await poller.poll()).map(({ reference_id }) => reference_id)).toEqual(['a', 'b', 'c']);
	});

	it('emits only changes to the statuses of "New Status"', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'], statusBecomes: ['declined', 'completed'] });
		clients.setStatus(id, 'accepted');
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(id, 'completed');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Accepted`]);
	});

	it('does not emit a client as new when its status starts to match the filter', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'], filters: { requestStatus: ['completed'] } });
		const { reference_id: id } = clients.add({ request_status: 'Pending' });
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(id, 'completed');
		expect(await poller.poll()).toEqual([]);
		const other = clients.add({ request_status: 'Completed' });
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${other.reference_id}`]);
	});

	it('ignores the case of statuses', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.app.setBehavior({ statusCase: 'lower' });
		expect(await poller.poll()).toEqual([]);
	});

	it('emits changes to and from unknown statuses', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'] });
		clients.setStatus(id, 'In review');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
		clients.setStatus(id, 'pending');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} In review`]);
	});

	it('emits a removed client only if it matched the filters when last seen', async () => {
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

	it('emits nothing for changes before an event was chosen', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] });
		clients.setStatus(id, 'declined');
		expect(
			await poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged', 'clientStalled'], stalledAfterDays: 0 }),
		).toEqual([]);
		clients.setStatus(id, 'accepted');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Declined`]);
	});

	it('gives an event that is emitted again the same event_id', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const { saved } = poller;
		clients.setStatus(id, 'declined');
		clients.remove(clients.ids()[5]);
		clients.add();
		const emitted = await poller.poll();
		expect(emitted).toHaveLength(3);
		const again = await poller.restart(saved);
		expect(again).toEqual(emitted.map((event) => ({ ...event, detected_at: expect.any(String) })));
	});

	it('gives a reached status the same event_id whether the previous status was seen or not', async () => {
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

	function wait(days: number): void {
		const later = Date.now() + days * DAY_MS;
		jest.spyOn(Date, 'now').mockImplementation(() => later);
	}

	afterEach(() => {
		jest.restoreAllMocks();
	});

	it('is emitted after its days, once for each time that it enters the status', async () => {
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

	it('is emitted by the days since it entered the status, also after a restart', async () => {
		const { reference_id: id } = clients.add({ request_status: 'Accepted', created_at: daysAgo(30) });
		const poller = await activated(parameters);
		clients.setStatus(id, 'pending');
		expect(await poller.poll()).toEqual([]);
		wait(2.9);
		expect(await poller.restart()).toEqual([]);
		wait(0.2);
		expect(briefly(await poller.poll())).toEqual([`clientStalled ${id}`]);
	});

	it('is emitted again at the chosen interval while it stays, with its days in the status', async () => {
		for (const other of clients.ids()) clients.setStatus(other, 'accepted');
		const { reference_id: id } = clients.add({ request_status: 'Pending', created_at: daysAgo(2) });
		const poller = await activated({ ...parameters, repeatAfterDays: 2 });
		const ids = new Set<unknown>();
		for (const [days, expected] of [
			[1.1, 3],
			[2, 5],
			[0.5, undefined],
			// Several reminders that were due while n8n was off are emitted as one.
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

	it('is emitted again by the new interval after an edit', async () => {
		for (const other of clients.ids()) clients.setStatus(other, 'accepted');
		clients.add({ request_status: 'Pending', created_at: daysAgo(4) });
		const poller = await activated(parameters);
		wait(20);
		expect(await poller.poll()).toEqual([]);
		expect(await poller.edit({ ...parameters, repeatAfterDays: 1 })).toHaveLength(1);
		expect(await poller.edit({ ...parameters, repeatAfterDays: 10 })).toEqual([]);
		wait(10);
		expect(await poller.poll()).toHaveLength(1);
	});

	it('is emitted after its days although n8n restarts in between', async () => {
		const { reference_id: id } = clients.add({ request_status: 'Accepted', created_at: daysAgo(30) });
		const poller = await activated(parameters);
		clients.setStatus(id, 'pending');
		expect(await poller.poll()).toEqual([]);
		wait(2);
		expect(await poller.restart()).toEqual([]);
		wait(2);
		expect(briefly(await poller.restart())).toEqual([`clientStalled ${id}`]);
	});

	it('is emitted if it is new in the list and already older than its days', async () => {
		const poller = await activated(parameters);
		const { reference_id: id } = clients.add({ request_status: 'Pending', created_at: daysAgo(10) });
		expect(briefly(await poller.poll())).toEqual([`clientStalled ${id}`]);
	});

	it('is emitted at the first activation if all existing clients are chosen', async () => {
		const { reference_id: id } = clients.add({ request_status: 'Pending', created_at: daysAgo(10) });
		const poller = new Poller(service.engine, { ...parameters, firstActivation: 'allExisting' });
		expect(briefly(await poller.activate())).toContain(`clientStalled ${id}`);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('A poll that does not succeed', () => {
	afterEach(() => {
		jest.restoreAllMocks();
	});

	it.each([
		['a server that stays down', 'status:code=503'],
		['a rate limit', 'rate-limit-seconds:seconds=0'],
		['a rejected request', 'status:code=400'],
		['a web page', 'html'],
		['other JSON', 'wrong-envelope'],
		['refused tokens', 'status:code=401'],
	])('because of %s is reported by a failed execution and does not change the state', async (_, fault) => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const memory = poller.memory();
		const client = clients.add();
		service.app.schedule(fault);
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{
				message: expect.stringMatching(
					/\. Outage since \d{4}-\d\d-\d\d \d\d:\d\d UTC\. The next successful poll emits what has changed since the last successful one\.$/,
				),
			},
		]);
		expect(poller.memory()).toBe(memory);
		service.app.clearFaults();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${client.reference_id}`]);
	});

	it('is reported once an hour while the outage lasts, also after a restart, and the first success emits everything', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const startMs = Date.now();
		service.app.schedule('status:code=400');
		let minute = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => startMs + minute * 60_000);
		const { reference_id: id } = clients.add();
		for (minute of [0, 30, 59, 60, 110]) expect(await poller.poll()).toEqual([]);
		minute = 120;
		expect(poller.failures).toHaveLength(2);
		const since = new Date(startMs).toISOString().slice(0, 16).replace('T', ' ');
		expect(poller.failures[1]).toMatchObject({ message: expect.stringContaining(`since ${since} UTC`) });
		expect(await poller.restart()).toEqual([]);
		expect(poller.failures.splice(0)).toHaveLength(3);
		service.app.clearFaults();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('is reported at once if it is the second one within an hour', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		for (const outage of ['first', 'second']) {
			service.app.schedule('status:code=400');
			for (const poll of [1, 2]) expect({ outage, poll, items: await poller.poll() }).toMatchObject({ items: [] });
			expect(poller.failures.splice(0)).toMatchObject([
				{ description: expect.stringMatching(/ This message repeats once an hour until a poll succeeds\.$/) },
			]);
			service.app.clearFaults();
			await poller.poll();
		}
	});

	it('names the API key when the token endpoint returns 401', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.engine.edit({ apiKey: 'wrong' });
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{ message: expect.stringContaining('does not accept the API key (401)') },
		]);
	});

	it('asks for the API key when the credential has none', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.engine.edit({ apiKey: '' });
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{ message: expect.stringMatching(/^Fill in "API Key" in the credential\. /) },
		]);
	});

	it('within the time budget of n8n is reported, and the next one emits everything', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, { budgetMs: 400.5 });
		const client = clients.add();
		service.app.schedule('hang');
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{ message: expect.stringMatching(/^The poll took longer than its limit of 0.4 seconds \(timeout\)\. /) },
		]);
		service.app.clearFaults();
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${client.reference_id}`]);
	});

	it('prevents the first activation of the workflow', async () => {
		service.app.schedule('status:code=400');
		const poller = new Poller(service.engine);
		await expect(poller.activate()).rejects.toMatchObject({
			message: expect.stringContaining('rejected the request (status 400)'),
			failure: { cause: 'configuration-invalid' },
		});
		expect(poller.saved).toBeUndefined();
	});

	it('because of a parameter throws, but after the first activation not as an invalid configuration', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		const failure = await poller.edit({ triggerOn: [] }).catch((error: unknown) => error);
		expect(failure).toMatchObject({ message: expect.stringContaining('"Trigger On" is empty') });
		expect(failure).not.toMatchObject({ failure: { cause: 'configuration-invalid' } });
	});
});

describe('A trigger on a list that is incomplete for one poll', () => {
	it('emits new clients at once, and removals when the list is complete again', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.app.setBehavior({ totals: 'too-high' });
		const { reference_id: added } = clients.add();
		const [removed] = clients.ids();
		clients.remove(removed);
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${added}`]);
		expect(await poller.poll()).toEqual([]);
		service.app.setBehavior({ totals: 'numbers' });
		expect(await poller.poll()).toMatchObject([{ event: 'clientRemoved', reference_id: removed }]);
		expect(poller.failures).toEqual([]);
	});

	it('emits the removal of many clients only if the next poll confirms it', async () => {
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

	it('emits the removal of the last client only if the next poll confirms it', async () => {
		service = await startService({ clients: 1 });
		({ clients } = service.app.environment('sandbox'));
		const poller = await activated({ triggerOn: ['clientRemoved'] });
		clients.remove(clients.ids()[0]);
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toHaveLength(1);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('An execution without items', () => {
	const withoutEvents = { triggerOn: ['requestStatusChanged'] };

	it('is made to save a change without an event, and not if nothing has changed', async () => {
		const poller = await activated(withoutEvents);
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
		['with filters by date', { filters: { createdAfter: '2020-01-01', createdBefore: '2020-02-01' } }],
	])('is not made for New Client alone, %s', async (_, parameters) => {
		const poller = await activated({ triggerOn: ['clientCreated'], ...parameters });
		poller.emptyExecutions = 0;
		for (const change of [() => clients.add(), () => withStatus('declined'), () => clients.remove(clients.ids()[0])]) {
			change();
			await poller.poll();
		}
		expect(poller.emptyExecutions).toBe(0);
	});

	it('saves the first change at once and later ones together, an hour after it', async () => {
		const poller = await activated(withoutEvents);
		poller.emptyExecutions = 0;
		const startMs = Date.now();
		let minute = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => startMs + minute * 60_000);
		const counts: number[] = [];
		for (minute of [0, 1, 30, 59, 60, 61, 119, 120, 179]) {
			clients.add();
			await poller.poll();
			counts.push(poller.emptyExecutions);
		}
		jest.restoreAllMocks();
		expect(counts).toEqual([1, 1, 1, 1, 2, 2, 2, 3, 3]);
	});

	it('saves a later change after an hour even if nothing else changes', async () => {
		const poller = await activated(withoutEvents);
		const startMs = Date.now();
		let minute = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => startMs + minute * 60_000);
		clients.add();
		await poller.poll();
		const { reference_id: id } = clients.add();
		await poller.poll();
		minute = 61;
		await poller.poll();
		clients.setStatus(id, 'declined');
		expect(briefly(await poller.restart())).toEqual([`requestStatusChanged ${id} Pending`]);
		jest.restoreAllMocks();
	});

	it('is made by every poll with such a change if "always" is chosen', async () => {
		const poller = await activated({ ...withoutEvents, options: { quietChanges: 'always' } });
		poller.emptyExecutions = 0;
		for (let count = 0; count < 3; count++) {
			clients.add();
			await poller.poll();
		}
		expect(poller.emptyExecutions).toBe(3);
	});

	it.each<[string, INodeParameters, (id: string) => unknown, number]>([
		[
			'a client leaves a chosen status',
			{ triggerOn: ['statusReached'], statusBecomes: ['pending'] },
			(id) => clients.setStatus(id, 'accepted'),
			1,
		],
		[
			'a client moves between other statuses',
			{ triggerOn: ['statusReached'], statusBecomes: ['declined'] },
			(id) => clients.setStatus(id, 'accepted'),
			0,
		],
		[
			'a client leaves a stalled status',
			{ triggerOn: ['clientStalled'], stalledStatuses: ['pending'] },
			(id) => clients.setStatus(id, 'accepted'),
			1,
		],
		[
			'a client moves between statuses in which it cannot stall',
			{ triggerOn: ['clientStalled'], stalledStatuses: ['requested'] },
			(id) => clients.setStatus(id, 'accepted'),
			0,
		],
		[
			'a new client may stall later',
			{ triggerOn: ['clientStalled'], stalledStatuses: ['pending'] },
			() => clients.add(),
			0,
		],
		[
			'a new client may be updated later',
			{ triggerOn: ['clientUpdated'], watchedFields: ['email'] },
			() => clients.add(),
			1,
		],
		[
			'a field changes that is not watched',
			{ triggerOn: ['clientUpdated'], watchedFields: ['email'] },
			(id) => clients.update(id, { client_name: 'Ada' }),
			0,
		],
		['a new client may be removed later', { triggerOn: ['clientRemoved'] }, () => clients.add(), 1],
		[
			'a status changes while removals are chosen',
			{ triggerOn: ['clientRemoved'] },
			(id) => clients.setStatus(id, 'accepted'),
			0,
		],
		[
			'a new client may match the filters later',
			{ triggerOn: ['clientCreated'], filters: { requestStatus: ['declined'] } },
			() => clients.add(),
			1,
		],
	])('is made only if the change is needed after a restart: %s', async (_, parameters, change, expected) => {
		const id = withStatus('pending');
		const poller = await activated({ stalledAfterDays: 1_000, ...parameters });
		poller.emptyExecutions = 0;
		change(id);
		expect(await poller.poll()).toEqual([]);
		expect(poller.emptyExecutions).toBe(expected);
	});

	it('is not made if "never" is chosen, and the next event saves everything', async () => {
		const poller = await activated({ ...withoutEvents, options: { quietChanges: 'never' } });
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
	it.each([false, true])('emit each event once (durable cursors: %j)', async (hasDurableCursors) => {
		const poller = await activated({ triggerOn: ALL_EVENTS }, { hasDurableCursors });
		const client = clients.add();
		const polls = await Promise.all([poller.poll(), poller.poll(), poller.poll()]);
		expect(briefly(polls.flat())).toEqual([`clientCreated ${client.reference_id}`]);
		clients.add();
		expect(await poller.poll()).toHaveLength(1);
	});
});

describe('The saved state', () => {
	it('does not identify clients unless Client Removed is chosen', async () => {
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

	it.each<[string, (state: string) => unknown]>([
		['is cut off', (state) => state.slice(0, -10)],
		['has columns of other lengths', (state) => state.replace(/"flags":"[^"]{4}/, '"flags":"')],
		['is no text', () => 7],
		['has another version', (state) => `2${state.slice(1)}`],
	])('is reset and reported if it %s', async (_, spoil) => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		poller.overwrite(spoil((JSON.parse(poller.memory()) as { state: string }).state));
		clients.add();
		expect(await poller.poll()).toEqual([]);
		expect(poller.failures.splice(0)).toMatchObject([
			{
				message: 'The trigger was reset because its saved state cannot be read',
				description: expect.stringContaining('The clients listed now (13) are the new baseline'),
			},
		]);
		const { reference_id: id } = clients.add();
		expect(briefly(await poller.restart())).toEqual([`clientCreated ${id}`]);
		expect(poller.failures).toEqual([]);
	});

	it('does not change if nothing has happened', async () => {
		const poller = await activated({ triggerOn: ALL_EVENTS });
		service.app.setBehavior({ order: 'arbitrary' });
		const memory = poller.memory();
		await poller.poll();
		expect(poller.memory()).toBe(memory);
	});
});

describe('A workflow that is saved or activated during a poll', () => {
	const slow = 'latency:ms=300,times=1';

	it('emits all existing clients once if that is chosen', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
		service.app.schedule(slow);
		const first = poller.activate();
		await sleep(100);
		const emitted = [...(await poller.activate()), ...(await first), ...(await poller.poll())];
		expect(emitted.map(({ reference_id }) => reference_id)).toEqual(clients.ids());
	});

	it('uses the newly chosen events from the next poll on', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] });
		service.app.schedule(slow);
		const under = poller.poll();
		await sleep(100);
		expect(await poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged'] })).toEqual([]);
		await under;
		expect(await poller.poll()).toEqual([]);
		clients.setStatus(id, 'declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
	});

	it.each<[string, PollerOptions, number]>([
		['static data', {}, 1],
		['durable cursors', { hasDurableCursors: true }, 1],
	])('emits once a client that both polls have found, with %s', async (_, options, expected) => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] }, options);
		const { reference_id: comes } = clients.add();
		service.app.schedule(slow);
		const under = poller.poll();
		await sleep(100);
		const emitted = [
			...(await poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged'] })),
			...(await under),
		];
		emitted.push(...(await poller.poll()));
		clients.setStatus(id, 'declined');
		emitted.push(...(await poller.poll()), ...(await poller.poll()));
		expect(briefly(emitted).filter((event) => event === `clientCreated ${comes}`)).toHaveLength(expected);
		expect(briefly(emitted)).toContain(`requestStatusChanged ${id} Pending`);
	});

	it('emits events again with the next poll if n8n threw them away', async () => {
		const changes = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientCreated'] });
		const { reference_id: id } = clients.add();
		service.app.schedule({ kind: 'latency', ms: 300, skip: 1, times: 1 });
		const under = poller.poll();
		const edited = poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged'] });
		expect([...(await under), ...(await edited)]).toEqual([]);
		expect(briefly(await poller.poll())).toEqual([`clientCreated ${id}`]);
		clients.setStatus(changes, 'declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${changes} Pending`]);
	});
});

describe('A trigger that is reset', () => {
	it('gives no event the event_id of an event before the reset', async () => {
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

describe('The n8n setting Always Output Data', () => {
	it('leads to no execution for a change without an event', async () => {
		const poller = new Poller(service.engine, { triggerOn: ['requestStatusChanged'] }, { alwaysOutputData: true });
		expect(await poller.activate()).toEqual([]);
		const { reference_id: id } = clients.add();
		expect(await poller.poll()).toEqual([]);
		expect(poller.emptyExecutions).toBe(0);
		clients.setStatus(id, 'declined');
		expect(briefly(await poller.poll())).toEqual([`requestStatusChanged ${id} Pending`]);
	});
});

describe('An item of the trigger', () => {
	it('has only the chosen fields and those of the event', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['requestStatusChanged'], options: { fields: ['email'] } });
		const { email } = clients.setStatus(id, 'declined');
		expect(await poller.poll()).toEqual([
			{
				event: 'requestStatusChanged',
				reference_id: id,
				previous_request_status: 'Pending',
				email,
				detected_at: expect.any(String),
				event_id: expect.any(String),
			},
		]);
	});
});

describe('A client that reaches a status', () => {
	it('is emitted once, whether it changes to the status or is added with it', async () => {
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

describe('An event that is emitted again after a loss of state', () => {
	it('has the same event_id for a removed client, whatever its last known status is', async () => {
		const id = withStatus('pending');
		const poller = await activated({ triggerOn: ['clientRemoved'] });
		const { saved } = poller;
		clients.setStatus(id, 'declined');
		await poller.poll();
		clients.remove(id);
		const [emitted] = await poller.poll();
		const [again] = await poller.restart(saved);
		expect(again.event_id).toBe(emitted.event_id);
	});
});

describe('An updated client', () => {
	it('is emitted with the fields that changed, each time with its own event_id', async () => {
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

	it('has its previous values only if that is chosen', async () => {
		const [id] = clients.ids();
		const parameters = { triggerOn: ['clientUpdated'], watchedFields: ['client_name', 'email'] };
		const poller = await activated({ ...parameters, options: { includePrevious: true } });
		const { email } = clients.get(id) as { email: string };
		clients.update(id, { email: 'new@example.com' });
		expect(await poller.poll()).toMatchObject([{ changed_fields: ['email'], previous: { email } }]);
		await poller.edit(parameters);
		clients.update(id, { email: 'newer@example.com' });
		const [event] = await poller.poll();
		expect(event).not.toHaveProperty('previous');
		expect(poller.memory()).not.toContain('example.com');
	});

	it('has null as the previous value of a field that was not saved yet', async () => {
		const [id] = clients.ids();
		const parameters = { triggerOn: ['clientUpdated'], watchedFields: ['email'] };
		const poller = await activated(parameters);
		clients.update(id, { email: 'new@example.com' });
		const events = await poller.edit({ ...parameters, options: { includePrevious: true } });
		expect(events).toMatchObject([{ changed_fields: ['email'], previous: { email: null } }]);
	});

	it.each([
		['clientUpdated', false],
		['requestStatusChanged', true],
	])('does not make the saved state of %s larger when previous values are %s', async (event, includePrevious) => {
		const parameters = { triggerOn: [event], watchedFields: ['email'] };
		const sizeOf = async (options: INodeParameters) => (await activated({ ...parameters, options })).memory().length;
		expect(await sizeOf({ includePrevious })).toBe(await sizeOf({}));
	});

	it('is emitted for a newly watched field only if it changes after the edit', async () => {
		const [id] = clients.ids();
		const poller = await activated({ triggerOn: ['clientUpdated'], watchedFields: ['email'] });
		clients.update(id, { client_name: 'Ada' });
		expect(await poller.edit({ triggerOn: ['clientUpdated'], watchedFields: ['client_name', 'email'] })).toEqual([]);
		clients.update(id, { client_name: 'Bea', email: 'bea@example.com' });
		expect(await poller.poll()).toMatchObject([{ changed_fields: ['client_name', 'email'] }]);
		expect(await poller.edit({ triggerOn: ['clientCreated'] })).toEqual([]);
		expect(poller.memory()).not.toContain('fieldHashes');
	});
});

describe('More events than one poll may emit', () => {
	const existing = { triggerOn: ['clientCreated'], firstActivation: 'allExisting', options: { maxEvents: 5 } };

	it('are emitted by the next polls, oldest first, also after a restart or an edit', async () => {
		const poller = new Poller(service.engine, existing);
		const late = clients.add();
		const emitted = [await poller.activate(), await poller.restart(), await poller.edit(existing), await poller.poll()];
		expect(emitted.map((events) => events.length)).toEqual([5, 5, 3, 0]);
		expect(emitted.flat().map(({ reference_id }) => reference_id)).toEqual(clients.ids());
		expect(emitted[2].at(-1)?.reference_id).toBe(late.reference_id);
	});

	it('are not split for one client', async () => {
		const triggerOn = ['clientCreated', 'statusReached'];
		const poller = await activated({ triggerOn, statusBecomes: ['declined'], options: { maxEvents: 1 } });
		for (let count = 0; count < 2; count++) clients.add({ request_status: 'Declined' });
		expect((await poller.poll()).map(({ event }) => event)).toEqual(triggerOn);
		expect((await poller.poll()).map(({ event }) => event)).toEqual(triggerOn);
		expect(await poller.poll()).toEqual([]);
	});

	it('wait also if they are about removed clients', async () => {
		const poller = await activated({ triggerOn: ['clientRemoved'], options: { maxEvents: 2 } });
		for (const id of clients.ids().slice(0, 5)) clients.remove(id);
		const emitted = [await poller.poll(), await poller.poll(), await poller.poll(), await poller.poll()];
		expect(emitted.map((events) => events.length)).toEqual([2, 2, 1, 0]);
	});

	it('are merged if a waiting client changes again', async () => {
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

describe('A manual run of the trigger', () => {
	it('returns one sample event of each kind with real clients', async () => {
		const poller = new Poller(service.engine, { triggerOn: ALL_EVENTS, stalledAfterDays: 0 });
		withStatus('pending');
		const events = await poller.runByHand();
		expect(events.map(({ event }) => event)).toEqual([
			'clientCreated',
			'clientStalled',
			'requestStatusChanged',
			'clientRemoved',
		]);
		for (const event of events) expect(event.event_id).toMatch(/^sample-/);
		const newest = [...clients.all()].at(-1);
		expect(events[0]).toMatchObject({ ...newest });
		expect(events[2].previous_request_status).not.toBe(events[2].request_status);
		expect(service.ids()).toContain(events[2].reference_id);
	});

	it('returns the same fields and values as a real event of that client, except for the event_id', async () => {
		const { reference_id } = clients.add();
		const [sample] = await new Poller(service.engine, { triggerOn: ['clientCreated'] }).runByHand();
		expect(sample.reference_id).toBe(reference_id);
		const poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting' });
		const { event_id, detected_at, ...content } = sample;
		const emitted = await poller.activate();
		expect(emitted).toContainEqual(expect.objectContaining(content));
		expect(emitted.map((event) => event.event_id)).not.toContain(event_id);
		expect(detected_at).toEqual(expect.any(String));
	});

	it('says why there is no test event if no client matches', async () => {
		const filters = { clientEmail: 'nobody@example.com' };
		await expect(new Poller(service.engine, { triggerOn: ALL_EVENTS, filters }).runByHand()).rejects.toMatchObject({
			message: expect.stringMatching(
				/^No client matches the filters\. The service returned no client whose email address is/,
			),
			description:
				'Test events are made from clients that are listed now. Change the filters if there are any, or try again when a client matches.',
		});
	});

	it('returns samples with the chosen statuses even if no client has them', async () => {
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

	it('returns a previous status that differs even if all clients have the same status', async () => {
		for (const id of clients.ids()) clients.setStatus(id, 'accepted');
		const [event] = await new Poller(service.engine, { triggerOn: ['requestStatusChanged'] }).runByHand();
		expect(event).toMatchObject({ request_status: 'Accepted', previous_request_status: 'Completed' });
	});

	it('returns a previous value that nobody takes for a real one', async () => {
		const parameters = { triggerOn: ['clientUpdated'], watchedFields: ['client_name'] };
		const [event] = await new Poller(service.engine, { ...parameters, options: { includePrevious: true } }).runByHand();
		expect(event.previous).toEqual({ client_name: 'sample' });
	});
});

describe('A bad value', () => {
	it.each<[string, INodeParameters, string]>([
		['no event', { triggerOn: [] }, '"Trigger On" is empty. Choose at least one event'],
		['an unknown event', { triggerOn: ['clientLost'] }, '"Trigger On" cannot be "clientLost"'],
		[
			'an unknown status',
			{ triggerOn: ['requestStatusChanged'], statusBecomes: ['lost'] },
			'"New Status" cannot be "lost"',
		],
		[
			'no status to be stalled in',
			{ triggerOn: ['clientStalled'], stalledStatuses: [] },
			'"Stalled Statuses" is empty. Choose at least one status',
		],
		[
			'a number of days below zero',
			{ triggerOn: ['clientStalled'], stalledAfterDays: -1 },
			'"Stalled After (Days)" must be a number of at least 0, not -1',
		],
		['an unknown first activation', { firstActivation: 'never' }, '"Existing Clients" cannot be "never"'],
		[
			'a filter that its expression leaves empty',
			{ filters: { clientEmail: '={{ $vars.email }}' } },
			'"Client Email" is empty: its expression has no value. Correct the expression, or have it return "all" for no filter',
		],
		[
			'a status that its expression leaves empty',
			{ triggerOn: ['requestStatusChanged'], statusBecomes: '={{ $vars.status }}' },
			'"New Status" is empty: its expression has no value. Correct the expression, or have it return "all" for every status',
		],
		[
			'an endless number of days',
			{ triggerOn: ['clientStalled'], stalledAfterDays: '={{ Infinity }}' },
			'"Stalled After (Days)" must be a number of at least 0, not Infinity',
		],
		[
			'no status to reach',
			{ triggerOn: ['statusReached'], statusBecomes: [] },
			'"New Status" is empty. Choose at least one status',
		],
		[
			'no field to watch',
			{ triggerOn: ['clientUpdated'], watchedFields: [] },
			'"Watched Fields" is empty. Choose at least one field',
		],
		[
			'a status that the filter excludes',
			{ triggerOn: ['statusReached'], statusBecomes: ['declined'], filters: { requestStatus: ['pending'] } },
			'"New Status" and the filter "Request Status" have no status in common',
		],
		[
			'stalled in a status that the filter excludes',
			{ triggerOn: ['clientStalled'], stalledStatuses: ['pending'], filters: { requestStatus: ['declined'] } },
			'"Stalled Statuses" and the filter "Request Status" have no status in common',
		],
		[
			'stalled for longer than any client is there',
			{ triggerOn: ['clientStalled'], stalledAfterDays: 7, filters: { createdWithinDays: 3 } },
			'"Created Within (Days)" must be more than "Stalled After (Days)"',
		],
		[
			'dates that exclude each other',
			{ filters: { createdAfter: '2026-02-01', createdBefore: '2026-02-01' } },
			'No creation date can match all date filters',
		],
		[
			'ages that exclude each other',
			{ filters: { createdWithinDays: 7, olderThanDays: 30, createdBefore: '2100-01-01' } },
			'No creation date can match all date filters',
		],
		['no events at all', { options: { maxEvents: 0 } }, '"Max Events per Poll" must be a whole number of at least 1'],
		['a bad filter', { filters: { createdAfter: 'yesterday-ish' } }, '"Created After" is not a date'],
		[
			'a bad option',
			{ options: { parallelRequests: 0 } },
			'"Parallel Requests" must be a whole number from 1 to 20, not 0',
		],
	])('(%s) is reported with its field and costs no request', async (_, parameters, message) => {
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
	it('are used like fixed values', async () => {
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

describe('The trigger in an older n8n', () => {
	it('emits events although n8n gives it no time budget for a poll', async () => {
		const poller = await activated({ triggerOn: ['clientCreated'] }, { isOld: true });
		clients.add();
		expect(await poller.poll()).toHaveLength(1);
	});
});
