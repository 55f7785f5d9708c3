import { describe, expect, it } from '@jest/globals';
import type { SandboxOptions } from '../../../../sandbox/server.mts';
import { idsOf, startService } from '../../../support/service.mts';

const SPEAKS_OF_MORE = expect.stringMatching(
	/^The service speaks of \d+ clients, but \d+ came, also when asked again\./,
);

describe('Limit', () => {
	it.each([
		{ limit: 1, clients: 120, sizes: ['1'] },
		{ limit: 50, clients: 120, sizes: ['50'] },
		{ limit: 51, clients: 120, sizes: ['51'] },
		{ limit: 100, clients: 1500, sizes: ['100'] },
		{ limit: 150, clients: 1500, sizes: ['100', '150'] },
		{ limit: 1500, clients: 5000, sizes: ['100', '1500'] },
		{ limit: 500, clients: 120, sizes: ['100', '121'] },
		{ limit: 5000, clients: 2000, sizes: ['100', '2001'] },
		{ limit: 50, clients: 50, sizes: ['50'] },
		{ limit: 50, clients: 0, sizes: ['50', '10'] },
	])('$limit of $clients clients asks for pages of $sizes', async ({ limit, clients, sizes }) => {
		const service = await startService({ clients });
		const { json, error } = await service.engine.run({ parameters: { limit } });
		expect(error).toBeUndefined();
		const all = service.app.environment('sandbox').clients.ids();
		expect(idsOf(json)).toEqual(all.slice(0, limit).sort());
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual(sizes);
	});

	it('is 50 where nothing is said', async () => {
		const service = await startService({ clients: 120 });
		expect((await service.engine.run()).json).toHaveLength(50);
	});

	it('counts only clients that match, and stops reading when it has them', async () => {
		const service = await startService({ clients: 5000, dialect: { severalFilters: 'any' } });
		const { json } = await service.engine.run({
			parameters: { limit: 30, filters: { clientType: 'company', requestStatus: ['declined'] } },
		});
		expect(json).toHaveLength(30);
		expect(json.every(({ client_type: t, request_status: s }) => t === 'company' && s === 'Declined')).toBe(true);
		expect(service.listRequests().length).toBeLessThanOrEqual(4);
	});

	it('asks a service with small pages for no more of them than it needs', async () => {
		const service = await startService({ clients: 500, dialect: { overLimit: 'capped' }, maxPageLimit: 10 });
		const { json } = await service.engine.run({ parameters: { limit: 51 } });
		expect(json).toHaveLength(51);
		expect(service.listRequests()).toHaveLength(6);
	});
});

describe('A service that refuses page sizes', () => {
	it.each([
		{ maxPageLimit: 50, sizes: ['100', '50'] },
		{ maxPageLimit: 30, sizes: ['100', '50', '25'] },
		{ maxPageLimit: 10, sizes: ['100', '50', '25', '10'] },
	])('above $maxPageLimit is asked for $sizes', async ({ maxPageLimit, sizes }) => {
		const service = await startService({ clients: 200, dialect: { overLimit: 'refused-400' }, maxPageLimit });
		const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		expect(
			service
				.listRequests()
				.filter(({ query }) => query.page_no !== undefined)
				.slice(0, sizes.length)
				.map(({ query }) => query.page_limit),
		).toEqual(sizes);
	});

	it('whatever the size is reported in its own words', async () => {
		const service = await startService({ clients: 200, dialect: { overLimit: 'refused-422' }, maxPageLimit: 5 });
		const { error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '422' });
		expect(error?.message).toMatch(/did not accept the request: .*page_limit/);
	});
});

