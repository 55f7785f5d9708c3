import { describe, expect, it, jest } from '@jest/globals';
import { idsOf, startService } from '../../../support/service.mts';

const PAGES_OF_50 = { returnAll: true, options: { pageSize: 50, parallelRequests: 1 } };
const PAGES_OF_50_IN_PARALLEL = { returnAll: true, options: { pageSize: 50, parallelRequests: 5 } };

describe('A token that dies on page 7 of 20', () => {
	for (const tokenRefusal of ['401', '403', 'envelope-401', 'envelope-403'] as const) {
		for (const parameters of [PAGES_OF_50, PAGES_OF_50_IN_PARALLEL]) {
			const { parallelRequests } = parameters.options;
			it(`is renewed once when signalled by ${tokenRefusal}, ${parallelRequests} at a time`, async () => {
				const refused: string[] = [];
				let isDead = false;
				const service = await startService({
					clients: 1000,
					dialect: { tokenRefusal },
					onRequest: ({ query }) => {
						if (query.page_no !== '7' || isDead) return;
						isDead = true;
						service.app.environment('sandbox').tokens.revokeAll();
					},
					onAnswer: ({ endpoint, query }, { body }) => {
						const { data } = body as { data: unknown };
						if (endpoint === 'list' && data === null) refused.push(query.page_no);
					},
				});
				const { json, error } = await service.engine.run({ parameters });

				expect(error).toBeUndefined();
				expect(idsOf(json)).toEqual(service.ids());
				expect(service.tokenRequests()).toHaveLength(2);
				const asked = service.listRequests().map(({ query }) => query.page_no);
				const once = Array.from({ length: 21 }, (_, index) => String(index + 1));
				expect(asked.sort()).toEqual([...once, ...refused].sort());
				expect(refused).toContain('7');
				expect(refused.length).toBeLessThanOrEqual(parallelRequests);
			});
		}
	}
});

describe('A page that is refused after another page has already renewed the token', () => {
	it('is asked again with the new token, without another exchange', async () => {
		let isDead = false;
		const service = await startService({
			clients: 200,
			onRequest: ({ query }) => {
				if (query.page_no !== '2' || isDead) return;
				isDead = true;
				service.app.environment('sandbox').tokens.revokeAll();
			},
			onAnswer: ({ query }, answer) => {
				const isLate = query.page_no === '3' && answer.status === 401;
				if (isLate) Object.assign(answer, { fault: { latencyMs: 500 } });
			},
		});
		const { json, error } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 50, parallelRequests: 2 } },
		});
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		expect(service.tokenRequests()).toHaveLength(2);
	});
});

describe('The access token', () => {
	it('is not handed on for long: a later caller without one makes a new exchange', async () => {
		const service = await startService({ clients: 3 });
		await service.engine.run();
		service.engine.edit({ accessToken: '', accessTokenFor: '' });
		await service.engine.run();
		expect(service.tokenRequests()).toHaveLength(1);

		service.engine.edit({ accessToken: '', accessTokenFor: '' });
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 10_000);
		await service.engine.run();
		clock.mockRestore();
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is exchanged once for 50 executions that start at once with none', async () => {
		const service = await startService({ clients: 30 });
		const runs = await Promise.all(Array.from({ length: 50 }, async () => await service.engine.run()));
		expect(runs.filter(({ error }) => error)).toEqual([]);
		expect(runs.map(({ json }) => json.length)).toEqual(Array(50).fill(30));
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it('is renewed once when 50 executions find it dead at the same time', async () => {
		const service = await startService({ clients: 30 });
		await service.engine.run();
		service.app.environment('sandbox').tokens.revokeAll();
		const runs = await Promise.all(Array.from({ length: 50 }, async () => await service.engine.run()));
		expect(runs.filter(({ error }) => error)).toEqual([]);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is kept for the next execution', async () => {
		const service = await startService({ clients: 30 });
		await service.engine.run();
		await service.engine.run();
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it('is taken from the store when another process has renewed it meanwhile', async () => {
		let isDead = false;
		const service = await startService({
			clients: 30,
			singleToken: true,
			onRequest: async ({ endpoint, environment }) => {
				if (endpoint !== 'list' || isDead) return;
				isDead = true;
				service.engine.edit({ accessToken: service.app.environment(environment).tokens.issue() });
			},
		});
		const { json, error } = await service.engine.run();
		expect(error).toBeUndefined();
		expect(json).toHaveLength(30);
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it('that is refused again right after its exchange ends the run with a clear message', async () => {
		const service = await startService({
			clients: 30,
			onRequest: ({ environment }) => {
				service.app.environment(environment).tokens.revokeAll();
			},
		});
		const { error } = await service.engine.run();
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '401', context: { itemIndex: 0 } });
		expect(error?.message).toMatch(/refused a new access token/);
		expect(error?.description).toMatch(/API credentials/);
		expect(service.tokenRequests()).toHaveLength(2);
		expect(service.listRequests()).toHaveLength(2);
	});

	it('is not asked for twice with a wrong API key, and the message says where to make one', async () => {
		const service = await startService();
		service.engine.edit({ apiKey: 'not-the-key' });
		const { error } = await service.engine.run();
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toMatch(/The API key was not accepted.*dashboard.*Settings, API credentials/);
		expect(service.tokenRequests()).toHaveLength(1);
		expect(service.listRequests()).toHaveLength(0);
	});
});
