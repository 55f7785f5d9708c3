import { describe, expect, it, jest } from '@jest/globals';
import { Engine } from '../../../support/engine.mts';
import { idsOf, sandboxCredential, startService, type Service } from '../../../support/service.mts';

const PAGES_OF_50 = { returnAll: true, options: { pageSize: 50, parallelRequests: 1 } };
const PAGES_OF_50_IN_PARALLEL = { returnAll: true, options: { pageSize: 50, parallelRequests: 5 } };

const nameOf = ({ page_no, page_limit }: Readonly<Record<string, string>>) => `${page_no} of ${page_limit}`;

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
						if (query.page_no !== '7' || query.page_limit !== '50' || isDead) return;
						isDead = true;
						service.app.environment('sandbox').tokens.revokeAll();
					},
					onAnswer: ({ endpoint, query }, { body }) => {
						const { data } = body as { data: unknown };
						if (endpoint === 'list' && data === null) refused.push(nameOf(query));
					},
				});
				const { json, error } = await service.engine.run({ parameters });

				expect(error).toBeUndefined();
				expect(idsOf(json)).toEqual(service.ids());
				expect(service.tokenRequests()).toHaveLength(2);
				const asked = service.listRequests().map(({ query }) => nameOf(query));
				const once = [...new Set(asked)];
				expect(asked.sort()).toEqual([...once, ...refused].sort());
				expect(once.filter((name) => name.endsWith('of 50'))).toHaveLength(21);
				expect(refused).toContain('7 of 50');
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