describe('A service that breaks over large pages', () => {
	it.each([{}, { pageSize: 500 }])('is asked for smaller ones (%j)', async (options) => {
		const service = await startService({ clients: 3_000, dialect: { overLimit: 'refused-500' } });
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true, options } });
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('is asked under the name that it takes', async () => {
		const service = await startService({
			clients: 150,
			dialect: { pageParameter: 'page_no', otherParameters: 'refused-400', overLimit: 'refused-400' },
			faults: ['reset-before:skip=1,times=6'],
		});
		const { json, error } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 1_000 } } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('is still doubted where its pages stand in two orders', async () => {
		const service = await startService({
			clients: 9,
			maxPageLimit: 7,
			dialect: { overLimit: 'capped', pageSizes: 'steps', pageLimitEcho: 'asked', order: 'by-page' },
			faults: ['reset-during:skip=1,times=6'],
		});
		const { hints } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 1_000 } } });
		expect(hints).toEqual([expect.stringContaining('others may be missing')]);
	});

	it('is not taken for one that asks for fewer requests', async () => {
		const service = await startService({ clients: 3_000, faults: ['rate-limit-bare:skip=1,times=4'] });
		const { json } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json).toHaveLength(3_000);
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual([
			'100',
			...Array<string>(5).fill('3001'),
		]);
	});
});

describe('A service that gives no page above some size', () => {
	const deny = async (status: number, body: unknown, largest: number) => {
		const service = await startService({
			clients: 250,
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint === 'list' && Number(query.page_limit) > largest) Object.assign(answer, { status, body });
			},
		});
		return { service, ...(await service.engine.run({ parameters: { returnAll: true } })) };
	};

	it.each([
		[500, { status_code: 500, message: 'No', data: null }],
		[502, '<html>'],
		[200, ''],
	])('and breaks over small ones, too, is found out with a smaller one (%i, %j)', async (status, body) => {
		const { service, json, error, hints } = await deny(status, body, 50);
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('and is no more there when a smaller one is asked for is told as what it was', async () => {
		const faults = ['status:code=500,times=5', 'html:skip=5'];
		const { error } = await (await startService({ clients: 250, faults })).engine.run();
		expect(error?.message).toMatch(/is busy or down: status 500 \(asked 5 times\)$/);
	});

	it.each([
		[404, '<html>'],
		[406, ''],
		[409, { status_code: 409, message: 'No', data: null }],
		[416, ''],
		[204, ''],
		[200, { status_code: 200, message: 'ok', data: null }],
	])('in whatever words is asked for smaller ones once clients have come (%i, %j)', async (status, body) => {
		const { service, json, error, hints } = await deny(status, body, 100);
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
	});
});

describe('The page size a user sets', () => {
	it('is kept to, also below the limit', async () => {
		const service = await startService({ clients: 120 });
		const { json } = await service.engine.run({ parameters: { limit: 70, options: { pageSize: 30 } } });
		expect(json).toHaveLength(70);
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual(['30', '30', '30']);
	});
});

describe('Bad values', () => {
	it.each([
		[{ limit: 0 }, /"Limit" has to be a whole number of at least 1, not 0/],
		[{ limit: -5 }, /"Limit"/],
		[{ limit: 1.5 }, /"Limit".* not 1.5/],
		[{ limit: 'many' }, /"Limit".* not "many"/],
		[{ limit: '' }, /"Limit"/],
		[{ limit: null }, /"Limit"/],
		[{ filters: { requestStatus: ['finished'] } }, /"Request Status" has no choice "finished".*accepted, completed/],
		[{ filters: { clientType: 'person' } }, /"Client Type" has no choice "person".*company, individual/],
		[{ filters: { createdAfter: 'yesterday' } }, /"Created After" is not a date: "yesterday"/],
		[{ filters: { createdBefore: '2026-99-01' } }, /"Created Before" is not a date/],
		[{ options: { pageSize: 0 } }, /"Page Size"/],
		[{ options: { parallelRequests: 21 } }, /"Parallel Requests" has to be a whole number from 1 to 20, not 21/],
		[{ options: { parallelRequests: 0 } }, /"Parallel Requests"/],
		[{ options: { timeout: 0 } }, /"Timeout \(Seconds\)" has to be a number from 1 to 300, not 0/],
		[{ options: { textMatch: 'exact' } }, /"Text Filters Match" has no choice "exact"/],
	])('%j are named with their field and item, and cost no request', async (parameters, message) => {
		const service = await startService();
		const { error, json } = await service.engine.run({ parameters: parameters as never });
		expect(json).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	it('a number written as text is a number', async () => {
		const service = await startService({ clients: 20 });
		expect((await service.engine.run({ parameters: { limit: '7' } })).json).toHaveLength(7);
	});
});

describe('Several input items', () => {
	const input = [{ json: { limit: 2 } }, { json: { limit: 0 } }, { json: { limit: 3 } }];
	const parameters = { limit: '={{ $json.limit }}' };

	it('each have their own parameters and stay linked to what they led to', async () => {
		const service = await startService({ clients: 20 });
		const { items } = await service.engine.run({ parameters, input: [input[0], input[2]] });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1, 1].map((item) => ({ item })));
	});

	it('of which the second is bad go on with Continue On Fail, and its item says why', async () => {
		const service = await startService({ clients: 20 });
		const { items, error } = await service.engine.run({ parameters, input, continueOnFail: true });
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 2, 2, 2].map((item) => ({ item })));
		expect(items[2].json).toEqual({ error: '"Limit" has to be a whole number of at least 1, not 0' });
	});

	it('of which the second is bad end the run without it, and the item is named', async () => {
		const service = await startService({ clients: 20 });
		const { items, error } = await service.engine.run({ parameters, input });
		expect(items).toEqual([]);
		expect(error?.context.itemIndex).toBe(1);
	});

	it('share one token', async () => {
		const service = await startService({ clients: 20 });
		await service.engine.run({ input });
		expect(service.tokenRequests()).toHaveLength(1);
	});
});

