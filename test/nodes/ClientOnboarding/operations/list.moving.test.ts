import { describe, expect, it } from '@jest/globals';
import type { Clients } from '../../../../sandbox/data/clients.mts';
import type { Dialect } from '../../../../sandbox/endpoints/dialect.mts';
import { byDepth, oneOf } from '../../../support/depth.mts';
import { idsOf, startService } from '../../../support/service.mts';

const CLIENTS = 250;
const PAGE_SIZE = 25;
const BOUNDARIES = Array.from({ length: CLIENTS / PAGE_SIZE }, (_, index) => index + 1);

/** What may happen to a list while it is read; returns the id that did not exist throughout. */
const CHANGES: Record<string, (store: Clients) => string | undefined> = {
	'a client is added': (store) => store.add({ created_at: '2020-01-01T00:00:00.000Z' }).reference_id,
	'the newest is added': (store) => store.add({}).reference_id,
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

describe.each(Object.keys(CHANGES))('While the list is read, %s', (change) => {
	for (const order of ['created-ascending', 'created-descending', 'arbitrary'] as const) {
		for (const parallelRequests of [1, 5]) {
			it(`at every page boundary: each client once, none missing (${order}, ${parallelRequests} at a time)`, async () => {
				for (const boundary of oneOf(5, BOUNDARIES)) {
					await expectAllThatStayed({ change, boundary, dialect: { order }, parallelRequests });
				}
			});
		}
	}
});

describe('A list that has clients at first', () => {
	it('is read again where it seems empty the next time, and none is missing', async () => {
		const service = await startService({
			clients: CLIENTS,
			onAnswer: ({ endpoint, count }, { body }) => {
				if (endpoint === 'list' && count === 2) (body as { data: { results: unknown[] } }).data.results = [];
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});

	it('is empty, with a hint, where it stays empty', async () => {
		const service = await startService({
			clients: CLIENTS,
			onRequest: ({ endpoint, count }) => {
				const { clients } = service.app.environment('sandbox');
				if (endpoint === 'list' && count === 2) for (const id of clients.ids()) clients.remove(id);
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json).toEqual([]);
		// A service whose backend fails looks the same.
		expect(hints).toEqual(['The list kept changing while it was read. 0 clients came; some may be missing.']);
		expect(service.listRequests().length).toBeLessThanOrEqual(20);
	});
});

describe('While a list filtered by status is read', () => {
	it('a client that leaves the filter shifts the others, and none of them is missing', async () => {
		for (const boundary of [1, 2, 3]) {
			let hasHappened = false;
			const service = await startService({
				clients: CLIENTS,
				onRequest: ({ endpoint, query }) => {
					if (endpoint !== 'list' || hasHappened || Number(query.page_no) !== boundary) return;
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
			const ids = idsOf(json);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids).toEqual(expect.arrayContaining(pending()));
		}
	});
});

describe('A client that leaves while another comes, so that the total stays', () => {
	it.each([
		{ first: 'oldest first', order: 'created-ascending', filters: {} },
		{ first: 'newest first', order: 'created-descending', filters: {} },
		{ first: 'oldest first, under a filter', order: 'created-ascending', filters: { requestStatus: ['pending'] } },
	] as const)('hides nobody who stands where two pages meet ($first)', async ({ order, filters }) => {
		const service = await startService({
			clients: 0,
			dialect: { order },
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
		expect(hints).toEqual([]);
		expect(before.filter((id) => id !== front && !idsOf(json).includes(id))).toEqual([]);
	});
});

describe('A first page that changes while it is found out which name the page parameter has', () => {
	it('does not hide the others', async () => {
		const service = await startService({
			clients: 60,
			dialect: { pageParameter: 'page' },
			onRequest: ({ endpoint, count }) => {
				const { clients } = service.app.environment('sandbox');
				if (endpoint === 'list' && count === 2) clients.remove(clients.ids()[0]);
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 10 } } });
		expect(idsOf(json)).toEqual(expect.arrayContaining(service.ids()));
		expect(hints).toEqual([]);
	});
});

describe('A list that is emptied between two readings', () => {
	it('is given as it was, or with a hint', async () => {
		const service = await startService({
			clients: 60,
			dialect: { totals: 'absent' },
			onRequest: ({ endpoint, count }) => {
				const { clients } = service.app.environment('sandbox');
				if (endpoint === 'list' && count === 6) clients.ids().forEach((id) => clients.remove(id));
			},
		});
		const { json, error } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 20, parallelRequests: 1, consistency: 'fast' } },
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(60);
	});
});

describe('A list in the order of names', () => {
	it.each([2, 3, 5, 9])(
		'hides nobody who moves to a read page while another leaves (before request %i)',
		async (at) => {
			const service = await startService({
				clients: 250,
				onAnswer: ({ endpoint, query, count }, { body }) => {
					if (endpoint !== 'list') return;
					if (count === at) {
						const [moved] = list.splice(240, 1);
						list.splice(12, 1);
						list.splice(14, 0, moved);
					}
					const size = Math.min(25, Number(query.page_limit));
					const start = (Number(query.page_no) - 1) * size;
					Object.assign((body as { data: object }).data, {
						results: list.slice(start, start + size),
						page_limit: size,
						total_count: list.length,
						total_pages: Math.ceil(list.length / size),
					});
				},
			});
			const list = [...service.app.environment('sandbox').served()];
			const left = list[12].reference_id;
			const { json, hints } = await service.engine.run({
				parameters: { returnAll: true, options: { parallelRequests: 1 } },
			});
			expect(idsOf(json).filter((id) => id !== left)).toEqual(service.ids().filter((id) => id !== left));
			expect(hints).toEqual([]);
		},
	);
});

describe('A bulk import while the second page is read', () => {
	it.each(['page_no', 'page'] as const)(
		'does not hide under which name the page counts (%s)',
		async (pageParameter) => {
			for (const imported of [5, 8, 10, 25]) {
				const service = await startService({
					clients: 57,
					dialect: { pageParameter, order: 'created-descending', overLimit: 'capped' },
					maxPageLimit: 10,
					onRequest: ({ endpoint, count }) => {
						if (endpoint !== 'list' || count !== 2) return;
						for (let each = 0; each < imported; each++) service.app.environment('sandbox').clients.add({});
					},
				});
				const before = service.ids();
				const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
				expect({ imported, hints, missing: before.filter((id) => !idsOf(json).includes(id)) }).toEqual({
					imported,
					hints: [],
					missing: [],
				});
			}
		},
	);
});

describe('A bulk import while the second page is read, and a backend that answers with nothing just then', () => {
	it('do not hide under which name the page counts', async () => {
		const service = await startService({
			clients: 57,
			dialect: { order: 'created-descending', overLimit: 'capped' },
			maxPageLimit: 10,
			// The first page, the second, the same under the other name, and the first under that.
			faults: ['no-rows:skip=3,times=1'],
			onRequest: ({ endpoint, count }) => {
				if (endpoint !== 'list' || count !== 2) return;
				for (let each = 0; each < 10; each++) service.app.environment('sandbox').clients.add({});
			},
		});
		const before = service.ids();
		const { json, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 10, parallelRequests: 1 } },
		});
		expect(before.filter((id) => !idsOf(json).includes(id))).toEqual([]);
		expect(hints).toEqual([]);
	});
});

describe('A list that only grows while it is read', () => {
	it('is given without a hint', async () => {
		const service = await startService({
			clients: 60,
			dialect: { order: 'created-descending' },
			onRequest: ({ endpoint }) => {
				if (endpoint === 'list') service.app.environment('sandbox').clients.add({});
			},
		});
		const before = service.ids();
		const { json, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 20, parallelRequests: 1 } },
		});
		expect(idsOf(json)).toEqual(expect.arrayContaining(before));
		expect(hints).toEqual([]);
	});
});

describe('A list that rests', () => {
	it.each([
		{ clients: 292, pageSize: 10, pages: 30 },
		{ clients: 1230, pageSize: 25, pages: 50 },
		{ clients: 303, pageSize: 100, pages: 4 },
	])('is read once, however short its last page ($clients in pages of $pageSize)', async ({ pages, ...list }) => {
		const service = await startService({ clients: list.clients });
		const { json, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: list.pageSize } },
		});
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
		expect(service.listRequests().length).toBeLessThanOrEqual(2 * pages + 1);
	});
});

