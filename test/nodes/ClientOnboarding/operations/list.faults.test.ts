import { describe, expect, it } from '@jest/globals';
import { sleep } from 'n8n-workflow';
import type { Fault } from '../../../../sandbox/faults/faults.mts';
import { oneOf } from '../../../support/depth.mts';
import { pauses } from '../../../support/haste.mts';
import { idsOf, startService } from '../../../support/service.mts';

pauses.divisor = 100;
/** Waits this long in real time, although pauses are shortened. */
const wait = async (ms: number) => await sleep(ms * pauses.divisor);

const MAX_REQUESTS_PER_PAGE = 12;

const NOT_THE_SERVICE = / instead of (clients|an access token)/;
const CLOSED = /^Could not reach .*: the connection was closed before the response was complete/;
const INCOMPLETE = /^The response from .* was incomplete/;
const RATE_LIMITED = /^Rate limit reached on .* \(429\)/;
const TIMEOUT = /^Timeout: no complete response from .* within 2 seconds/;

/** A fault of the list endpoint, and the message of a run in which it lasts. */
const FAULTS: Array<[Fault, RegExp]> = [
	[{ kind: 'hang' }, TIMEOUT],
	...[408, 425, 500, 502, 503, 504, 520].map<[Fault, RegExp]>((code) => [
		{ kind: 'status', code },
		new RegExp(` is unavailable: status ${code}`),
	]),
	[{ kind: 'reset-before' }, CLOSED],
	[{ kind: 'reset-during' }, CLOSED],
	[{ kind: 'truncated' }, INCOMPLETE],
	[{ kind: 'empty' }, INCOMPLETE],
	[{ kind: 'html' }, NOT_THE_SERVICE],
	[{ kind: 'wrong-envelope' }, NOT_THE_SERVICE],
	[{ kind: 'redirect', location: 'http://127.0.0.2:1/' }, NOT_THE_SERVICE],
	[{ kind: 'rate-limit-seconds' }, RATE_LIMITED],
	[{ kind: 'rate-limit-date' }, RATE_LIMITED],
	[{ kind: 'rate-limit-bare' }, RATE_LIMITED],
];

const MOMENTS = ['first request', 'after the first page'] as const;
const ENDPOINTS = ['list', 'token'] as const;

/** By fault, each moment and endpoint at which it occurs, and how often. */
const casesFor = (times: number[]) =>
	FAULTS.map(([fault, message]) => ({
		name: [fault.kind, fault.code].join(' ').trim(),
		cases: MOMENTS.flatMap((moment) =>
			ENDPOINTS.flatMap((endpoint) => times.map((count) => ({ moment, endpoint, fault, message, times: count }))),
		),
	}));
type Case = ReturnType<typeof casesFor>[number]['cases'][number];

async function runWith({ moment, endpoint, fault, message, times }: Case) {
	const isLater = moment === 'after the first page';
	const service = await startService({
		clients: 130,
		behavior: { overLimit: 'capped' },
		faults: [{ ...fault, endpoint, skip: isLater ? 1 : 0, times }],
		onRequest: ({ endpoint: requested, count }) => {
			// After the first page, a new token is needed.
			if (endpoint === 'token' && isLater && requested === 'list' && count === 2) {
				service.app.environment('sandbox').tokens.revokeAll();
			}
		},
	});
	const options = { fields: ['reference_id'], ...(message === TIMEOUT && { timeout: 2 }) };
	const result = await service.engine.run({ parameters: { returnAll: true, options } });
	await service.close();
	return { service, ...result };
}

/** The highest number of requests with the same page number and parameters. */
function mostRequests(requests: Array<{ query: object }>): number {
	const counts = new Map<string, number>();
	for (const { query } of requests) {
		const key = JSON.stringify(query);
		counts.set(key, 1 + (counts.get(key) ?? 0));
	}
	return Math.max(0, ...counts.values());
}

