import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { decodeState, encodeState } from '../../../../nodes/ClientOnboarding/trigger/state/codec';
import type { Clients } from '../../../../sandbox/data/clients.mts';
import type { SandboxOptions } from '../../../../sandbox/server.mts';
import { byDepth, oneOf } from '../../../support/depth.mts';
import { Poller } from '../../../support/poller.mts';
import { startService, type Service } from '../../../support/service.mts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LONG = byDepth({ quick: 2_000, deep: 20_000, long: 100_000 });
const ORDERS = oneOf(2, ['created-ascending', 'created-descending'] as const);

let service: Service;
let clients: Clients;
let poller: Poller;

/** Starts a service and a trigger for New Client, which reads the whole list once. */
async function activate(options: SandboxOptions): Promise<void> {
	service = await startService(options);
	({ clients } = service.app.environment('sandbox'));
	poller = new Poller(service.engine, { triggerOn: ['clientCreated'] });
	await poller.activate();
}

/** The IDs that a poll emits, and the number of its requests. */
async function poll(): Promise<{ emitted: string[]; requests: number }> {
	const before = service.requests.length;
	const events = await poller.poll();
	return { emitted: idsOf(events), requests: service.requests.length - before };
}

const idsOf = (events: IDataObject[]) => events.map(({ reference_id }) => String(reference_id)).sort();
const add = (count: number) => Array.from({ length: count }, () => clients.add().reference_id).sort();
const stateOf = () => decodeState((JSON.parse(poller.memory()) as { state: string }).state);

/** Makes the saved state look as if the last read of the whole list was that long ago. */
function age(ageMs: number): void {
	const state = stateOf();
	const newest = state.newest && { ...state.newest, wholeReadMs: Date.now() - ageMs };
	poller.overwrite(encodeState({ ...state, newest }));
}

describe.each(ORDERS)(`A poll for new clients on a list of ${LONG.toLocaleString('en')} in the order "%s"`, (order) => {
	it('takes at most 3 requests with nothing new and with ten new clients, and misses nothing when the order breaks', async () => {
		await activate({ clients: LONG, behavior: { order } });
		expect(await poll()).toEqual({ emitted: [], requests: 1 });
		const ten = add(10);
		const { emitted, requests } = await poll();
		expect(emitted).toEqual(ten);
		expect(requests).toBeLessThanOrEqual(3);

		const more = add(150);
		const second = await poll();
		expect(second.emitted).toEqual(more);
		expect(second.requests).toBeLessThanOrEqual(3);

		service.app.setBehavior({ order: 'arbitrary' });
		const late = add(2);
		const complete = await poll();
		expect(complete.emitted).toEqual(late);
		expect(complete.requests).toBeGreaterThan(LONG / 10_000);
		console.log(
			`  ${LONG.toLocaleString('en')} clients, ${order}: nothing new 1 request, ten new ${requests}, 150 new ${second.requests}, order broken ${complete.requests}`,
		);
	}, 180_000);
});

describe.each(ORDERS)('A long list in the order "%s" of a service that returns at most 25 clients a page', (order) => {
	it.each(oneOf(2, ['capped', 'refused-400', 'refused-422'] as const))(
		'is polled for new clients when larger pages are %s',
		async (overLimit) => {
			await activate({ clients: 1_200, maxPageLimit: 25, behavior: { order, overLimit } });
			expect((await poll()).emitted).toEqual([]);
			const ids = add(3);
			expect((await poll()).emitted).toEqual(ids);
		},
	);
});

