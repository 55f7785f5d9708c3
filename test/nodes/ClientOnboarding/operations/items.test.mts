import { beforeAll, describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Client } from '../../../../sandbox/data/client.mts';
import type { Behavior } from '../../../../sandbox/endpoints/behavior.mts';
import type { RunResult } from '../../../support/engine.mts';
import { Crowd } from '../../../support/crowd.mts';
import { byDepth, oneOf } from '../../../support/depth.mts';
import { startService, type Service } from '../../../support/service.mts';
import { countLeftOpen } from '../../../randomized/sockets.mts';

const findById: INodeParameters = { operation: 'find', findBy: 'referenceId', referenceId: '={{ $json.id }}' };
const findByEmail: INodeParameters = { operation: 'find', findBy: 'email', email: '={{ $json.email }}' };
const listAll: INodeParameters = { operation: 'list', returnAll: true };

const served = (service: Service): Client[] => [...service.app.environment('sandbox').served()];
const rowsOf = (rows: Array<Record<string, unknown>>) => rows.map((json) => ({ json: json as never }));

const MANY = byDepth({ quick: 600, deep: 3_000, long: 3_000 });

/** The reference IDs that each item got. */
function pairs({ items }: RunResult, count: number): string[][] {
	const got: string[][] = Array.from({ length: count }, () => []);
	for (const { json, pairedItem } of items) {
		got[(pairedItem as { item: number }).item].push(String(json.reference_id ?? `error: ${json.error}`));
	}
	return got;
}

async function requestsFor(service: Service, run: () => Promise<unknown>): Promise<number> {
	const before = service.listRequests().length;
	await run();
	return service.listRequests().length - before;
}

describe.each(oneOf(2, [100, 10_000]))('Many input items, in pages of at most %i rows,', (maxPageLimit) => {
	let service: Service;
	let requestsOfOneRead: number;
	beforeAll(async () => {
		service = await startService({ clients: MANY, maxPageLimit, behavior: { overLimit: 'capped' } });
		await service.engine.run({ parameters: listAll });
		requestsOfOneRead = await requestsFor(service, async () => await service.engine.run({ parameters: listAll }));
	});

	it('find a third of all clients by ID with one read of the list, and each item gets its own client', async () => {
		const ids = service.ids().filter((_, index) => index % 3 === 0);
		const input = rowsOf(ids.map((id) => ({ id })));
		const asked = await requestsFor(service, async () => {
			const result = await service.engine.run({ parameters: findById, input });
			expect(pairs(result, ids.length)).toEqual(ids.map((id) => [id]));
			expect(result.hints).toEqual([]);
		});
		expect(asked).toBeLessThanOrEqual(1.2 * requestsOfOneRead);
	});

	it('find a third of all clients by email with one read of the list, and each item gets its own client', async () => {
		const clients = served(service).filter((_, index) => index % 3 === 0);
		const input = rowsOf(clients.map(({ email }) => ({ email: email.toUpperCase() })));
		const asked = await requestsFor(service, async () => {
			const result = await service.engine.run({ parameters: findByEmail, input });
			pairs(result, clients.length).forEach((ids, index) => expect(ids).toContain(clients[index].reference_id));
		});
		expect(asked).toBeLessThanOrEqual(1.2 * requestsOfOneRead + 1);
	});

	it('with equal parameters share one read of the list, and a hint says that all got the same result', async () => {
		const input = rowsOf(Array.from({ length: 5 }, (_, item) => ({ item })));
		const asked = await requestsFor(service, async () => {
			const result = await service.engine.run({ parameters: listAll, input });
			const got = pairs(result, 5);
			for (const ids of got) expect([...ids].sort()).toEqual(service.ids());
			expect(result.hints).toEqual([expect.stringMatching(/ran for 5 items and returned the same result for each/)]);
			const [first, second] = [result.items[0].json, result.items[MANY].json];
			expect(second).toEqual(first);
			expect(second).not.toBe(first);
		});
		expect(asked).toBeLessThanOrEqual(1.2 * requestsOfOneRead);
	});

	it('with different statuses share one read of the list, and each item gets its own clients', async () => {
		const statuses = ['pending', 'accepted', 'declined', 'completed', 'requested'];
		const input = rowsOf(statuses.map((status) => ({ status })));
		const parameters = { ...listAll, filters: { requestStatus: '={{ $json.status }}' } };
		const asked = await requestsFor(service, async () => {
			const result = await service.engine.run({ parameters, input });
			const expected = statuses.map((status) =>
				served(service)
					.filter(({ request_status }) => request_status.toLowerCase() === status)
					.map(({ reference_id }) => reference_id)
					.sort(),
			);
			expect(pairs(result, 5).map((ids) => ids.sort())).toEqual(expected);
		});
		expect(asked).toBeLessThanOrEqual(1.2 * requestsOfOneRead + 1);
	});
});