describe('Fields to Return', () => {
	it('are the only ones that come, in the order chosen', async () => {
		const service = await startService({ clients: 3 });
		const { json } = await service.engine.run({
			parameters: { options: { fields: ['email', 'reference_id', 'nonsense'] } },
		});
		expect(json.map((client) => Object.keys(client))).toEqual(Array(3).fill(['email', 'reference_id']));
	});

	it('are named in a message where no client has any of them', async () => {
		const service = await startService({ clients: 3 });
		const { json, error } = await service.engine.run({ parameters: { options: { fields: ['e_mail', 'nonsense'] } } });
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			'"Fields to Return" names nothing that clients have: e_mail, nonsense. Choose from the list',
		);
	});

	it('may be given as text by an AI agent', async () => {
		const service = await startService({ clients: 1 });
		const { json } = await service.engine.run({ parameters: { options: { fields: 'email, client_name' } } });
		expect(Object.keys(json[0])).toEqual(['email', 'client_name']);
	});
});

describe('A record without a reference id', () => {
	it('is not lost and not doubled', async () => {
		const service = await startService({
			clients: 5,
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint !== 'list') return;
				const { data } = body as { data: { results: Array<Record<string, unknown>> } };
				data.results[2] = { ...data.results[2], reference_id: undefined };
			},
		});
		expect((await service.engine.run({ parameters: { returnAll: true } })).json).toHaveLength(5);
	});
});

describe('A list without an end', () => {
	it('is read no further than anybody would believe, and a hint says so', async () => {
		const service = await startService({ clients: 100, dialect: { beyondLast: 'more-rows' } });
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 50 } },
		});
		expect(error).toBeUndefined();
		expect(json.length).toBeLessThan(2_500);
		expect(hints).toEqual([expect.stringMatching(/speaks of 100 clients, but \d+ came and there was no end/)]);
	});

	it('is not believed in either where its total grows with every page', async () => {
		const service = await startService({
			clients: 100,
			dialect: { beyondLast: 'more-rows', overLimit: 'capped' },
			onAnswer: ({ endpoint, query }, { body }) => {
				if (endpoint !== 'list') return;
				const { data } = body as { data: Record<string, unknown> };
				data.total_count = Number(query.page_no) * Number(data.page_limit) + 1;
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(json.length).toBeLessThan(2_500);
		expect(hints).toEqual([expect.stringMatching(/speaks of 101 clients, but \d+ came and there was no end/)]);
	});
});

describe('A page in the middle that never comes', () => {
	it.each(['exact', 'fast'])('does not end the list, and a hint says which one it is (%s)', async (consistency) => {
		const service = await startService({
			clients: 57,
			dialect: { overLimit: 'capped' },
			maxPageLimit: 10,
			faults: ['status:code=404,page=4'],
		});
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { consistency } },
		});
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThanOrEqual(47);
		expect(hints).toEqual([expect.stringMatching(/gave no page 4 of the list, but pages after it. \d\d clients came/)]);
	});

	it('is of no account where a larger page brings all clients', async () => {
		const service = await startService({ clients: 420, faults: ['status:code=404,page=2'] });
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});
});