describe('List Clients with a fault at the list or token endpoint', () => {
	it.concurrent.each(casesFor([Infinity]))(
		'ends with one clear message after a limited number of requests when the fault lasts: $name',
		async ({ cases }) => {
			await Promise.all(
				cases.map(async (case_) => {
					const { service, json, error } = await runWith(case_);
					const message = expect.stringMatching(case_.endpoint === 'list' ? case_.message : /access token/);
					expect({ case_, json, error }).toMatchObject({
						case_,
						json: [],
						error: { name: 'NodeApiError', message, context: { itemIndex: 0 } },
					});
					if (case_.message === RATE_LIMITED) return;
					expect(mostRequests(service.listRequests())).toBeLessThanOrEqual(MAX_REQUESTS_PER_PAGE);
					// The first page, a request whose token is refused, and one page in whatever size.
					expect(service.listRequests().length).toBeLessThanOrEqual(2 + MAX_REQUESTS_PER_PAGE);
					// One for the first page; then GET and POST at each try.
					expect(service.tokenRequests().length).toBeLessThanOrEqual(1 + 2 * MAX_REQUESTS_PER_PAGE);
				}),
			);
		},
	);

	it.concurrent.each(casesFor(oneOf(2, [3, 1])))(
		'lists all clients when the fault occurs once or three times, unless the address may be wrong: $name',
		async ({ cases }) => {
			await Promise.all(
				cases.map(async (case_) => {
					const { service, json, error, hints } = await runWith(case_);
					const mayBeWrong = case_.message === NOT_THE_SERVICE && case_.moment === 'first request';
					expect({ case_, message: error?.message, hints, ids: idsOf(json) }).toEqual({
						case_,
						message: mayBeWrong ? expect.stringMatching(/ instead of (clients|an access token)/) : undefined,
						hints: [],
						ids: mayBeWrong ? [] : service.ids(),
					});
				}),
			);
		},
	);

	it('lists all clients when the responses are slow but complete in time', async () => {
		const service = await startService({ clients: 300, faults: [{ kind: 'latency', ms: 200, skip: 1 }] });
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { timeout: 2 } },
		});
		expect({ error, hints, ids: idsOf(json) }).toEqual({ error: undefined, hints: [], ids: service.ids() });
	});

	it('retries a response that arrives byte by byte and is incomplete at the timeout', async () => {
		const service = await startService({ clients: 5, faults: [{ kind: 'dribble', ms: 50, times: 1 }] });
		const { json, error } = await service.engine.run({ parameters: { options: { timeout: 1 } } });
		expect({ error, ids: idsOf(json) }).toEqual({ error: undefined, ids: service.ids() });
		expect(service.listRequests()).toHaveLength(2);
	});

	it('reports refused tokens when a temporary error comes before them', async () => {
		const service = await startService({ clients: 5, faults: ['status:code=503,times=2', 'status:code=401'] });
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/refused 8 new access tokens in a row \(status 401\)/);
	});

	it.each([
		[{ kind: 'html', code: 407 }, / returned a web page \(status 407\) instead of clients/],
		[{ kind: 'wrong-envelope', code: 451 }, / returned unexpected data \(status 451\) instead of clients/],
		[{ kind: 'status', code: 418 }, / rejected the request \(status 418\): /],
		[{ kind: 'status', code: 501 }, / rejected the request \(status 501\): /],
	] as Array<[Fault, RegExp]>)(
		'returns no part of a list whose later pages are never returned: %j',
		async (fault, message) => {
			const service = await startService({ clients: 300, faults: [{ ...fault, skip: 3 }] });
			const { json, error } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 50 } } });
			expect(json).toEqual([]);
			expect(error?.message).toMatch(message);
			expect(error?.description).toBeTruthy();
		},
	);

	it.each([
		['html:code=403', / returned a web page \(status 403\) instead of an access token/],
		['status:code=402', /returned no access token \(status 402\)\. Check the API key and "Sandbox Base URL"/],
		['status:code=401', /does not accept the API key \(401\)/],
	])('says why there is no token: %s', async (fault, message) => {
		const service = await startService({ faults: [`${fault},endpoint=token`] });
		const { json, error } = await service.engine.run();
		expect(json).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeApiError', message: expect.stringMatching(message) });
		expect(service.tokenRequests().length).toBeLessThanOrEqual(2);
	});

	it('redacts the token that the service repeats in its message', async () => {
		const service = await startService({
			onAnswer: ({ endpoint, bearer }, answer) => {
				if (endpoint !== 'list') return;
				const body = { status_code: 409, message: `Token ${bearer} is odd`, data: null };
				Object.assign(answer, { status: 409, body });
			},
		});
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/ rejected the request \(status 409\): Token … is odd$/);
	});

	it.each(['page_no', 'page'] as const)(
		'finds the page parameter (%s) when the first request is refused for another reason',
		async (pageParameter) => {
			for (const code of [400, 422]) {
				const service = await startService({
					clients: 300,
					behavior: { pageParameter, overLimit: 'capped' },
					faults: [`status:code=${code},times=1`],
				});
				const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
				expect({ error, ids: idsOf(json) }).toEqual({ error: undefined, ids: service.ids() });
			}
		},
	);
});