describe('Finding a few email addresses in a long list', () => {
	it('sends filtered requests in parallel up to the limit and does not read the whole list', async () => {
		const crowd = new Crowd(3);
		const service = await startService({
			clients: 20_000,
			maxPageLimit: 100,
			behavior: { emailFilter: 'any-case', overLimit: 'capped' },
			onRequest: async ({ query }) => {
				if (query.client_email) await crowd.join();
			},
		});
		const clients = served(service).filter((_, index) => index % 2_500 === 7);
		const input = rowsOf(clients.map(({ email }) => ({ email })));
		const result = await service.engine.run({
			parameters: { ...findByEmail, options: { parallelRequests: 3 } },
			input,
		});
		pairs(result, clients.length).forEach((ids, index) => expect(ids).toContain(clients[index].reference_id));
		expect(service.listRequests().length).toBeLessThanOrEqual(2 + clients.length);
		expect(crowd.most).toBe(3);
	});

	it('takes one read of the list if the service ignores the filter', async () => {
		const service = await startService({
			clients: 2_000,
			maxPageLimit: 400,
			behavior: { emailFilter: 'ignored', overLimit: 'capped' },
		});
		const requestsOfOneRead = await requestsFor(service, async () => await service.engine.run({ parameters: listAll }));
		const clients = served(service).filter((_, index) => index % 250 === 7);
		const asked = await requestsFor(service, async () => {
			const input = rowsOf(clients.map(({ email }) => ({ email })));
			const result = await service.engine.run({ parameters: findByEmail, input });
			pairs(result, clients.length).forEach((ids, index) => expect(ids).toContain(clients[index].reference_id));
		});
		expect(asked).toBeLessThanOrEqual(requestsOfOneRead + 2 + 2 * clients.length);
	});

	it('does not read the whole list if one address shows that the filter works, even if the first one has no match', async () => {
		const service = await startService({ clients: 6_000, maxPageLimit: 100, behavior: { overLimit: 'capped' } });
		const known = served(service).filter((_, index) => index % 300 === 7);
		const emails = ['nobody@example.com', ...known.slice(1).map(({ email }) => email)];
		const result = await service.engine.run({
			parameters: findByEmail,
			input: rowsOf(emails.map((email) => ({ email }))),
		});
		const [nobody, ...others] = pairs(result, emails.length);
		expect(nobody).toEqual([]);
		others.forEach((ids, index) => expect(ids).toContain(known[index + 1].reference_id));
		expect(emails).toHaveLength(20);
		expect(service.listRequests().length).toBeLessThanOrEqual(25);
	});

	it('takes one read of the list if no client has any of the addresses', async () => {
		const service = await startService({ clients: 5_000, maxPageLimit: 100 });
		const requestsOfOneRead = await requestsFor(service, async () => await service.engine.run({ parameters: listAll }));
		const input = rowsOf([1, 2, 3].map((number) => ({ email: `nobody-${number}@example.com` })));
		const asked = await requestsFor(service, async () => {
			const { items, error } = await service.engine.run({ parameters: findByEmail, input });
			expect([items, error]).toEqual([[], undefined]);
		});
		expect(asked).toBeLessThanOrEqual(requestsOfOneRead + 10);
	});
});

describe('A service that returns 500 for pages larger than the page size that the user set', () => {
	it('does not keep Find Client from finding a few email addresses', async () => {
		const service = await startService({ clients: 60, maxPageLimit: 20, behavior: { overLimit: 'refused-500' } });
		const input = rowsOf(
			served(service)
				.slice(30, 33)
				.map(({ email }) => ({ email })),
		);
		const result = await service.engine.run({ parameters: { ...findByEmail, options: { pageSize: 20 } }, input });
		expect(result.error).toBeUndefined();
		expect(pairs(result, 3).filter((ids) => ids.length > 0)).toHaveLength(3);
	});
});

