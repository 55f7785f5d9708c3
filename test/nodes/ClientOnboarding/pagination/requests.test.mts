import { describe, expect, it } from '@jest/globals';
import { idsOf, startService } from '../../../support/service.mts';

describe('A list that does not change', () => {
	it.each([
		[1_000, { overLimit: 'granted' }, {}, 2],
		[60, { overLimit: 'granted' }, {}, 1],
		[0, {}, {}, 1],
		[1_000, { overLimit: 'capped' }, { consistency: 'exact' }, 2 * 10 + 5],
		[1_000, { overLimit: 'capped' }, { consistency: 'fast' }, 10 + 2],
		[250, {}, { pageSize: 50 }, 2 * 5 + 2],
	] as const)(
		'of %i clients (%j) with the options %j takes at most %i requests',
		async (clients, behavior, options, most) => {
			const service = await startService({ clients, behavior, maxPageLimit: 100 });
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true, options } });
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual(
				clients === 0 ? ['The service lists no clients. If there are any, check "Environment" in the credential.'] : [],
			);
			expect(service.listRequests().length).toBeLessThanOrEqual(most);
			expect(service.tokenRequests()).toHaveLength(1);
		},
	);

	it.each([
		[50, 250, [50]],
		[150, 250, [100, 150]],
		[1, 250, [1]],
	])('is read up to a limit of %i of %i clients in pages of %j', async (limit, clients, sizes) => {
		const service = await startService({ clients, behavior: { overLimit: 'granted' } });
		const { json } = await service.engine.run({ parameters: { limit } });
		expect(json).toHaveLength(limit);
		expect(service.listRequests().map(({ query }) => Number(query.page_limit))).toEqual(sizes);
	});

	it('is requested in the page size and under the parameter name that an earlier execution has learned', async () => {
		const service = await startService({
			clients: 250,
			behavior: { overLimit: 'refused-400', pageParameter: 'page', otherParameters: 'refused-422' },
			maxPageLimit: 50,
		});
		await service.engine.run({ parameters: { returnAll: true } });
		const before = service.listRequests().length;
		const { json } = await service.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(json)).toEqual(service.ids());
		const later = service.listRequests().slice(before);
		expect(new Set(later.map(({ query }) => `${query.page_no} ${query.page_limit}`))).toEqual(
			new Set(['undefined 50']),
		);
		expect(later.length).toBeLessThanOrEqual(2 * 5 + 2);
	});
});

describe('A service that was updated', () => {
	it('is read under its new page parameter although an earlier execution has learned the other one', async () => {
		const service = await startService({
			clients: 30,
			behavior: { pageParameter: 'page', otherParameters: 'refused-422' },
		});
		await service.engine.run({ parameters: { returnAll: true } });
		service.app.setBehavior({ pageParameter: 'page_no' });
		const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});
});

describe('A bulk import between page 1 and page 2', () => {
	it.each(['page_no', 'page'] as const)(
		'does not lead to the wrong page parameter for good (%s is effective)',
		async (pageParameter) => {
			const service = await startService({
				clients: 57,
				behavior: { pageParameter, order: 'created-descending', overLimit: 'capped' },
				maxPageLimit: 10,
				onRequest: ({ endpoint, count }) => {
					if (endpoint !== 'list' || count !== 3) return;
					for (let each = 0; each < 10; each++) service.app.environment('sandbox').clients.add({});
				},
			});
			const before = service.ids();
			const first = await service.engine.run({ parameters: { returnAll: true } });
			expect(before.filter((id) => !idsOf(first.json).includes(id))).toEqual([]);
			const second = await service.engine.run({ parameters: { returnAll: true } });
			expect(idsOf(second.json)).toEqual(service.ids());
			expect([...first.hints, ...second.hints]).toEqual([]);
		},
	);
});

describe('A list that seems empty after clients were returned', () => {
	it.each([
		['204', { status: 204, body: '' }],
		['null data', { status: 200, body: { status_code: 200, message: 'ok', data: null } }],
		['404', { status: 404, body: { status_code: 404, message: 'none', data: null } }],
	])('has a warning if all later requests for page 1 say so (%s)', async (_, answered) => {
		const service = await startService({
			clients: 250,
			onAnswer: ({ endpoint, count }, answer) => {
				if (endpoint === 'list' && count > 1) Object.assign(answer, answered);
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json).toHaveLength(100);
		expect(hints).toEqual([expect.stringMatching(/reports 250 clients but returned 100, also on a second read/)]);
	});

	it.each(['skip=1,times=1', 'skip=1'])('is complete or has a warning if a page has no rows (%s)', async (when) => {
		const service = await startService({
			clients: 300,
			maxPageLimit: 30,
			behavior: { overLimit: 'capped' },
			faults: [`no-rows:${when}`],
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		if (hints.length === 0) expect(json).toHaveLength(300);
	});
});

describe('The effective page parameter', () => {
	it('is found although the list changed while it was tried', async () => {
		const service = await startService({
			clients: 60,
			behavior: { pageParameter: 'page' },
			onRequest: ({ endpoint, count }) => {
				const { clients } = service.app.environment('sandbox');
				if (endpoint === 'list' && count === 2) clients.remove(clients.ids()[0]);
			},
		});
		const parameters = { returnAll: true, options: { pageSize: 10 } };
		const first = await service.engine.run({ parameters });
		expect(service.ids().filter((id) => !idsOf(first.json).includes(id))).toEqual([]);
		const { json, hints } = await service.engine.run({ parameters });
		expect(hints).toEqual([]);
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('is found although its first requests fail', async () => {
		let failures = 0;
		const service = await startService({
			clients: 120,
			behavior: { pageParameter: 'page' },
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint !== 'list' || query.page === undefined || failures === 12) return;
				failures += 1;
				Object.assign(answer, { status: 500, body: '' });
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 50 } } });
		expect(failures).toBe(12);
		expect(hints).toEqual([]);
		expect(idsOf(json)).toEqual(service.ids());
	});
});

describe('A list that gets a client with every request', () => {
	it.each(['page_no', 'page', 'neither'] as const)(
		'takes a bounded number of requests (%s is effective)',
		async (pageParameter) => {
			const service = await startService({
				clients: 300,
				maxPageLimit: 50,
				behavior: { order: 'created-descending', pageParameter, overLimit: 'capped' },
				onRequest: ({ endpoint, count }) => {
					if (endpoint === 'list' && count > 1) service.app.environment('sandbox').clients.add({});
				},
			});
			const before = service.ids();
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
			expect(service.listRequests().length).toBeLessThan(120);
			if (hints.length === 0) expect(before.filter((id) => !idsOf(json).includes(id))).toEqual([]);
		},
	);
});

describe('A service with several limits', () => {
	it('is read in pages of 10 if it refuses page_no and returns 500 for larger pages', async () => {
		const service = await startService({
			clients: 30,
			maxPageLimit: 10,
			behavior: { pageParameter: 'page', otherParameters: 'refused-422', overLimit: 'refused-500' },
		});
		const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});
});