describe('Pages in several orders', () => {
	it.each([
		{ clients: 150, totals: 'numbers' },
		{ clients: 240, totals: 'numbers' },
		{ clients: 240, totals: 'absent' },
	] as const)('may hide clients from each other, and a hint says so (%j)', async ({ clients, totals }) => {
		const service = await startService({ clients, dialect: { order: 'by-page', overLimit: 'capped', totals } });
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(json.length).toBeLessThan(clients);
		expect(hints).toEqual([expect.stringMatching(/came on several pages of the list/)]);
	});

	it('may hide them also where pages are smaller than the service says', async () => {
		const service = await startService({
			clients: 10,
			dialect: { order: 'by-page', overLimit: 'capped', pageLimitEcho: 'always-ten' },
			maxPageLimit: 7,
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json).toHaveLength(7);
		expect(hints).toEqual([expect.stringMatching(/came on several pages of the list/)]);
	});

	it('do no harm where all clients fit one page', async () => {
		const service = await startService({ clients: 240, dialect: { order: 'by-page' } });
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});
});

describe('An account without clients', () => {
	it.each(['right', 'absent'] as const)(
		'costs two requests, the second for a small page (page_limit echoed: %s)',
		async (pageLimitEcho) => {
			for (const totals of ['numbers', 'absent'] as const) {
				const service = await startService({ clients: 0, dialect: { pageLimitEcho, totals } });
				const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
				expect({ json, error, hints }).toEqual({ json: [], error: undefined, hints: [] });
				expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual(['100', '10']);
			}
		},
	);
});

describe('A list that seems to be empty', () => {
	const empty = { page_number: 1, page_limit: 100, total_count: 0, total_pages: 0, results: [] };

	it.each([1, 50])('at the first request only is read as a whole, up to %i clients at once', async (limit) => {
		const service = await startService({
			clients: 390,
			onAnswer: ({ endpoint, count }, { body }) => {
				if (endpoint === 'list' && count === 1) Object.assign(body as object, { data: empty });
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { limit } });
		expect({ rows: json.length, error, hints }).toEqual({ rows: limit, error: undefined, hints: [] });
	});

	it('and whose small pages speak of clients, and hold none, has a hint', async () => {
		const service = await startService({
			clients: 390,
			onAnswer: ({ endpoint, query }, { body }) => {
				const total = Number(query.page_limit) > 10 ? {} : { total_count: 390, total_pages: 39 };
				if (endpoint === 'list') Object.assign(body as object, { data: { ...empty, ...total } });
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect({ json, error }).toEqual({ json: [], error: undefined });
		expect(hints).toEqual([expect.stringMatching(/^The service speaks of 390 clients, but 0 came/)]);
	});

	it.each([10, 30, 300])('where pages above %i rows come empty, is read in smaller ones', async (largest) => {
		const service = await startService({
			clients: 390,
			onAnswer: ({ endpoint, query }, { body }) => {
				if (endpoint === 'list' && Number(query.page_limit) > largest) Object.assign(body as object, { data: empty });
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
	});
});

it.each([400, 422, 500])('A list that is empty stays so where small pages are answered with %i', async (status) => {
	const service = await startService({
		clients: 0,
		onAnswer: ({ endpoint, query }, answer) => {
			if (endpoint === 'list' && Number(query.page_limit) < 50)
				Object.assign(answer, { status, body: { status_code: status, message: 'Too small', data: null } });
		},
	});
	const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
	expect({ json, error, hints }).toEqual({ json: [], error: undefined, hints: [] });
});

describe('A service that finds a page too large', () => {
	it.each([1, 3])('at page %i, without a word of its own, is asked for smaller ones', async (page) => {
		const service = await startService({
			clients: 390,
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint !== 'list' || Number(query.page_limit) <= 25 || Number(query.page_no) < page) return;
				Object.assign(answer, { status: 413, body: '' });
			},
		});
		const { json, error } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 100 } } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('however small is told', async () => {
		const service = await startService({ clients: 30, faults: ['empty:code=413,page=2'] });
		const { json, error } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 10 } } });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/it answered with nothing at all, status 413/);
	});

	it('and says so with 413 is asked for smaller ones', async () => {
		const service = await startService({
			clients: 120,
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint !== 'list' || Number(query.page_limit) <= 50) return;
				Object.assign(answer, { status: 413, body: { status_code: 413, message: 'Too large', data: null } });
			},
		});
		const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});
});