describe('A service that returns 500 for pages of more than 100 rows', () => {
	it('does not keep Find Client from finding a few email addresses', async () => {
		const service = await startService({ clients: 150, behavior: { overLimit: 'refused-500' } });
		const wanted = served(service).slice(70, 72);
		const result = await service.engine.run({
			parameters: findByEmail,
			input: rowsOf(wanted.map(({ email }) => ({ email }))),
		});
		expect(result.error).toBeUndefined();
		pairs(result, 2).forEach((ids, index) => expect(ids).toContain(wanted[index].reference_id));
	});
});

describe('Items with equal filters and different limits', () => {
	it('share the read with the highest limit, and each item gets the first clients of it', async () => {
		const service = await startService({ clients: 300, behavior: { order: 'shuffled' } });
		const parameters = { operation: 'list', limit: '={{ $json.limit }}' };
		const input = rowsOf([3, 20, 7].map((limit) => ({ limit })));
		const got = pairs(await service.engine.run({ parameters, input }), 3);
		expect(got.map((ids) => ids.length)).toEqual([3, 20, 7]);
		expect([got[0], got[2]]).toEqual([got[1].slice(0, 3), got[1].slice(0, 7)]);
		expect(service.listRequests()).toHaveLength(1);
	});
});

describe('Items with a limit', () => {
	const parameters = {
		operation: 'list',
		limit: '={{ $json.limit }}',
		filters: { requestStatus: '={{ $json.status }}', createdWithinDays: '={{ $json.days ?? "all" }}' },
	};

	it('and different filters read only the pages that they need', async () => {
		const service = await startService({ clients: 5_000, maxPageLimit: 100, behavior: { overLimit: 'capped' } });
		const input = rowsOf([
			{ limit: 3, status: 'all' },
			{ limit: 5, status: 'pending' },
		]);
		const { json } = await service.engine.run({ parameters, input });
		expect(json).toHaveLength(8);
		expect(json.slice(3).map(({ request_status: status }) => status)).toEqual(Array(5).fill('Pending'));
		expect(service.listRequests().length).toBeLessThanOrEqual(6);
	});

	it('share one read of the whole list if the service cannot apply the filter', async () => {
		const service = await startService({ clients: 500 });
		const input = rowsOf([
			{ limit: 3, status: 'all', days: 10_000 },
			{ limit: 5, status: 'all', days: 20_000 },
		]);
		const { json } = await service.engine.run({ parameters, input });
		expect(json).toHaveLength(8);
		expect(service.listRequests()).toHaveLength(2);
	});
});

describe('Count Clients for items with different statuses', () => {
	it('takes at most three requests for all items', async () => {
		const service = await startService({ clients: 300 });
		const statuses = ['pending', 'accepted', 'declined'];
		const input = rowsOf(statuses.map((status) => ({ status })));
		const parameters = { operation: 'count', filters: { requestStatus: '={{ $json.status }}' } };
		const { json } = await service.engine.run({ parameters, input });
		const count = (wanted: string) =>
			served(service).filter(({ request_status: status }) => status.toLowerCase() === wanted).length;
		expect(json.map(({ total }) => total)).toEqual(statuses.map(count));
		expect(service.listRequests().length).toBeLessThanOrEqual(3);
	});
});

describe('Items that search an empty list', () => {
	it.each(['page', '404', 'results-null'] as const)('get no clients (%s)', async (emptyList) => {
		const service = await startService({ clients: 0, behavior: { emptyList } });
		const input = rowsOf([{ email: 'ada@example.com' }, { email: 'bea@example.com' }]);
		const { items } = await service.engine.run({ parameters: findByEmail, input });
		expect(items).toEqual([]);
	});
});

describe('IDs that are not found in a list with another order on every request', () => {
	it('give a warning', async () => {
		const service = await startService({
			clients: 300,
			maxPageLimit: 10,
			behavior: { order: 'shuffled', overLimit: 'capped' },
		});
		const input = rowsOf([{ id: 'NOBODY' }, { id: 'NOBODY EITHER' }]);
		const { items, hints } = await service.engine.run({ parameters: findById, input });
		expect([items, hints]).toEqual([[], [expect.any(String)]]);
	});
});

