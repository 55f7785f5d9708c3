import { describe, expect, it } from '@jest/globals';
import type { Clients } from '../../../../sandbox/data/clients.mts';
import type { Behavior } from '../../../../sandbox/endpoints/behavior.mts';
import { oneOf } from '../../../support/depth.mts';
import { idsOf, startService } from '../../../support/service.mts';

const CLIENTS = 250;
const PAGE_SIZE = 25;
const PAGES = Array.from({ length: CLIENTS / PAGE_SIZE }, (_, index) => index + 1);

/** Changes of a list while it is read. Each returns the ID of the client that did not exist throughout. */
const CHANGES: Record<string, (store: Clients) => string | undefined> = {
	'an old client is added': (store) => store.add({ created_at: '2020-01-01T00:00:00.000Z' }).reference_id,
	'a new client is added': (store) => store.add({}).reference_id,
	'a client is removed': (store) => {
		const id = store.ids()[3];
		store.remove(id);
		return id;
	},
	'a status changes': (store) => {
		store.setStatus(store.ids()[3], 'declined');
		return undefined;
	},
};

describe('A list that changes once while it is read', () => {
	for (const order of ['created-ascending', 'created-descending'] as const) {
		for (const parallelRequests of [1, 5]) {
			it.each(Object.keys(CHANGES))(
				`is returned completely and without a warning when %s (${order}, ${parallelRequests} requests at once)`,
				async (change) => {
					for (const page of oneOf(5, PAGES)) await expectAllThatStayed({ change, page, order, parallelRequests });
				},
			);
		}
	}

	it.each([
		{ order: 'created-ascending', filters: {} },
		{ order: 'created-descending', filters: {} },
		{ order: 'created-ascending', filters: { requestStatus: ['pending'] } },
	] as const)('misses no client when one leaves and another one arrives ($order, $filters)', async (list) => {
		const { order, filters } = list;
		const service = await startService({
			clients: 0,
			behavior: { order },
			onRequest: ({ endpoint, query }) => {
				const { clients } = service.app.environment('sandbox');
				if (endpoint !== 'list' || query.page_no !== '2' || clients.get(front) === undefined) return;
				clients.remove(front);
				clients.add({
					created_at: order === 'created-ascending' ? '2026-01-01T00:00:00Z' : '2024-01-01T00:00:00Z',
					request_status: 'Pending',
				});
			},
		});
		const { clients } = service.app.environment('sandbox');
		for (let day = 0; day < 60; day++) {
			const created_at = new Date(Date.UTC(2025, 0, 1 + day)).toISOString();
			clients.add({ created_at, request_status: 'Pending' });
		}
		const before = clients.ids();
		const front = order === 'created-ascending' ? before[0] : before[before.length - 1];
		const { json, hints } = await service.engine.run({
			parameters: { returnAll: true, filters: filters as never, options: { pageSize: 20, parallelRequests: 1 } },
		});
		expect(clients.get(front)).toBeUndefined();
		expect(hints).toEqual([]);
		expect(before.filter((id) => id !== front && !idsOf(json).includes(id))).toEqual([]);
	});

	it.each([1, 2, 3])('misses no client that still matches when one leaves the filter at page %i', async (page) => {
		let hasHappened = false;
		const service = await startService({
			clients: CLIENTS,
			onRequest: ({ endpoint, query }) => {
				if (endpoint !== 'list' || hasHappened || Number(query.page_no) !== page) return;
				hasHappened = true;
				const [first] = pending();
				service.app.environment('sandbox').clients.setStatus(first, 'completed');
			},
		});
		const pending = () =>
			idsOf([...service.app.environment('sandbox').served()].filter(({ request_status: s }) => s === 'Pending'));
		const { json, error } = await service.engine.run({
			parameters: {
				returnAll: true,
				filters: { requestStatus: ['pending'] },
				options: { pageSize: 10, parallelRequests: 1 },
			},
		});
		expect(error).toBeUndefined();
		expect(hasHappened).toBe(true);
		const ids = idsOf(json);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(pending()));
	});
});

describe('The number of passes', () => {
	it.each([
		{ consistency: 'exact', clients: 292, pageSize: 10, requests: 2 * 30 },
		{ consistency: 'exact', clients: 303, pageSize: 100, requests: 2 * 4 },
		// A full last page does not show that it is the last.
		{ consistency: 'exact', clients: 300, pageSize: 100, requests: 2 * (3 + 1) },
		{ consistency: 'fast', clients: 292, pageSize: 10, requests: 30 },
	])(
		'leads to $requests requests for $clients clients in pages of $pageSize that do not change ($consistency)',
		async ({ consistency, clients, pageSize, requests }) => {
			const service = await startService({ clients });
			const { json, hints } = await service.engine.run({
				parameters: { returnAll: true, options: { pageSize, consistency } },
			});
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([]);
			expect(service.listRequests()).toHaveLength(requests);
		},
	);

	it('stays two when a client has just arrived before the second one', async () => {
		const service = await startService({
			clients: 59,
			behavior: { order: 'created-descending' },
			onRequest: ({ endpoint, count }) => {
				if (endpoint === 'list' && count === 4) service.app.environment('sandbox').clients.add({});
			},
		});
		const { json, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 20, parallelRequests: 1 } },
		});
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
		expect(service.listRequests().map(({ query }) => query.page_no)).toEqual(['1', '2', '3', '1', '2', '3', '4']);
	});

	it('ends at four with a warning that gives both numbers when a client is added with every request', async () => {
		const service = await startService({
			clients: 60,
			behavior: { order: 'created-descending' },
			onRequest: ({ endpoint }) => {
				if (endpoint === 'list') service.app.environment('sandbox').clients.add({});
			},
		});
		const before = service.ids();
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 20, parallelRequests: 1 } },
		});
		expect(error).toBeUndefined();
		const ids = idsOf(json);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(before));
		expect(hints).toEqual([
			expect.stringMatching(
				/^The list kept changing while it was being read: the service reports \d+ clients and returned \d+\./,
			),
		]);
		expect(hints[0]).toContain(`returned ${ids.length}.`);
		expect(service.listRequests().filter(({ query }) => query.page_no === '1')).toHaveLength(4);
	});
});

async function expectAllThatStayed({
	change,
	page,
	order,
	parallelRequests,
}: {
	change: string;
	page: number;
	order: Behavior['order'];
	parallelRequests: number;
}): Promise<void> {
	let moved: string | undefined;
	let hasHappened = false;
	const service = await startService({
		clients: CLIENTS,
		behavior: { order },
		onRequest: ({ endpoint, query }) => {
			if (endpoint !== 'list' || hasHappened || Number(query.page_no) !== page) return;
			hasHappened = true;
			moved = CHANGES[change](service.app.environment('sandbox').clients);
		},
	});
	const before = service.ids();
	const { json, error, hints } = await service.engine.run({
		parameters: { returnAll: true, options: { pageSize: PAGE_SIZE, parallelRequests } },
	});
	expect({ error, hints, hasHappened }).toEqual({ error: undefined, hints: [], hasHappened: true });
	const ids = idsOf(json);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter((id) => id !== moved)).toEqual(before.filter((id) => id !== moved));
	await service.close();
}
