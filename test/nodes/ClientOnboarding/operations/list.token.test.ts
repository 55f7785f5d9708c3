import { describe, expect, it, jest } from '@jest/globals';
import { SETTINGS } from '../../../../sandbox/endpoints/behavior.mts';
import type { RunResult } from '../../../support/engine.mts';
import { idsOf, startService, type Service } from '../../../support/service.mts';
import { expectAllClients, pagesOf } from '../../../support/wholeList.mts';

describe.each(SETTINGS.tokenRefusal.behaviors)('An expired token that is reported by %s', (tokenRefusal) => {
	it('is refreshed once when it expired between two executions', async () => {
		const service = await startService({ clients: 30, behavior: { tokenRefusal } });
		expectAllClients(await service.engine.run(), service);
		service.app.environment('sandbox').tokens.revokeAll();
		expectAllClients(await service.engine.run(), service);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it.each([1, 5])(
		'is refreshed once when it expires on page 7 of 10 (%i parallel requests)',
		async (parallelRequests) => {
			let isExpired = false;
			const service = await startService({
				clients: 200,
				behavior: { tokenRefusal },
				onRequest: ({ query }) => {
					if (query.page_no !== '7' || isExpired) return;
					isExpired = true;
					service.app.environment('sandbox').tokens.revokeAll();
				},
			});
			expectAllClients(await service.engine.run({ parameters: pagesOf(20, parallelRequests) }), service);
			expect(isExpired).toBe(true);
			expect(service.tokenRequests()).toHaveLength(2);
		},
	);
});

describe('A token that is refused', () => {
	it('is not refreshed twice when a second refusal of it arrives after the refresh', async () => {
		let isExpired = false;
		const service = await startService({
			clients: 200,
			onRequest: ({ query }) => {
				if (query.page_no !== '2' || isExpired) return;
				isExpired = true;
				service.app.environment('sandbox').tokens.revokeAll();
			},
			onAnswer: ({ query }, answer) => {
				const isLate = query.page_no === '3' && answer.status === 401;
				if (isLate) Object.assign(answer, { fault: { latencyMs: 500 } });
			},
		});
		expectAllClients(await service.engine.run({ parameters: pagesOf(50, 2) }), service);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is refreshed after a 440', async () => {
		const service = await startService({ clients: 30, faults: ['status:code=440,skip=1,times=1'] });
		await service.engine.run();
		expectAllClients(await service.engine.run(), service);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is replaced by a new one when the stored one is refused, too', async () => {
		let isExpired = false;
		const service = await startService({
			clients: 30,
			onRequest: ({ endpoint, environment }) => {
				if (endpoint !== 'list' || isExpired) return;
				isExpired = true;
				const { tokens } = service.app.environment(environment);
				service.engine.edit({ accessToken: tokens.issue() });
				tokens.revokeAll();
			},
		});
		expectAllClients(await service.engine.run(), service);
	});
});

describe('Eight new tokens that are refused in a row', () => {
	function expectRefusal({ error }: RunResult, service: Service): void {
		const { host } = new URL(service.environments.sandbox.url);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: `${host} refused 8 new access tokens in a row (status 401)`,
			description:
				'Check in the dashboard, under Settings > API credentials, that the API key has permission to list clients. If another program uses the same API key, create a separate key for n8n.',
			httpCode: '401',
			context: { itemIndex: 0 },
		});
	}

	it('end a run that starts without a token', async () => {
		const service = await startService({ clients: 30, faults: ['status:code=401'] });
		expectRefusal(await service.engine.run(), service);
		expect(service.tokenRequests()).toHaveLength(8);
		expect(service.listRequests()).toHaveLength(8);
	});

	it('do not include tokens whose requests failed for another reason', async () => {
		const service = await startService({
			clients: 30,
			maxPageLimit: 10,
			tokenRequests: 1,
			behavior: { overLimit: 'refused-500' },
		});
		expectAllClients(await service.engine.run({ parameters: { returnAll: true } }), service);
		expect(service.tokenRequests().length).toBeGreaterThan(8);
	});

	it('end a run that starts with an expired token', async () => {
		const service = await startService({ clients: 30 });
		await service.engine.run();
		service.requests.length = 0;
		service.app.schedule('status:code=401');
		expectRefusal(await service.engine.run(), service);
		expect(service.tokenRequests()).toHaveLength(8);
		expect(service.listRequests()).toHaveLength(9);
	});

	it.each([1, 5, 20])('end a run that has read a page before (%i parallel requests)', async (parallelRequests) => {
		const service = await startService({ clients: 300, faults: ['status:code=401,skip=1'] });
		expectRefusal(await service.engine.run({ parameters: pagesOf(50, parallelRequests) }), service);
		expect(service.tokenRequests()).toHaveLength(9);
	});

	it('end a run when the service returns the same token each time', async () => {
		const service = await startService({
			clients: 500,
			faults: ['status:code=401'],
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint === 'token') (body as { data: Record<string, unknown> }).data.access_token = 'the-same-token';
			},
		});
		expectRefusal(await service.engine.run({ parameters: pagesOf(50, 5) }), service);
		expect(service.listRequests().length).toBeLessThanOrEqual(9);
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
		const run = await service.engine.run({ parameters: pagesOf(50, 1) });
		return { ...run, service };
	}

	it('keeps the new key in the store', async () => {
		const { json, error, service } = await editAtPage3(({ environments }) => ({
			apiKey: ` ${environments.sandbox.apiKey}`,
		}));
		expect(error).toBeUndefined();
		expect(json).toHaveLength(300);
		expect(String(service.engine.stored().apiKey)).toMatch(/^ /);
	});

	it('goes on with the new key when the old one was revoked', async () => {
		const { json, error, service } = await editAtPage3(({ app }) => {
			app.rotateKey('sandbox', 'the-next-key-of-the-account');
			return { apiKey: 'the-next-key-of-the-account' };
		});
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('ends the run with a message when the base URL was changed', async () => {
		const { error } = await editAtPage3(() => ({ sandboxBaseUrl: 'http://127.0.0.1:9' }));
		expect(error?.message).toBe('The credential was changed while clients were being read');
		expect(error?.description).toBe('Run the workflow again.');
	});
});

describe('The access token', () => {
	it('is shared with executions that start without one for less than 10 seconds', async () => {
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

	it('is requested once for 50 executions that start at once without one', async () => {
		const service = await startService({ clients: 30 });
		const runs = await Promise.all(Array.from({ length: 50 }, async () => await service.engine.run()));
		expect(runs.filter(({ error }) => error)).toEqual([]);
		expect(runs.map(({ json }) => json.length)).toEqual(Array(50).fill(30));
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it('is refreshed once when 50 executions at once find it expired', async () => {
		const service = await startService({ clients: 30 });
		await service.engine.run();
		service.app.environment('sandbox').tokens.revokeAll();
		const runs = await Promise.all(Array.from({ length: 50 }, async () => await service.engine.run()));
		expect(runs.filter(({ error }) => error)).toEqual([]);
		expect(service.tokenRequests()).toHaveLength(2);
	});

	it('is stored for the next execution', async () => {
		const service = await startService({ clients: 30 });
		await service.engine.run();
		await service.engine.run();
		expect(service.tokenRequests()).toHaveLength(1);
	});

	it('is read from the store when another process has refreshed it', async () => {
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

	it('is requested once with a wrong API key, and the message says where to create a key', async () => {
		const service = await startService();
		service.engine.edit({ apiKey: 'not-the-key' });
		const { error } = await service.engine.run();
		expect(error?.name).toBe('NodeApiError');
		expect(error?.message).toMatch(
			/^\S+ does not accept the API key \(401\)\. .* create one in the dashboard under Settings > API credentials$/,
		);
		expect(service.tokenRequests()).toHaveLength(1);
		expect(service.listRequests()).toHaveLength(0);
	});
});