describe('A list that never stands still', () => {
	it.each(['numbers', 'absent'] as const)(
		'is given with a hint that says so, after a bounded number of rounds (totals %s)',
		async (totals) => {
			const guests: string[] = [];
			const service = await startService({
				clients: 60,
				dialect: { order: 'created-descending', totals },
				onRequest: ({ endpoint }) => {
					if (endpoint !== 'list') return;
					const { clients } = service.app.environment('sandbox');
					// More than a look at the beginning of the list has room for.
					const leaving = guests.splice(0);
					while (guests.length < 21) guests.push(clients.add({}).reference_id);
					leaving.forEach((id) => clients.remove(id));
				},
			});
			const { json, error, hints } = await service.engine.run({
				parameters: { returnAll: true, options: { pageSize: 20, parallelRequests: 1 } },
			});
			expect(error).toBeUndefined();
			const ids = idsOf(json);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids.length).toBeGreaterThanOrEqual(60);
			expect(hints).toEqual([expect.stringMatching(/some may be missing/i)]);
			// Ten rounds.
			expect(service.listRequests().length).toBeLessThan(600);
		},
	);
});

describe('A list in another order on every request, with one client a page and no total', () => {
	it('is complete, or a hint says that it may not be', async () => {
		for (let attempt = 0; attempt < byDepth({ quick: 4, deep: 20, long: 20 }); attempt++) {
			const service = await startService({
				clients: 11,
				maxPageLimit: 1,
				dialect: { order: 'shuffled', overLimit: 'capped', totals: 'zero' },
				seed: attempt,
			});
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
			if (hints.length === 0) expect(idsOf(json)).toEqual(service.ids());
			await service.close();
		}
	});
});

async function expectAllThatStayed({
	change,
	boundary,
	dialect,
	parallelRequests,
}: {
	change: string;
	boundary: number;
	dialect: Partial<Dialect>;
	parallelRequests: number;
}): Promise<void> {
	let moved: string | undefined;
	let hasHappened = false;
	const service = await startService({
		clients: CLIENTS,
		dialect,
		onRequest: ({ endpoint, query }) => {
			if (endpoint !== 'list' || hasHappened || Number(query.page_no) !== boundary) return;
			hasHappened = true;
			moved = CHANGES[change](service.app.environment('sandbox').clients);
		},
	});
	const before = service.ids();
	const { json, error, hints } = await service.engine.run({
		parameters: { returnAll: true, options: { pageSize: PAGE_SIZE, parallelRequests } },
	});
	expect(error).toBeUndefined();
	expect(hints).toEqual([]);
	expect(hasHappened).toBe(true);
	const ids = idsOf(json);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter((id) => id !== moved)).toEqual(before.filter((id) => id !== moved));
	await service.close();
}