describe('Items that find no client', () => {
	const byGroup = { ...listAll, filters: { groupName: { __rl: true, mode: 'name', value: '={{ $json.group }}' } } };

	it.each<[string, INodeParameters, object[], unknown[]]>([
		[
			'are counted, with the first ID',
			findById,
			[{ id: 'A' }, { id: 'B' }, { id: 'C' }, { id: 'D' }, { id: 'D' }],
			[
				expect.stringContaining(
					'No client was found for 5 of 6 items. The first one: No client has the reference ID "A". To get',
				),
			],
		],
		[
			'are counted, with the first email address',
			findByEmail,
			[{ email: 'nobody@example.com' }, { email: 'nobody' }],
			[
				expect.stringContaining(
					'No client was found for 2 of 3 items. The first one: No client has the email address "nobody@example.com". To',
				),
			],
		],
		[
			'are counted, with the reason for the first one',
			byGroup,
			[{ group: 'Wholesal' }],
			[
				expect.stringMatching(
					/^No client was found for 1 of 2 items\. The first one: No client matches the filters\. The service returned no client whose group is "Wholesal"\. Existing values: /,
				),
			],
		],
	])('%s', async (_, parameters, rows, hints) => {
		const service = await startService({ clients: 30 });
		const [ada] = served(service);
		const known = { id: ada.reference_id, email: ada.email, group: ada.group_name };
		const result = await service.engine.run({ parameters, input: rowsOf([known, ...rows] as never) });
		expect(result.hints).toEqual(hints);
	});

	it('are reported without a count if all of them have the same ID', async () => {
		const service = await startService({ clients: 30 });
		const input = rowsOf([{ id: 'A' }, { id: 'A' }]);
		const { hints } = await service.engine.run({ parameters: findById, input });
		expect(hints).toEqual(['No client has the reference ID "A".']);
	});

	it('are reported in one hint if there are many of them', async () => {
		const service = await startService({ clients: 300 });
		const input = rowsOf(Array.from({ length: MANY }, (_, number) => ({ group: `Wholesal ${number}` })));
		const { items, hints } = await service.engine.run({ parameters: byGroup, input });
		expect(items).toEqual([]);
		expect(hints).toEqual([
			expect.stringMatching(
				new RegExp(
					`^No client was found for ${MANY} of ${MANY} items\\. .*The service returned no client whose group is "Wholesal 0"`,
				),
			),
		]);
	});
});