describe('A list whose total cannot be right', () => {
	it('is given with a hint, also where all the pages it speaks of were looked at', async () => {
		const service = await startService({ clients: 250, dialect: { totals: 'too-high', overLimit: 'capped' } });
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([SPEAKS_OF_MORE]);
	});

	it.each([
		['refused', { status: 400, body: { status_code: 400, message: 'Too deep', data: null } }],
		['empty', undefined],
	])('is given with a hint where the service keeps back its end (%s)', async (_name, refusal) => {
		const service = await startService({
			clients: 700,
			dialect: { overLimit: 'capped' },
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint !== 'list' || Number(query.page_no) * 100 <= 500) return;
				if (refusal) Object.assign(answer, refusal);
				else Object.assign((answer.body as { data: object }).data, { results: [] });
			},
		});
		const { json, hints, error } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 100 } },
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(500);
		expect(hints).toEqual([SPEAKS_OF_MORE]);
	});

	it('is given with a hint where the service counts its pages from zero', async () => {
		const service = await startService({
			clients: 250,
			dialect: { overLimit: 'capped' },
			onRequest: ({ query }) => {
				const numbers = query as Record<string, string>;
				if (query.page_no) numbers.page_no = String(Number(query.page_no) + 1);
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json.length).toBeLessThan(250);
		expect(hints).toEqual([SPEAKS_OF_MORE]);
	});

	it('is given with a hint where it speaks of clients and none comes', async () => {
		const service = await startService({
			clients: 4,
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint === 'list') Object.assign((body as { data: object }).data, { results: [] });
			},
		});
		const { json, hints, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect({ json, error }).toEqual({ json: [], error: undefined });
		expect(hints).toEqual(['The service speaks of 4 clients, but 0 came, also when asked again. Some may be missing.']);
	});

	it.each([
		[1, []],
		[3, ['The service speaks of 3 pages, but no client came, also when asked again. Some may be missing.']],
	])('is given with a hint where it speaks of %i pages and nobody comes', async (total_pages, expected) => {
		const service = await startService({
			clients: 4,
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint === 'list') Object.assign(body as object, { data: { total_pages, results: [] } });
			},
		});
		const { json, hints, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect({ json, error, hints }).toEqual({ json: [], error: undefined, hints: expected });
	});

	it('is given with a hint that names both numbers where it speaks of far more than anybody could look for', async () => {
		const service = await startService({
			clients: 250,
			dialect: { overLimit: 'capped' },
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint === 'list') (body as { data: Record<string, unknown> }).data.total_count = 1_000_000;
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([expect.stringMatching(/speaks of 1000000 clients, but 250 came, also when asked again/)]);
	});

	it('because it is that of the page hides nobody', async () => {
		const service = await startService({ clients: 3_000, dialect: { totals: 'of-page', overLimit: 'capped' } });
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});

	it('is given with one, too, where pages are larger than they were asked for', async () => {
		const service = await startService({ clients: 110, dialect: { totals: 'too-high', pageSizes: 'fixed' } });
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 5 } } });
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([SPEAKS_OF_MORE]);
	});

	it('is given without one where two rounds agree', async () => {
		for (const totals of ['absent', 'too-low'] as const) {
			const service = await startService({ clients: 250, dialect: { totals, overLimit: 'capped' } });
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([]);
		}
	});

	it('and that has one page only is still read to its end, whatever a page beyond it looks like', async () => {
		for (const beyondLast of ['empty', '404', '400', 'last-page'] as const) {
			for (const totals of ['absent', 'zero', 'too-high', 'too-low'] as const) {
				const service = await startService({ clients: 40, dialect: { totals, beyondLast } });
				const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
				expect(error).toBeUndefined();
				expect(idsOf(json)).toEqual(service.ids());
				expect(service.listRequests().length).toBeLessThanOrEqual(10);
			}
		}
	});
});