describe.each(ORDERS)('More new clients than one poll may emit, on a list in the order "%s",', (order) => {
	it('are emitted by the next polls, oldest first, also those that arrive meanwhile', async () => {
		service = await startService({ clients: 1_200, behavior: { order } });
		({ clients } = service.app.environment('sandbox'));
		const options = { maxEvents: 500 };
		poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting', options });
		const emitted = (await poller.activate()).map(({ reference_id }) => reference_id);
		const { reference_id: late } = clients.add();
		for (const count of [500, 201, 0]) {
			const events = await poller.poll();
			expect(events).toHaveLength(count);
			emitted.push(...events.map(({ reference_id }) => reference_id));
		}
		const dates = emitted.map((id) => String(clients.get(String(id))?.created_at));
		expect(dates).toEqual([...dates].sort());
		expect([...emitted].sort()).toEqual(service.ids());
		expect(emitted.at(-1)).toBe(late);
		expect(await poll()).toEqual({ emitted: [], requests: 1 });
	});

	it('are emitted once although the order breaks or some are removed', async () => {
		service = await startService({ clients: 1_200, behavior: { order } });
		({ clients } = service.app.environment('sandbox'));
		const options = { maxEvents: 500 };
		poller = new Poller(service.engine, { triggerOn: ['clientCreated'], firstActivation: 'allExisting', options });
		const emitted = idsOf(await poller.activate());
		for (const id of clients.ids().slice(0, 100)) clients.remove(id);
		emitted.push(...(await poll()).emitted);
		service.app.setBehavior({ order: 'arbitrary' });
		emitted.push(...(await poll()).emitted, ...(await poll()).emitted);
		expect(new Set(emitted).size).toBe(emitted.length);
		expect(emitted).toHaveLength(1_200);
	});
});

describe.each(ORDERS)('A poll for New Client on a long list in the order "%s"', (order) => {
	beforeEach(async () => await activate({ clients: 1_200, behavior: { order } }));

	it('emits a back-dated client at once', async () => {
		const { reference_id: id } = clients.add({ created_at: '2020-01-01T00:00:00.000Z' });
		expect((await poll()).emitted).toEqual([id]);
		expect((await poll()).emitted).toEqual([]);
	});

	it('emits a client that was created a moment before the newest known one at once', async () => {
		const newest = Math.max(...clients.ids().map((id) => Date.parse(String(clients.get(id)?.created_at))));
		const { reference_id: id } = clients.add({ created_at: new Date(newest - 1).toISOString() });
		expect((await poll()).emitted).toEqual([id]);
	});

	it('emits a back-dated client within a day if another one is removed at the same time', async () => {
		clients.remove(clients.ids()[600]);
		const { reference_id: id } = clients.add({ created_at: '2020-01-01T00:00:00.000Z' });
		const before = await poll();
		age(DAY_MS);
		const after = await poll();
		expect([...before.emitted, ...after.emitted]).toEqual([id]);
		expect((await poll()).requests).toBe(1);
	});

	it('emits a client that is added while another one is removed at once if the order changes', async () => {
		service.app.setBehavior({ order: 'arbitrary' });
		clients.remove(clients.ids()[600]);
		const ids = add(1);
		expect((await poll()).emitted).toEqual(ids);
	});

	it('emits new clients once while others are removed', async () => {
		clients.remove(clients.ids()[3]);
		const ids = add(2);
		expect((await poll()).emitted).toEqual(ids);
		clients.remove(clients.ids().at(-1) as string);
		expect((await poll()).emitted).toEqual([]);
		expect((await poll()).requests).toBe(1);
	});

	it('emits more new clients than fit on three pages', async () => {
		const ids = add(350);
		expect((await poll()).emitted).toEqual(ids);
	});

	it('reads more than one page if the clock was set back', async () => {
		age(-60_000);
		expect((await poll()).requests).toBeGreaterThan(1);
	});

	it('emits a new client if totals are absent', async () => {
		service.app.setBehavior({ totals: 'absent' });
		const ids = add(1);
		expect((await poll()).emitted).toEqual(ids);
	});

	it('emits a new client if the service starts to cap pages', async () => {
		const id = add(1);
		service.app.setBehavior({ overLimit: 'capped' });
		expect((await poll()).emitted).toEqual(id);
	});

	it('emits each new client of random changes once, at the latest with the daily read of the whole list', async () => {
		const waiting = new Set<string>();
		const emitted: string[] = [];
		for (let index = 0; index < 25; index++) {
			for (let step = index % 4; step > 0; step--) {
				const choice = (index * 7 + step * 3) % 5;
				if (choice === 0) waiting.add(clients.add({ created_at: '2021-05-05T00:00:00.000Z' }).reference_id);
				else if (choice === 1) clients.remove(clients.ids()[(index * 131) % 900]);
				else waiting.add(clients.add().reference_id);
			}
			emitted.push(...(await poll()).emitted);
		}
		age(DAY_MS);
		emitted.push(...(await poll()).emitted);
		expect(emitted.sort()).toEqual([...waiting].sort());
	});
});