describe('List Clients with a rate limit', () => {
	it('waits longer each time when Retry-After is in the past', async () => {
		const requestedAtMs: number[] = [];
		const service = await startService({
			clients: 5,
			behavior: { rateLimit: 'past' },
			// Long enough for the token request.
			requestsPerSecond: 0.000_001,
			onRequest: ({ endpoint, count }) => {
				if (endpoint === 'list') requestedAtMs.push(performance.now());
				if (endpoint === 'list' && count === 5) service.app.limits.requestsPerSecond = 1_000_000;
			},
		});
		const { json, error } = await service.engine.run();
		expect(error).toBeUndefined();
		expect(json).toHaveLength(5);
		const waits = requestedAtMs.slice(1).map((atMs, index) => atMs - requestedAtMs[index]);
		expect(waits).toHaveLength(4);
		// Half a second, doubled each time; up to half of it is random.
		waits.forEach((waitMs, index) => expect(waitMs * pauses.divisor).toBeGreaterThanOrEqual(250 * 2 ** index - 200));
	});

	it.each(['rate-limit-seconds', 'rate-limit-date'] as const)(
		'waits as long as Retry-After says (%s)',
		async (kind) => {
			const requestedAtMs: number[] = [];
			const service = await startService({
				clients: 5,
				faults: [{ kind, seconds: 30, times: 1 }],
				onRequest: ({ endpoint }) => {
					if (endpoint === 'list') requestedAtMs.push(performance.now());
				},
			});
			const { json } = await service.engine.run();
			expect(json).toHaveLength(5);
			expect(requestedAtMs).toHaveLength(2);
			// A date has no fractions of a second.
			expect((requestedAtMs[1] - requestedAtMs[0]) * pauses.divisor).toBeGreaterThanOrEqual(28_500);
		},
	);

	it('goes on with at most half of the 8 requests at once that the user allows', async () => {
		const atOnce: number[] = [];
		let running = 0;
		const service = await startService({
			clients: 1000,
			faults: [{ kind: 'rate-limit-seconds', seconds: 0, skip: 10, times: 1 }],
			onRequest: async ({ endpoint }) => {
				if (endpoint !== 'list') return;
				atOnce.push(++running);
				// The first ones wait for each other, also on a busy machine.
				await wait(atOnce.length <= 10 ? 500 : 20);
				running -= 1;
			},
		});
		const { json } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 10, parallelRequests: 8 } },
		});
		expect(idsOf(json)).toEqual(service.ids());
		expect(Math.max(...atOnce.slice(0, 10))).toBeGreaterThan(4);
		expect(Math.max(...atOnce.slice(30))).toBeLessThanOrEqual(4);
	});
});

describe('List Clients with pages that are too large for the service', () => {
	it.each([
		['every page of more than 100 rows', {}, 900, () => true],
		[
			'page 2 of more than 100 rows',
			{ pageSize: 1000 },
			2500,
			(query: Record<string, string>) => query.page_no === '2',
		],
	])('reads smaller pages when there is no response to %s', async (_, options, clients, isHanging) => {
		const service = await startService({
			clients,
			onAnswer: ({ endpoint, query }, answer) => {
				const isLarge = endpoint === 'list' && Number(query.page_limit) > 100;
				if (isLarge && isHanging(query)) Object.assign(answer, { fault: { latencyMs: 0, manner: 'hang' } });
			},
		});
		const parameters = { returnAll: true, options: { timeout: 1, ...options } };
		const { json, error, hints } = await service.engine.run({ parameters });
		expect({ error, hints, ids: idsOf(json) }).toEqual({ error: undefined, hints: [], ids: service.ids() });
		const hanging = service.listRequests().filter(({ query }) => Number(query.page_limit) > 100 && isHanging(query));
		// Two tries, and one more with a new token.
		expect(hanging.length).toBeLessThanOrEqual(3);
	});
});

describe('List Clients with one slow page', () => {
	it('requests other pages meanwhile', async () => {
		let requested = 0;
		const service = await startService({
			clients: 300,
			onRequest: async ({ endpoint, query }) => {
				if (endpoint !== 'list' || query.page_no !== '3') return;
				await wait(500);
				requested ||= service.listRequests().length;
			},
		});
		const parameters = { returnAll: true, options: { pageSize: 10, parallelRequests: 2 } };
		expect(idsOf((await service.engine.run({ parameters })).json)).toEqual(service.ids());
		expect(requested).toBeGreaterThan(4);
	});
});

describe('A canceled execution', () => {
	it('stops waiting for a service that does not respond', async () => {
		let cancel = () => {};
		const service = await startService({
			faults: [{ kind: 'hang' }],
			onRequest: ({ endpoint }) => {
				if (endpoint === 'list') cancel();
			},
		});
		const startedMs = Date.now();
		const { error } = await service.engine.run({
			parameters: { options: { timeout: 300 } },
			onStart: (stop) => (cancel = stop),
		});
		expect(Date.now() - startedMs).toBeLessThan(60_000);
		expect(error?.message).toBe('The execution was stopped');
	});
});