describe('A credential that cannot work', () => {
	it.each([
		[{ sandboxBaseUrl: 'localhost' }, /"Sandbox Base URL" is not a web address/],
		[{ sandboxBaseUrl: '' }, /Fill in "Sandbox Base URL"/],
		[{ apiKey: '' }, /Fill in "API Key"/],
	])('such as %j is named with its field, and costs no request', async (changes, message) => {
		const service = await startService();
		service.engine.edit(changes);
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});
});

describe('A service that does not number its pages', () => {
	it.each(['page_no', 'page', 'both'] as const)(
		'is read to the end, whichever parameter counts (%s)',
		async (pageParameter) => {
			for (const beyondLast of ['empty', 'last-page'] as const) {
				const service = await startService({
					clients: 300,
					dialect: { pageParameter, beyondLast, overLimit: 'capped' },
					onAnswer: ({ endpoint }, { body }) => {
						if (endpoint === 'list') delete (body as { data: Record<string, unknown> }).data.page_number;
					},
				});
				const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
				expect({ error, hints }).toEqual({ error: undefined, hints: [] });
				expect(idsOf(json)).toEqual(service.ids());
			}
		},
	);
});

describe('A service that always gives its first page', () => {
	const words =
		/^The service gave its first page whatever page was asked for\. \d+ clients came; others may be missing\. Narrower filters may bring them\.$/;

	it.each(['exact', 'fast'])('is read with a hint, whatever it says of totals and sizes (%s)', async (consistency) => {
		for (const totals of ['numbers', 'absent', 'too-low', 'of-page'] as const) {
			for (const pageLimitEcho of ['right', 'absent'] as const) {
				const service = await startService({
					clients: 250,
					dialect: { pageParameter: 'neither', overLimit: 'capped', totals, pageLimitEcho },
				});
				const { json, hints } = await service.engine.run({ parameters: { returnAll: true, options: { consistency } } });
				expect(json).toHaveLength(100);
				expect(hints).toEqual([expect.stringMatching(words)]);
			}
		}
	});

	it('is read with a hint, also where smaller pages have an order of their own', async () => {
		const service = await startService({
			clients: 250,
			dialect: { pageParameter: 'neither', overLimit: 'capped', order: 'ties-by-size' },
		});
		const { hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(hints).toEqual([expect.stringMatching(words)]);
	});

	it('comes with another hint where the small pages that would tell come without clients', async () => {
		const dialect = { pageParameter: 'neither', overLimit: 'capped' } as const;
		const parameters = { returnAll: true, options: { consistency: 'fast', parallelRequests: 1 } };
		const usual = await startService({ clients: 250, dialect });
		await usual.engine.run({ parameters });
		// The very last request looks whether the other name counts.
		const before = usual.listRequests().length - 2;
		const service = await startService({ clients: 250, dialect, faults: [`no-rows:skip=${before}`] });
		const { json, hints } = await service.engine.run({ parameters });
		expect(json).toHaveLength(100);
		expect(hints).toEqual([SPEAKS_OF_MORE]);
	});

	it('comes with no hint where a limit is reached, or where no smaller pages are given', async () => {
		const dialect = { pageParameter: 'neither', overLimit: 'capped' } as const;
		const limited = await startService({ clients: 250, dialect });
		const { hints } = await limited.engine.run({
			parameters: { returnAll: false, limit: 70, options: { pageSize: 70 } },
		});
		expect(hints).toEqual([]);
		const full = await startService({ clients: 25, dialect: { ...dialect, pageSizes: 'fixed' } });
		const whole = await full.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(whole.json)).toEqual(full.ids());
		expect(whole.hints).toEqual([]);
	});

	it('is not taken for one that takes the number under another name and has but one page', async () => {
		const service = await startService({
			clients: 11,
			dialect: { pageParameter: 'page', pageSizes: 'fixed', totals: 'too-high', beyondLast: '204' },
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([SPEAKS_OF_MORE]);
	});

	it('is not taken for one that takes the number under another name and gives its first page past the end', async () => {
		const dialect = { pageParameter: 'page', beyondLast: 'first-page', totals: 'too-high' } as const;
		for (const consistency of ['exact', 'fast']) {
			const service = await startService({ clients: 9, dialect });
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true, options: { consistency } } });
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([SPEAKS_OF_MORE]);
		}
	});

	it.each(['first-page', 'last-page'] as const)(
		'is not taken for one that gives it, or its last one, only past the end (%s)',
		async (beyondLast) => {
			const lists = (['numbers', 'absent', 'too-high', 'too-low'] as const).flatMap((totals) => [
				{ clients: 100, dialect: { totals, pageLimitEcho: 'absent' as const } },
				...(totals === 'absent'
					? [1, 7, 25].map((clients) => ({ clients, dialect: { totals, pageSizes: 'fixed' as const } }))
					: []),
			]);
			for (const { clients, dialect } of lists) {
				for (const consistency of ['exact', 'fast']) {
					const service = await startService({
						clients,
						dialect: { beyondLast, overLimit: 'capped', ...dialect },
					});
					const { json, hints } = await service.engine.run({
						parameters: { returnAll: true, options: { consistency } },
					});
					expect(idsOf(json)).toEqual(service.ids());
					expect(hints).toEqual(dialect.totals === 'too-high' ? [SPEAKS_OF_MORE] : []);
				}
			}
		},
	);
});

