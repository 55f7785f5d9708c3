import { describe, expect, it } from '@jest/globals';
import { idsOf, startService } from '../../../support/service.mts';

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
		{ limit: 50, clients: 0, sizes: ['50'] },
	])('requests pages of $sizes for $limit of $clients clients', async ({ limit, clients, sizes }) => {
		const service = await startService({ clients });
		const { json, error } = await service.engine.run({ parameters: { limit } });
		expect(error).toBeUndefined();
		const all = service.app.environment('sandbox').clients.ids();
		expect(idsOf(json)).toEqual(all.slice(0, limit).sort());
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual(sizes);
	});

	it('is 50 by default', async () => {
		const service = await startService({ clients: 120 });
		expect((await service.engine.run()).json).toHaveLength(50);
	});

	it('counts only clients that match, and the read stops as soon as they are found', async () => {
		const service = await startService({ clients: 5000, behavior: { severalFilters: 'any' } });
		const { json } = await service.engine.run({
			parameters: { limit: 30, filters: { clientType: 'company', requestStatus: ['declined'] } },
		});
		expect(json).toHaveLength(30);
		expect(json.every(({ client_type: t, request_status: s }) => t === 'company' && s === 'Declined')).toBe(true);
		expect(service.listRequests().length).toBeLessThanOrEqual(4);
	});

	it('requests no more pages than it needs from a service with small pages', async () => {
		const service = await startService({ clients: 500, behavior: { overLimit: 'capped' }, maxPageLimit: 10 });
		const { json } = await service.engine.run({ parameters: { limit: 51 } });
		expect(json).toHaveLength(51);
		expect(service.listRequests()).toHaveLength(6);
	});
});

describe('Return All', () => {
	it.each([
		{ clients: 99, sizes: ['100'] },
		// A full page does not count as the whole list, even if it has as many rows as the total.
		{ clients: 100, sizes: ['100', '101'] },
		{ clients: 250, sizes: ['100', '251'] },
		{ clients: 10_000, sizes: ['100', '10001'] },
	])('requests pages of $sizes for $clients clients', async ({ clients, sizes }) => {
		const service = await startService({ clients });
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(hints).toEqual([]);
		expect(idsOf(json)).toEqual(service.ids());
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual(sizes);
	});
});

describe('Page sizes that the service refuses', () => {
	it.each([
		{ maxPageLimit: 50, sizes: ['100', '50'] },
		{ maxPageLimit: 30, sizes: ['100', '50', '25'] },
		{ maxPageLimit: 10, sizes: ['100', '50', '25', '10'] },
	])('are reduced to $sizes when more than $maxPageLimit rows are refused', async ({ maxPageLimit, sizes }) => {
		const service = await startService({ clients: 200, behavior: { overLimit: 'refused-400' }, maxPageLimit });
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
		const requested = service.listRequests().filter(({ query }) => query.page_no !== undefined);
		expect([...new Set(requested.map(({ query }) => query.page_limit))]).toEqual(sizes);
	});

	it("end the run with the service's own message when every size is refused", async () => {
		const service = await startService({ clients: 200, behavior: { overLimit: 'refused-422' }, maxPageLimit: 5 });
		const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '422' });
		expect(error?.message).toMatch(/rejected the request \(status 422\): page_limit must not be greater than 5\.$/);
		// A request that a token refresh repeats does not count.
		expect(service.listRequests().length - service.tokenRequests().length).toBeLessThanOrEqual(12);
	});

	it('are tried under the parameter name that the service accepts', async () => {
		const service = await startService({
			clients: 150,
			behavior: { pageParameter: 'page_no', otherParameters: 'refused-400', overLimit: 'refused-400' },
			faults: ['reset-before:skip=1,times=6'],
		});
		const { json, error } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 1_000 } } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});
});

describe('Pages that are too large for the service', () => {
	it.each([
		[413, ''],
		[500, { status_code: 500, message: 'No', data: null }],
		[502, '<html>'],
		[200, ''],
	])('are requested in smaller sizes when the response is %i with the body %j', async (status, body) => {
		const service = await startService({
			clients: 250,
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint === 'list' && Number(query.page_limit) > 50) Object.assign(answer, { status, body });
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('are requested in smaller sizes also when a user has set the page size', async () => {
		const service = await startService({ clients: 1_000, behavior: { overLimit: 'refused-500' } });
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 500 } },
		});
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('are not made smaller after a rate limit', async () => {
		const service = await startService({ clients: 3_000, faults: ['rate-limit-bare:skip=1,times=4'] });
		const { json } = await service.engine.run({ parameters: { returnAll: true } });
		expect(json).toHaveLength(3_000);
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual([
			'100',
			...Array<string>(5).fill('3001'),
		]);
	});
});

describe('The page size a user sets', () => {
	it('is used for every page, also when it is smaller than the limit', async () => {
		const service = await startService({ clients: 120 });
		const { json } = await service.engine.run({ parameters: { limit: 70, options: { pageSize: 30 } } });
		expect(json).toHaveLength(70);
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual(['30', '30', '30']);
	});
});

describe('A bad value', () => {
	it.each([
		[{ limit: 0 }, /"Limit" must be a whole number of at least 1, not 0/],
		[{ limit: 1.5 }, /"Limit".* not 1.5/],
		[{ limit: 'many' }, /"Limit".* not "many"/],
		[{ filters: { requestStatus: ['finished'] } }, /"Request Status" cannot be "finished".*accepted, completed/],
		[{ filters: { createdAfter: 'yesterday' } }, /"Created After" is not a date: "yesterday"/],
		[{ options: { parallelRequests: 21 } }, /"Parallel Requests" must be a whole number from 1 to 20, not 21/],
		[{ options: { timeout: 0 } }, /"Timeout \(Seconds\)" must be a number from 1 to 300, not 0/],
		[{ options: { textMatch: 'exact' } }, /"Text Match" cannot be "exact"/],
	])('such as %j is reported with its field and item and costs no request', async (parameters, message) => {
		const service = await startService();
		const { error, json } = await service.engine.run({ parameters: parameters as never });
		expect(json).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});
});

describe('Several input items', () => {
	const input = [{ json: { limit: 2 } }, { json: { limit: 0 } }, { json: { limit: 3 } }];
	const parameters = { limit: '={{ $json.limit }}' };

	it('each have their own parameters and are paired with their clients', async () => {
		const service = await startService({ clients: 20 });
		const { items } = await service.engine.run({ parameters, input: [input[0], input[2]] });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1, 1].map((item) => ({ item })));
	});

	it('return the message for the bad one and the clients of the others with Continue On Fail', async () => {
		const service = await startService({ clients: 20 });
		const { items, error } = await service.engine.run({ parameters, input, continueOnFail: true });
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 2, 2, 2].map((item) => ({ item })));
		expect(items[2].json).toEqual({ error: '"Limit" must be a whole number of at least 1, not 0' });
	});

	it('end the run with the index of the bad one without Continue On Fail', async () => {
		const service = await startService({ clients: 20 });
		const { items, error } = await service.engine.run({ parameters, input });
		expect(items).toEqual([]);
		expect(error?.context.itemIndex).toBe(1);
	});
});