describe('A token that does not last for the whole list', () => {
	it.each([
		['one request, one page at a time', { tokenRequests: 1 }, 1],
		['one request, five pages at a time', { tokenRequests: 1 }, 5],
		['25 requests, five pages at a time', { tokenRequests: 25 }, 5],
		['300 ms, five pages at a time', { tokenLifetimeSeconds: 0.3, faults: ['latency:ms=50'] }, 5],
	])('but for %s is renewed as often as it takes', async (_, settings, parallelRequests) => {
		const service = await startService({ clients: 300, ...settings });
		const parameters = { returnAll: true, options: { pageSize: 25, parallelRequests } };
		const { json, error, hints } = await service.engine.run({ parameters });
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
	});

	it.each([
		['one request', { tokenRequests: 1 }],
		['25 requests', { tokenRequests: 25 }],
		['300 ms', { tokenLifetimeSeconds: 0.3, faults: ['latency:ms=50'] }],
		['the time to the next exchange', { singleToken: true, tokenRequests: 3 }],
	])('but for %s is enough for executions that use it up for each other', async (_, settings) => {
		const service = await startService({ clients: 300, ...settings });
		const parameters = { returnAll: true, options: { pageSize: 25 } };
		const runs = await Promise.all(Array.from({ length: 8 }, async () => await service.engine.run({ parameters })));
		for (const { json, error, hints } of runs) {
			expect({ error, hints }).toEqual({ error: undefined, hints: [] });
			expect(idsOf(json)).toEqual(service.ids());
		}
	});

	it('ends the run at last where no new one is good any more, although pages came before', async () => {
		const service = await startService({ clients: 300, faults: ['status:code=401,skip=3'] });
		const { error } = await service.engine.run({ parameters: PAGES_OF_50 });
		expect(error?.message).toMatch(/refused a new access token/);
		expect(service.tokenRequests()).toHaveLength(13);
	});

	it.each([419, 440, 498])('is renewed where its end is told by the status %i', async (code) => {
		const service = await startService({ clients: 30, faults: [`status:code=${code},skip=1,times=1`] });
		await service.engine.run();
		const { json, error } = await service.engine.run();
		expect(error).toBeUndefined();
		expect(json).toHaveLength(30);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it.each([1, 5])(
		'because another n8n exchanges the same key all the time costs no client (%i pages at a time)',
		async (parallelRequests) => {
			const service = await startService({
				clients: 500,
				singleToken: true,
				onRequest: ({ endpoint, count }) => {
					if (endpoint === 'list' && count % 4 === 0) service.app.environment('sandbox').tokens.issue();
				},
			});
			const { json, error, hints } = await service.engine.run({
				parameters: { returnAll: true, options: { pageSize: 25, parallelRequests } },
			});
			expect({ error, hints }).toEqual({ error: undefined, hints: [] });
			expect(idsOf(json)).toEqual(service.ids());
			expect(service.tokenRequests().length).toBeLessThanOrEqual(service.listRequests().length / 2);
		},
	);

	it('because another n8n with the same key ends it costs neither of them a client', async () => {
		const service = await startService({ clients: 300, singleToken: true });
		const other = new Engine(sandboxCredential(service.environments.sandbox.url, service.environments.sandbox.apiKey));
		const parameters = { returnAll: true, options: { pageSize: 25 } };
		const runs = await Promise.all([service.engine.run({ parameters }), other.run({ parameters })]);
		for (const { json, error } of runs) {
			expect(error).toBeUndefined();
			expect(idsOf(json)).toEqual(service.ids());
		}
	});

	it('is asked for anew where the stored one is dead too', async () => {
		let isDead = false;
		const service = await startService({
			clients: 30,
			onRequest: ({ endpoint, environment }) => {
				if (endpoint !== 'list' || isDead) return;
				isDead = true;
				const { tokens } = service.app.environment(environment);
				service.engine.edit({ accessToken: tokens.issue() });
				tokens.revokeAll();
			},
		});
		const { json, error } = await service.engine.run();
		expect(error).toBeUndefined();
		expect(json).toHaveLength(30);
	});
});

describe('A credential that is edited while clients are read', () => {
	async function editAtPage3(changes: (service: Service) => Record<string, string>) {
		let isEdited = false;
		const service: Service = await startService({
			clients: 300,
			onRequest: ({ endpoint, query }) => {
				if (endpoint !== 'list' || query.page_no !== '3' || isEdited) return;
				isEdited = true;
				service.engine.edit(changes(service));
				service.app.environment('sandbox').tokens.revokeAll();
			},
		});
		const run = await service.engine.run({ parameters: PAGES_OF_50 });
		return { ...run, service };
	}

	it('keeps the new key', async () => {
		const { json, error, service } = await editAtPage3(({ environments }) => ({
			apiKey: ` ${environments.sandbox.apiKey}`,
		}));
		expect(error).toBeUndefined();
		expect(json).toHaveLength(300);
		expect(String(service.engine.stored().apiKey)).toMatch(/^ /);
	});

	it('goes on with another key, where the old one is good no more', async () => {
		const { json, error, service } = await editAtPage3(({ app }) => {
			app.rotateKey('sandbox', 'the-next-key-of-the-account');
			return { apiKey: 'the-next-key-of-the-account' };
		});
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('ends the run where it leads to another service, and says why', async () => {
		const { error } = await editAtPage3(() => ({ sandboxBaseUrl: 'http://127.0.0.1:9' }));
		expect(error?.message).toBe('The credential was changed while clients were read');
		expect(error?.description).toBe('Run the workflow again.');
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

	it('that is refused three times in a row, each right after its exchange, ends the run with a clear message', async () => {
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
		expect(service.tokenRequests()).toHaveLength(3);
		expect(service.listRequests()).toHaveLength(3);
	});

	it.each([PAGES_OF_50, PAGES_OF_50_IN_PARALLEL])(
		'that comes again and again, and is refused each time, does the same (%j)',
		async (parameters) => {
			const service = await startService({
				clients: 500,
				faults: ['status:code=403'],
				onAnswer: ({ endpoint }, { body }) => {
					if (endpoint === 'token') (body as { data: Record<string, unknown> }).data.access_token = 'the-same-token';
				},
			});
			const { error } = await service.engine.run({ parameters });
			expect(error?.message).toMatch(/refused a new access token/);
			expect(service.tokenRequests().length).toBeLessThanOrEqual(3);
			expect(service.listRequests().length).toBeLessThanOrEqual(3);
		},
	);

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