describe('A page that is too large for the service, and comes without clients', () => {
	it.each([5, 57, 250])('is asked for in a smaller size (%i clients)', async (clients) => {
		for (const parameters of [{ returnAll: true }, { returnAll: true, options: { pageSize: 1_000 } }]) {
			const service = await startService({ clients, dialect: { overLimit: 'empty' }, maxPageLimit: 50 });
			const { json, hints } = await service.engine.run({ parameters });
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([]);
		}
	});
});

describe('Pages in two orders, chosen by their address, without a total', () => {
	it('bring every client, or a hint', async () => {
		for (let seed = 1; seed <= 10; seed++) {
			const service = await startService({
				clients: 130,
				seed,
				dialect: { overLimit: 'capped', totals: 'absent' },
				maxPageLimit: 10,
				onRequest: ({ endpoint, query }) => {
					const backend = [...`${JSON.stringify(query)} ${seed}`].reduce(
						(sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997,
						7,
					);
					if (endpoint === 'list')
						service.app.setDialect({ order: backend % 2 ? 'created-ascending' : 'created-descending' });
				},
			});
			const { json, hints } = await service.engine.run({
				parameters: { returnAll: true, options: { parallelRequests: 1 } },
			});
			if (hints.length === 0) expect(idsOf(json)).toEqual(service.ids());
			else expect(hints.join()).toContain(` ${json.length} `);
		}
	});
});

describe('A page that is missing once', () => {
	it('does not hide under which name the number of a page counts', async () => {
		const service = await startService({
			clients: 101,
			dialect: { pageParameter: 'page', overLimit: 'refused-400', pageSizes: 'steps', pageLimitEcho: 'absent' },
			maxPageLimit: 100,
			faults: ['status:code=404,skip=2,times=1'],
		});
		const { json, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { parallelRequests: 1 } },
		});
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});
});

describe('A service that says its pages are larger or smaller than they are', () => {
	const saying =
		(say: (asked: number, rows: number) => object): SandboxOptions['onAnswer'] =>
		({ endpoint, query }, { body }) => {
			if (endpoint !== 'list') return;
			const { data } = body as { data: { results: unknown[] } };
			Object.assign(data, say(Number(query.page_limit), data.results.length));
		};

	it.each([
		['larger, with totals', 10, saying((asked) => ({ page_limit: asked }))],
		['larger, with the total of the page', 10, saying((asked, rows) => ({ page_limit: asked, total_count: rows }))],
		['larger, without a total', 10, saying((asked) => ({ page_limit: asked, total_count: undefined }))],
		['smaller, without totals', 75, saying(() => ({ page_limit: 10, total_count: undefined, total_pages: undefined }))],
	])('is read to the end (%s)', async (_, maxPageLimit, onAnswer) => {
		for (const clients of [100, 237]) {
			const service = await startService({ clients, maxPageLimit, dialect: { overLimit: 'capped' }, onAnswer });
			const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
			expect({ error, hints }).toEqual({ error: undefined, hints: [] });
			expect(idsOf(json)).toEqual(service.ids());
		}
	});
});