describe('Fields to Return', () => {
	it('are the only ones returned, in the order chosen', async () => {
		const service = await startService({ clients: 3 });
		const { json } = await service.engine.run({
			parameters: { options: { fields: ['email', 'reference_id', 'nonsense'] } },
		});
		expect(json.map((client) => Object.keys(client))).toEqual(Array(3).fill(['email', 'reference_id']));
	});

	it('are named in a message when no client has any of them', async () => {
		const service = await startService({ clients: 3 });
		const { json, error } = await service.engine.run({ parameters: { options: { fields: ['e_mail', 'nonsense'] } } });
		expect(json).toEqual([]);
		expect(error?.message).toBe(
			'None of the fields in "Fields to Return" exists: e_mail, nonsense. Choose from the list',
		);
	});

	it('can be given as comma-separated text', async () => {
		const service = await startService({ clients: 1 });
		const { json } = await service.engine.run({ parameters: { options: { fields: 'email, client_name' } } });
		expect(Object.keys(json[0])).toEqual(['email', 'client_name']);
	});
});

describe('A client without a reference ID', () => {
	it('is returned once', async () => {
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

describe('A list that the service does not return completely', () => {
	it.each(['exact', 'fast'])('has a warning when a page in the middle is never returned (%s)', async (consistency) => {
		const service = await startService({
			clients: 57,
			behavior: { overLimit: 'capped' },
			maxPageLimit: 10,
			faults: ['status:code=404,page=4'],
		});
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { consistency } },
		});
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThanOrEqual(30);
		expect(hints).toEqual([
			`The service reports 57 clients but returned ${json.length}, also on a second read. Some may be missing.`,
		]);
	});

	it('is complete when a page in the middle is missing only once', async () => {
		const service = await startService({
			clients: 100,
			maxPageLimit: 25,
			behavior: { overLimit: 'capped' },
			faults: ['status:code=404,page=2,times=1'],
		});
		const { json, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});

	it.each([
		['refused', { status: 400, body: { status_code: 400, message: 'Too deep', data: null } }],
		['empty', undefined],
	])('has a warning when its last pages are %s', async (_name, refusal) => {
		const service = await startService({
			clients: 700,
			behavior: { overLimit: 'capped' },
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint !== 'list' || Number(query.page_no) * 100 <= 500) return;
				if (refusal) Object.assign(answer, refusal);
				else Object.assign((answer.body as { data: object }).data, { results: [] });
			},
		});
		const { json, hints, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(500);
		expect(hints).toEqual([
			'The service reports 700 clients but returned 500, also on a second read. Some may be missing.',
		]);
	});

	it('has a warning when clients are reported but none is returned', async () => {
		const service = await startService({
			clients: 4,
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint === 'list') Object.assign((body as { data: object }).data, { results: [] });
			},
		});
		const { json, hints, error } = await service.engine.run({ parameters: { returnAll: true } });
		expect({ json, error }).toEqual({ json: [], error: undefined });
		expect(hints).toEqual([
			'The service reports 4 clients but returned 0, also on a second read. Some may be missing.',
		]);
	});

	it('has a warning after few requests when the total is far too high', async () => {
		const service = await startService({
			clients: 250,
			behavior: { overLimit: 'capped' },
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint === 'list') (body as { data: Record<string, unknown> }).data.total_count = 1_000_000;
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([
			'The service reports 1000000 clients but returned 250, also on a second read. Some may be missing.',
		]);
		expect(service.listRequests().length).toBeLessThanOrEqual(40);
	});
});

describe('A credential that cannot work', () => {
	it.each([
		[{ sandboxBaseUrl: 'localhost' }, /"Sandbox Base URL" must start with https:\/\/ or http:\/\//],
		[{ sandboxBaseUrl: '' }, /Fill in "Sandbox Base URL"/],
		[{ apiKey: '' }, /Fill in "API Key"/],
	])('such as %j is reported with its field and costs no request', async (changes, message) => {
		const service = await startService();
		service.engine.edit(changes);
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});
});
