import dns from 'node:dns';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RequestInfo } from '../../../../sandbox/endpoints/endpoints.mts';
import { pauses } from '../../../support/haste.mts';
import { idsOf, startService } from '../../../support/service.mts';

pauses.divisor = 100;

const ALL = { returnAll: true };

/** The most requests for one page number in one size under one name. */
function mostForOnePage(requests: RequestInfo[]): number {
	const counts = new Map<string, number>();
	for (const { query } of requests) {
		const key = String(query.page_no ?? query.page);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return Math.max(...counts.values());
}

describe('A page', () => {
	it.each([
		'status:code=503',
		'status:code=500',
		'reset-before',
		'truncated',
		'html',
		'wrong-envelope',
		'status:code=418',
	])(
		'costs at most 12 requests if the service always has the fault %s, and the run ends with one message',
		async (fault) => {
			const service = await startService({
				clients: 250,
				faults: [`${fault}${fault.includes(':') ? ',' : ':'}skip=1`],
			});
			const { error } = await service.engine.run({ parameters: ALL });
			expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
			// A request that a token refresh repeats does not count.
			const refreshes = service.tokenRequests().length - 1;
			expect(service.listRequests().length - 1 - refreshes).toBeLessThanOrEqual(12);
			expect(mostForOnePage(service.listRequests().slice(1))).toBeLessThanOrEqual(12);
		},
	);

	it('is not taken for an empty list if the token expires during retries and is refused with 404', async () => {
		const service = await startService({
			clients: 3,
			behavior: { tokenRefusal: '404' },
			faults: ['status:code=503,endpoint=list,times=2'],
			onRequest: ({ endpoint, count }) => {
				if (endpoint === 'list' && count === 2) service.app.environment('sandbox').tokens.revokeAll();
			},
		});
		const { json, error } = await service.engine.run({ parameters: ALL });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('is requested in smaller sizes if the service fails for large ones, down to ten rows', async () => {
		const service = await startService({ clients: 57, behavior: { overLimit: 'refused-500' }, maxPageLimit: 10 });
		service.engine.edit({ accessToken: 'expired', accessTokenFor: service.engine.stored().accessTokenFor });
		const { json, hints, error } = await service.engine.run({ parameters: ALL });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		expect(hints).toEqual([]);
	});
});

describe('A limit of 20 requests a minute', () => {
	it.each(['bare', 'seconds', 'date', 'past', 'reset'] as const)(
		'only makes a list of 30 pages slow (Retry-After: %s)',
		async (rateLimit) => {
			const service = await startService({
				clients: 300,
				maxPageLimit: 10,
				requestsPerMinute: 20,
				behavior: { rateLimit, overLimit: 'capped' },
				now: () => Date.now() + pauses.skippedMs,
				tokenLifetimeSeconds: 86_400,
			});
			const { json, hints, error } = await service.engine.run({ parameters: ALL });
			expect(error).toBeUndefined();
			expect(idsOf(json)).toEqual(service.ids());
			expect(hints).toEqual([]);
		},
	);

	it.each(['rate-limit-bare', 'rate-limit-seconds:seconds=3600'])(
		'ends the run after two minutes without a page (%s)',
		async (fault) => {
			const service = await startService({ faults: [fault] });
			const skippedBefore = pauses.skippedMs;
			const { error } = await service.engine.run();
			expect(error).toMatchObject({ message: expect.stringContaining('Rate limit reached on'), httpCode: '429' });
			const waitedMs = (pauses.skippedMs - skippedBefore) / (1 - 1 / pauses.divisor);
			expect(waitedMs).toBeGreaterThan(60_000);
			expect(waitedMs).toBeLessThanOrEqual(120_000 + 1);
		},
	);
});

describe('The token endpoint', () => {
	it.each(['405', '404', '501', '403', '400', '422', 'redirect', 'html', 'envelope-405'] as const)(
		'returns a token if it accepts only POST and responds to GET with %s',
		async (wrongMethod) => {
			const service = await startService({ behavior: { tokenMethod: 'POST', wrongMethod } });
			const { json, error } = await service.engine.run({ parameters: ALL });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(250);
			expect(await service.engine.testCredential()).toMatchObject({ status: 'OK' });
		},
	);

	it('may take as long as the option Timeout says', async () => {
		const service = await startService({ faults: ['latency:ms=1500,endpoint=token'] });
		const late = await service.engine.run({ parameters: { ...ALL, options: { timeout: 1 } } });
		expect(late.error?.message).toMatch(
			/Could not get an access token from .*no complete response in time \(timeout\)/,
		);
		const { json } = await service.engine.run({ parameters: { ...ALL, options: { timeout: 10 } } });
		expect(json).toHaveLength(250);
	});

	it.each(['html', 'status:code=400', 'reset-before', 'status:code=503', 'empty', 'redirect'])(
		'is retried after the fault %s once the address has given clients',
		async (fault) => {
			const service = await startService({ clients: 250, tokenRequests: 1 });
			service.app.schedule(`${fault}${fault.includes(':') ? ',' : ':'}endpoint=token,skip=1,times=4`);
			const { json, error } = await service.engine.run({ parameters: { ...ALL, options: { pageSize: 100 } } });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(250);
		},
	);
});

describe('The name of the host', () => {
	const HOST = 'onboarding.test';
	const { lookup } = dns;

	afterEach(() => {
		dns.lookup = lookup;
	});

	/** Knows the host, except for the lookups with these numbers. Every request makes one. */
	function resolveHost(isUnknown: (count: number) => boolean): void {
		let count = 0;
		dns.lookup = ((host: string, options: object, done: (error: Error | null, address?: unknown) => void) => {
			if (host !== HOST) return lookup(host, options, done as never);
			count += 1;
			if (!isUnknown(count)) return lookup('127.0.0.1', options, done as never);
			done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${HOST}`), { code: 'ENOTFOUND' }));
		}) as typeof dns.lookup;
	}

	it('may be unknown for a moment in the middle of a list', async () => {
		const service = await startService({ clients: 250 });
		service.engine.edit({ sandboxBaseUrl: `http://${HOST}:${new URL(service.environments.sandbox.url).port}` });
		resolveHost((count) => count === 4 || count === 5);
		const { json, error } = await service.engine.run({ parameters: { ...ALL, options: { pageSize: 50 } } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});

	it('is reported as unknown at once if the address has given no clients', async () => {
		const service = await startService({ clients: 250 });
		service.engine.edit({ sandboxBaseUrl: `http://${HOST}:${new URL(service.environments.sandbox.url).port}` });
		resolveHost(() => true);
		const { error } = await service.engine.run({ parameters: ALL });
		expect(error?.message).toMatch(/the host name was not found \(DNS\)\. Check "Sandbox Base URL"/);
		expect(error?.description).toBe('Code: ENOTFOUND.');
		expect(service.requests).toHaveLength(0);
	});
});

describe('Several executions at the same time', () => {
	it('share one token request', async () => {
		const service = await startService({ clients: 20 });
		const runs = await Promise.all(
			Array.from({ length: 50 }, async () => await service.engine.run({ parameters: ALL })),
		);
		expect(runs.map(({ json }) => json.length)).toEqual(Array.from({ length: 50 }, () => 20));
		expect(service.tokenRequests()).toHaveLength(1);
	});
});

describe('A token that another execution has just requested', () => {
	it('is refreshed if it is refused with a redirect', async () => {
		const service = await startService({ clients: 3, behavior: { tokenRefusal: 'redirect' } });
		await service.engine.run({ parameters: ALL });
		service.app.environment('sandbox').tokens.revokeAll();
		service.engine.edit({ accessToken: '' });
		const { json, error } = await service.engine.run({ parameters: ALL });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(3);
	});
});