describe('A page that does not come although there are clients on it', () => {
	const capped = { clients: 100, maxPageLimit: 25 };

	it.each([402, 501])('is told in the words of the service where the total speaks of it (%i)', async (code) => {
		const service = await startService({
			...capped,
			dialect: { overLimit: 'capped' },
			faults: [`status:code=${code},page=3`],
		});
		const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json).toEqual([]);
		expect(error).toMatchObject({ httpCode: String(code) });
	});

	it.each(['numbers', 'absent'] as const)(
		'is asked for again where it was missing once (totals %s)',
		async (totals) => {
			for (const code of [404, 410]) {
				const service = await startService({
					...capped,
					dialect: { overLimit: 'capped', totals },
					faults: [`status:code=${code},page=2,times=1`],
				});
				const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
				expect(idsOf(json)).toEqual(service.ids());
				expect(hints).toEqual([]);
			}
		},
	);

	it('is hinted at where it always comes empty', async () => {
		const service = await startService({
			...capped,
			dialect: { overLimit: 'capped' },
			onAnswer: ({ endpoint, query }, { body }) => {
				if (endpoint === 'list' && query.page_no === '2') (body as { data: { results: unknown[] } }).data.results = [];
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json.length).toBeLessThan(100);
		expect(hints).toEqual([expect.stringMatching(/gave no page 2 of the list, but pages after it/)]);
	});

	it('is hinted at where it always comes without some of them, and small pages show a few', async () => {
		const service = await startService({
			clients: 100,
			dialect: { overLimit: 'capped' },
			maxPageLimit: 20,
			onAnswer: ({ endpoint, query }, { body }) => {
				const isWhole = Number(query.page_limit) >= 20;
				const { results } = (body as { data: { results: unknown[] } }).data;
				if (endpoint === 'list' && isWhole && query.page_no === '2') results.splice(0, 12);
			},
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json.length).toBeGreaterThan(88);
		expect(hints).toEqual([expect.stringMatching(/came only when a few were asked for.*others may be missing/)]);
	});

	it.each(['page=10,times=1', 'page=10,times=2', 'skip=1,times=3', 'skip=4,times=4', 'skip=2,every=3'])(
		'is asked for again where a backend answers with nothing now and then (%s)',
		async (schedule) => {
			const service = await startService({
				clients: 300,
				dialect: { overLimit: 'capped' },
				maxPageLimit: 30,
				faults: [`no-rows:${schedule}`],
			});
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([]);
		},
	);

	it('comes with a hint where the list seems to be empty after some have come', async () => {
		const service = await startService({
			clients: 300,
			dialect: { overLimit: 'capped' },
			maxPageLimit: 30,
			faults: ['no-rows:skip=1'],
		});
		const { hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(hints).toEqual([expect.stringMatching(/^The list kept changing while it was read\./)]);
	});

	it('does not hide under which name the number of a page counts', async () => {
		const service = await startService({
			clients: 101,
			dialect: { pageParameter: 'page', overLimit: 'capped', pageSizes: 'steps', pageLimitEcho: 'absent' },
			maxPageLimit: 25,
			faults: ['no-rows:skip=2,times=2'],
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});
});

describe('A service that caps its pages without saying so', () => {
	it('is read to the end, with or without a total', async () => {
		for (const totals of ['numbers', 'absent', 'zero', 'too-high', 'strings'] as const) {
			const service = await startService({
				clients: 130,
				dialect: { overLimit: 'capped', totals },
				maxPageLimit: 40,
				onAnswer: ({ endpoint, query }, { body }) => {
					if (endpoint === 'list')
						(body as { data: Record<string, unknown> }).data.page_limit = Number(query.page_limit);
				},
			});
			const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
			expect(error).toBeUndefined();
			expect(idsOf(json)).toEqual(service.ids());
		}
	});
});