describe('Items with different parameters', () => {
	it('each get their own clients or message with Continue On Fail', async () => {
		const service = await startService({ clients: 300 });
		const [ada, bea] = served(service);
		const rows: Array<[Record<string, unknown>, string[] | RegExp]> = [
			[{ by: 'referenceId', id: ada.reference_id }, [ada.reference_id]],
			[{ by: 'referenceId', id: '' }, /Reference ID/],
			[{ by: 'referenceId', id: ada.reference_id.toLowerCase() }, [ada.reference_id]],
			[{ by: 'referenceId', id: 'NO-SUCH-ID' }, []],
			[{ by: 'referenceId', id: 'NO-SUCH-ID', must: true }, /No client has the reference ID "NO-SUCH-ID"/],
			[{ by: 'email', email: bea.email }, [bea.reference_id]],
			[{ by: 'email', email: 'nobody@example.com', must: true }, /No client has the email address/],
			[{ by: 'telepathy' }, /Find By/],
			[{ by: 'referenceId', id: ada.reference_id }, [ada.reference_id]],
			[{ by: 'referenceId', id: bea.reference_id, timeout: 0 }, /Timeout/],
			[{ by: 'referenceId', id: bea.reference_id, timeout: 20 }, [bea.reference_id]],
		];
		const parameters: INodeParameters = {
			operation: 'find',
			findBy: '={{ $json.by }}',
			referenceId: '={{ $json.id }}',
			email: '={{ $json.email }}',
			options: { errorIfNotFound: '={{ $json.must ?? false }}', timeout: '={{ $json.timeout ?? 30 }}' },
		};
		const input = rowsOf(rows.map(([row]) => row));
		const result = await service.engine.run({ parameters, input, continueOnFail: true });
		const got = pairs(result, rows.length);
		rows.forEach(([row, expected], index) => {
			if (expected instanceof RegExp) expect([row, got[index]]).toEqual([row, [expect.stringMatching(expected)]]);
			else expect([row, got[index]]).toEqual([row, expected]);
		});
		expect(result.items.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual(
			[...result.items.map(({ pairedItem }) => (pairedItem as { item: number }).item)].sort((a, b) => a - b),
		);
	});

	it('cost no request if one of them has a bad value', async () => {
		const service = await startService({ clients: 300 });
		const input = rowsOf([{ id: service.ids()[0] }, { id: '' }]);
		const { error } = await service.engine.run({ parameters: findById, input });
		expect(error).toMatchObject({ message: expect.stringContaining('Reference ID'), context: { itemIndex: 1 } });
		expect(service.requests).toEqual([]);
	});

	it('end the run with the index of the item that finds no client with Error If Not Found', async () => {
		const service = await startService({ clients: 2_000, maxPageLimit: 100 });
		const ids = service.ids();
		const parameters = { ...findById, options: { errorIfNotFound: true } };
		const input = rowsOf([{ id: ids[0] }, { id: 'NO-SUCH-ID' }, { id: ids[1] }]);
		const { error } = await service.engine.run({ parameters, input });
		expect(error).toMatchObject({ message: expect.stringContaining('NO-SUCH-ID'), context: { itemIndex: 1 } });
	});

	it('send no more requests after the execution is canceled', async () => {
		const service = await startService({ clients: 5_000, maxPageLimit: 100, behavior: { emailFilter: 'any-case' } });
		service.app.schedule('latency:ms=50');
		const input = rowsOf(
			served(service)
				.map(({ email }) => ({ email }))
				.slice(0, 8),
		);
		const running = service.engine.run({
			parameters: findByEmail,
			input,
			onStart: (cancel) => setTimeout(cancel, 200),
		});
		await running;
		expect(await countLeftOpen(new URL(service.environments.sandbox.url).host)).toBe(0);
		// Requests that were pending at the cancellation are complete now.
		const asked = service.requests.length;
		expect(asked).toBeGreaterThan(0);
		await sleep(300);
		expect(service.requests.length).toBe(asked);
	});
});

describe('A sorted list', () => {
	const ORDERS: Array<Behavior['order']> = ['created-ascending', 'created-descending', 'arbitrary'];
	const byId = (a: Client, b: Client) => (a.reference_id < b.reference_id ? -1 : 1);
	const text = (a: string, b: string) =>
		a.toLowerCase() < b.toLowerCase() ? -1 : Number(a.toLowerCase() > b.toLowerCase());
	const sorts: Record<string, (a: Client, b: Client) => number> = {
		newestFirst: (a, b) => (a.created_at < b.created_at ? 1 : -Number(a.created_at > b.created_at)) || byId(a, b),
		oldestFirst: (a, b) => (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)) || byId(a, b),
		name: (a, b) => text(a.client_name, b.client_name) || byId(a, b),
		status: (a, b) => text(a.request_status, b.request_status) || byId(a, b),
	};

	it.each(ORDERS)(
		'starts with the first of all clients in every sort order when the service lists them in the order "%s"',
		async (order) => {
			const service = await startService({ clients: 700, behavior: { order } });
			for (const [sort, compare] of Object.entries(sorts)) {
				const { json, error } = await service.engine.run({
					parameters: { operation: 'list', limit: 30, options: { sort } },
				});
				expect(error).toBeUndefined();
				expect(json.map(({ reference_id }) => reference_id)).toEqual(
					served(service)
						.sort(compare)
						.slice(0, 30)
						.map(({ reference_id }) => reference_id),
				);
			}
		},
	);

	it.each(ORDERS)(
		'leaves out no earlier client that existed throughout, or has a warning, while the list changes (%s)',
		async (order) => {
			const service = await startService({
				clients: 250,
				maxPageLimit: 25,
				behavior: { order, overLimit: 'capped' },
				onRequest({ endpoint, count }) {
					if (endpoint !== 'list' || count % 3 > 0 || count > 30) return;
					const { clients } = service.app.environment('sandbox');
					clients.remove(clients.ids()[count]);
					clients.add({ reference_id: `new ${count}` });
				},
			});
			const before = served(service);
			const { json, hints } = await service.engine.run({
				parameters: { operation: 'list', limit: 60, options: { sort: 'oldestFirst' } },
			});
			const given = json as unknown as Client[];
			expect(given).toEqual([...given].sort(sorts.oldestFirst));
			expect(given).toHaveLength(60);
			const after = new Set(service.ids());
			const stayed = before.filter(
				({ reference_id: id }) => after.has(id) && !given.some((one) => one.reference_id === id),
			);
			const passedOver = stayed.filter((client) => sorts.oldestFirst(client, given[59]) < 0);
			if (hints.length === 0) expect(passedOver).toEqual([]);
		},
	);
});