describe('New clients on several pages', () => {
	it('are emitted once, also if another one is added between two pages', async () => {
		const late: string[] = [];
		let hasBegun = false;
		let pages = 0;
		await activate({
			clients: 1_200,
			behavior: { order: 'created-descending' },
			onRequest: ({ endpoint }) => {
				if (hasBegun && endpoint === 'list' && ++pages === 2) late.push(...add(1));
			},
		});
		const ids = add(150);
		hasBegun = true;
		const emitted = [...(await poll()).emitted, ...(await poll()).emitted];
		expect(emitted.sort()).toEqual([...ids, ...late].sort());
		expect(late).toHaveLength(1);
	});
});

describe('A poll for New Client', () => {
	it.each([
		['reads the whole list if it is short', 400, 'created-ascending'],
		['reads the whole list if it has no order', 1_200, 'arbitrary'],
	] as const)('%s', async (_, count, order) => {
		await activate({ clients: count, behavior: { order } });
		expect(stateOf().newest).toBeUndefined();
		const ids = add(2);
		expect((await poll()).emitted).toEqual(ids);
	});

	it('reads more than one page once another event is chosen as well', async () => {
		await activate({ clients: 1_200 });
		expect(stateOf().newest).toEqual({ order: 'oldestFirst', count: 1_200, wholeReadMs: expect.any(Number) });
		await poller.edit({ triggerOn: ['clientCreated', 'requestStatusChanged'] });
		expect(stateOf().newest).toBeUndefined();
		expect((await poll()).requests).toBeGreaterThan(1);
	});
});

describe('A trigger that reads a list of several pages', () => {
	const ALL = ['clientCreated', 'clientRemoved', 'requestStatusChanged'];

	it.each([...ORDERS, 'arbitrary'] as const)(
		'emits each new and each removed client once while others are added and removed (%s)',
		async (order) => {
			const wasThere = new Set<string>();
			let listRequests = 0;
			let isMoving = false;
			service = await startService({
				clients: 1_200,
				behavior: { order },
				onRequest: ({ endpoint }) => {
					if (!isMoving || endpoint !== 'list') return;
					listRequests += 1;
					if (listRequests % 2 === 0) return;
					clients.remove(clients.ids()[5]);
					wasThere.add(clients.add().reference_id);
				},
			});
			({ clients } = service.app.environment('sandbox'));
			poller = new Poller(service.engine, { triggerOn: ALL, options: { parallelRequests: 1 } });
			await poller.activate();
			const atFirst = new Set(service.ids());
			const events: IDataObject[] = [];
			isMoving = true;
			for (let index = 0; index < 4; index++) events.push(...(await poller.poll().catch(() => [])));
			isMoving = false;
			events.push(...(await poller.poll()));

			const created = idsOf(events.filter(({ event }) => event === 'clientCreated'));
			const now = new Set(service.ids());
			expect(new Set(created).size).toBe(created.length);
			expect(created.filter((id) => atFirst.has(id))).toEqual([]);
			expect([...wasThere].filter((id) => now.has(id) && !created.includes(id))).toEqual([]);
			const removed = events.filter(({ event }) => event === 'clientRemoved');
			const leftFromFirst = [...atFirst].filter((id) => !now.has(id)).length;
			expect(new Set(removed.map(({ reference_id }) => reference_id)).size).toBe(removed.length);
			expect(removed.length).toBe(leftFromFirst);
		},
	);
});

describe('A first poll of a list that changes with every request', () => {
	it('prevents the activation of the workflow and saves nothing', async () => {
		let isMoving = true;
		service = await startService({
			clients: 300,
			maxPageLimit: 50,
			behavior: { overLimit: 'capped', order: 'created-descending' },
			onRequest: ({ endpoint }) => {
				if (isMoving && endpoint === 'list') clients.add();
			},
		});
		({ clients } = service.app.environment('sandbox'));
		poller = new Poller(service.engine, { triggerOn: ['clientCreated', 'clientRemoved', 'requestStatusChanged'] });
		await expect(poller.activate()).rejects.toMatchObject({
			message: expect.stringContaining('The list kept changing while it was being read'),
			failure: { cause: 'temporarily-unavailable' },
		});
		expect(poller.saved).toBeUndefined();
		isMoving = false;
		expect(await poller.activate()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});
});
