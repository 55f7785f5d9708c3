import { describe, expect, it } from '@jest/globals';
import { sleep } from 'n8n-workflow';
import { backOff } from '../../../../nodes/ClientOnboarding/service/waiting';
import type { Fault } from '../../../../sandbox/faults/faults.mts';
import { oneOf } from '../../../support/depth.mts';
import { idsOf, startService } from '../../../support/service.mts';

const PARAMETERS = { returnAll: true, options: { pageSize: 50, timeout: 1 } };

/** Troubles that pass: the run waits, asks again and gives all clients. */
const PASSING: Fault[] = [
	{ kind: 'latency', ms: 200 },
	...[408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 530, 599].map((code) => ({
		kind: 'status' as const,
		code,
	})),
	{ kind: 'rate-limit-seconds', seconds: 1 },
	{ kind: 'rate-limit-seconds', seconds: 0 },
	{ kind: 'rate-limit-date', seconds: 1 },
	{ kind: 'rate-limit-bare' },
	{ kind: 'reset-before' },
	{ kind: 'reset-during' },
	{ kind: 'truncated' },
	{ kind: 'empty' },
	{ kind: 'hang' },
	{ kind: 'dribble', ms: 50 },
	{ kind: 'html' },
	{ kind: 'wrong-envelope' },
	{ kind: 'redirect', location: 'http://127.0.0.2:1/' },
];

/** Troubles that stay, and what the user reads. Where the service breaks, a small page is asked for last. */
const LASTING: Array<{ fault: Fault; message: RegExp; tries: number }> = [
	{ fault: { kind: 'status', code: 503 }, message: /is busy or down: status 503 \(asked 5 times\)/, tries: 6 },
	{ fault: { kind: 'rate-limit-seconds', seconds: 0 }, message: /asks for fewer requests \(asked 5 times\)/, tries: 5 },
	{ fault: { kind: 'rate-limit-bare' }, message: /asks for fewer requests/, tries: 5 },
	{ fault: { kind: 'reset-before' }, message: /Could not reach .* closed the connection before/, tries: 6 },
	{ fault: { kind: 'reset-during' }, message: /Could not reach .* closed the connection before/, tries: 6 },
	{ fault: { kind: 'truncated' }, message: /The answer of .* was cut off/, tries: 6 },
	{ fault: { kind: 'empty' }, message: /The answer of .* was cut off/, tries: 6 },
	{ fault: { kind: 'hang' }, message: /Could not reach .* no complete answer within 1 s/, tries: 6 },
	{ fault: { kind: 'dribble', ms: 50 }, message: /Could not reach .* no complete answer within 1 s/, tries: 6 },
	{
		fault: { kind: 'html' },
		message: /There is no client onboarding service at .* with a web page, status 200/,
		tries: 3,
	},
	{ fault: { kind: 'wrong-envelope' }, message: /There is no client onboarding service at /, tries: 3 },
	{ fault: { kind: 'redirect', location: 'http://127.0.0.2:1/' }, message: /it points to another address/, tries: 3 },
	{ fault: { kind: 'status', code: 418 }, message: /did not accept the request: /, tries: 1 },
];

describe('A trouble that passes', () => {
	it.concurrent.each(PASSING.map((fault) => ({ name: JSON.stringify(fault), fault })))(
		'$name on page 3 costs no client',
		async ({ fault }) => {
			const service = await startService({ clients: 300, faults: [{ ...fault, skip: 2, times: 1 }] });
			const { json, error } = await service.engine.run({ parameters: PARAMETERS });
			expect(error).toBeUndefined();
			expect(idsOf(json)).toEqual(service.ids());
		},
	);

	it('does not hide one that stays', async () => {
		const faults = ['status:code=503,times=2', 'status:code=401'];
		const { error } = await (await startService({ clients: 5, faults })).engine.run({ parameters: PARAMETERS });
		expect(error?.message).toMatch(/refused a new access token/);
	});

	it.each(['page_no', 'page'] as const)(
		'as a refusal of the first page does not hide under which name the page counts (%s)',
		async (pageParameter) => {
			for (const code of [400, 422]) {
				const service = await startService({
					clients: 300,
					dialect: { pageParameter, overLimit: 'capped' },
					faults: [`status:code=${code},times=1`],
				});
				const { json, error } = await service.engine.run({ parameters: { returnAll: true } });
				expect(error).toBeUndefined();
				expect(idsOf(json)).toEqual(service.ids());
			}
		},
	);

	it.concurrent.each(['html', 'wrong-envelope'] as const)('such as %s at the very first request', async (kind) => {
		const service = await startService({ clients: 30, faults: [{ kind, times: 1 }] });
		const { json, error } = await service.engine.run({ parameters: PARAMETERS });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
	});

	it.each(['zero', 'past'] as const)(
		'is waited for longer each time where Retry-After is of no use (%s)',
		async (rateLimit) => {
			const askedAtMs: number[] = [];
			const service = await startService({
				clients: 5,
				dialect: { rateLimit },
				// Enough for the token.
				requestsPerSecond: 0.000_001,
				onRequest: ({ endpoint, count }) => {
					if (endpoint === 'list') askedAtMs.push(performance.now());
					if (endpoint === 'list' && count === 5) service.app.limits.requestsPerSecond = 1_000_000;
				},
			});
			const { json, error } = await service.engine.run();
			expect(error).toBeUndefined();
			expect(json).toHaveLength(5);
			expect(askedAtMs).toHaveLength(5);
			const waits = askedAtMs.slice(1).map((atMs, index) => atMs - askedAtMs[index]);
			// Half of each wait is left to chance.
			waits.forEach((waitMs, tries) => expect(waitMs).toBeGreaterThanOrEqual((backOff.firstMs / 2) * 2 ** tries - 2));
		},
	);

	it('is waited for as long as Retry-After says, in seconds or as a date', async () => {
		for (const kind of ['rate-limit-seconds', 'rate-limit-date'] as const) {
			const service = await startService({ clients: 5, faults: [{ kind, seconds: 2, times: 1 }] });
			const startedMs = Date.now();
			const { json } = await service.engine.run();
			expect(json).toHaveLength(5);
			// A date has no fractions of a second.
			expect(Date.now() - startedMs).toBeGreaterThanOrEqual(kind === 'rate-limit-date' ? 1000 : 2000);
			expect(service.listRequests()).toHaveLength(2);
		}
	});

	it('at the token endpoint is waited for too', async () => {
		for (const fault of ['status:code=503', 'rate-limit-seconds:seconds=1', 'truncated', 'reset-before']) {
			const service = await startService({ clients: 5 });
			service.app.schedule(`${fault}${fault.includes(':') ? ',' : ':'}endpoint=token,times=1`);
			const { json, error } = await service.engine.run();
			expect(error).toBeUndefined();
			expect(json).toHaveLength(5);
			expect(service.tokenRequests()).toHaveLength(2);
		}
	});
});

describe('A trouble that stays', () => {
	it('ends the run with one true message, never with an empty list, and after a bounded number of tries', async () => {
		const outcomes = await Promise.all(
			LASTING.map(async ({ fault, message, tries }) => {
				const service = await startService({ clients: 300, faults: [fault] });
				const run = await service.engine.run({ parameters: PARAMETERS });
				return { fault, message, tries, run, asked: service.listRequests().length };
			}),
		);
		for (const { fault, message, tries, run, asked } of outcomes) {
			expect({ fault, json: run.json, asked }).toEqual({ fault, json: [], asked: tries });
			expect(run.error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
			expect(run.error?.message).toMatch(message);
			expect(run.error?.description).toBeTruthy();
		}
	});

	it.each([
		[{ kind: 'html' as const }, / gave no clients: it answered with a web page, status 200 \(asked 5 times\)/],
		[
			{ kind: 'html' as const, code: 407 },
			/ gave no clients: it answered with a web page, status 407 \(asked 5 times\)/,
		],
		[
			{ kind: 'wrong-envelope' as const, code: 451 },
			/ gave no clients: it answered with something else, status 451 \(asked 5 times\)/,
		],
		[{ kind: 'status' as const, code: 418 }, /did not accept the request/],
		[{ kind: 'status' as const, code: 501 }, /did not accept the request/],
	])('in the middle of the list gives no half list: %j', async (fault, message) => {
		const service = await startService({ clients: 300, faults: [{ ...fault, skip: 3 }] });
		const { json, error } = await service.engine.run({ parameters: PARAMETERS });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(message);
	});

	it.each(
		oneOf(3, [
			'html',
			'html:code=403',
			'html:code=404',
			'html:code=407',
			'html:code=511',
			'wrong-envelope',
			'redirect',
			'empty:code=204',
			'empty:code=304',
		]),
	)('that answers once in place of the service, at either endpoint, is asked again: %s', async (fault) => {
		for (const endpoint of ['token', 'list']) {
			const service = await startService({ clients: 40 });
			service.app.schedule(`${fault}${fault.includes(':') ? ',' : ':'}endpoint=${endpoint},times=1`);
			const { json, error } = await service.engine.run({ parameters: PARAMETERS });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(40);
		}
	});

	it('at the token endpoint ends with a true message', async () => {
		const cases: Array<[string, RegExp, number]> = [
			['html', /There is no client onboarding service at .*web page/, 3],
			['wrong-envelope', /There is no client onboarding service at /, 3],
			['redirect:location=http://127.0.0.2:1/', /points to another address/, 3],
			['html:code=403', /The API key was not accepted by .*: it answered with a web page, status 403\./, 3],
			['status:code=402', /gave no access token \(status 402\)\. Check the API key and/, 1],
			['empty', /gave no access token: its answer was empty or cut off .*asked 5 times/, 5],
			['status:code=404', /gave no access token|There is no client onboarding service/, 2],
			['status:code=503', /busy or down and gave no access token \(status 503\).*asked 5 times/, 5],
		];
		await Promise.all(
			cases.map(async ([fault, message, tries]) => {
				const service = await startService();
				service.app.schedule(`${fault}${fault.includes(':') ? ',' : ':'}endpoint=token`);
				const { error, json } = await service.engine.run();
				expect(json).toEqual([]);
				expect(error?.message).toMatch(message);
				expect(error?.name).toBe('NodeApiError');
				expect(service.tokenRequests()).toHaveLength(tries);
			}),
		);
	});

	it('repeats no secret the service puts into its message', async () => {
		const service = await startService({
			onAnswer: ({ endpoint, bearer }, answer) => {
				if (endpoint === 'list') {
					Object.assign(answer, {
						status: 409,
						body: { status_code: 409, message: `Token ${bearer} is odd`, data: null },
					});
				}
			},
		});
		const { error } = await service.engine.run();
		expect(error?.message).toMatch(/did not accept the request: Token … is odd/);
	});
});

describe('A page that is too large for the service to give in time', () => {
	it('is read in smaller pages instead', async () => {
		const service = await startService({
			clients: 900,
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint === 'list' && Number(query.page_limit) > 100)
					Object.assign(answer, { fault: { latencyMs: 0, manner: 'hang' } });
			},
		});
		const { json, error } = await service.engine.run({ parameters: { returnAll: true, options: { timeout: 1 } } });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(service.ids());
		const sizes = service.listRequests().map(({ query }) => query.page_limit);
		expect(sizes.filter((size) => Number(size) >= 100)).toEqual(['100', '901', ...Array(8).fill('100'), '100']);
	});
});

describe('A large page that takes too long in the middle of the list', () => {
	it('makes the rest come in smaller pages, and no client is missing', async () => {
		const service = await startService({
			clients: 2500,
			onAnswer: ({ endpoint, query }, answer) => {
				const isLarge = Number(query.page_limit) > 100 && query.page_no === '2';
				if (endpoint === 'list' && isLarge) Object.assign(answer, { fault: { latencyMs: 0, manner: 'hang' } });
			},
		});
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, options: { timeout: 1, pageSize: 1000 } },
		});
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		expect(idsOf(json)).toEqual(service.ids());
	});
});

describe('A page that takes long', () => {
	it('does not keep the others from being read meanwhile', async () => {
		let askedMeanwhile = 0;
		const service = await startService({
			clients: 300,
			onRequest: async ({ endpoint, query }) => {
				if (endpoint !== 'list' || query.page_no !== '3' || query.page_limit !== '10') return;
				await sleep(2000);
				askedMeanwhile = service.listRequests().filter((request) => request.query.page_limit === '10').length;
			},
		});
		const parameters = { returnAll: true, options: { pageSize: 10, parallelRequests: 2 } };
		expect(idsOf((await service.engine.run({ parameters })).json)).toEqual(service.ids());
		expect(askedMeanwhile).toBe(31);
	});
});

describe('A service that serves one request at a time', () => {
	it.each([
		['pages of a given size', { clients: 1_000 }, { pageSize: 10 }],
		['pages that it cuts short', { clients: 10_000, dialect: { overLimit: 'capped' as const } }, {}],
	])(
		'is asked for fewer pages at once than the user allows, and gives all clients for about as many requests: %s',
		async (_, settings, options) => {
			const crowds: number[] = [];
			const read = async (parallelRequests: number) => {
				let turn = Promise.resolve();
				let waiting = 0;
				const service = await startService({
					...settings,
					onRequest: async ({ endpoint }) => {
						if (endpoint !== 'list') return;
						crowds.push(++waiting);
						turn = turn.then(async () => await sleep(30));
						await turn;
						waiting -= 1;
					},
				});
				const { json } = await service.engine.run({
					parameters: { returnAll: true, options: { ...options, parallelRequests, consistency: 'fast' } },
				});
				expect(idsOf(json)).toEqual(service.ids());
				// Each takes its turn, so the time is their number.
				return crowds.length;
			};
			const alone = await read(1);
			crowds.length = 0;
			expect(await read(20)).toBeLessThan(1.5 * alone);
			expect(Math.max(...crowds.slice(0, 60))).toBe(20);
			expect(Math.max(...crowds.slice(50))).toBeLessThanOrEqual(15);
		},
	);
});

describe('A service that asks for fewer requests', () => {
	it('gets fewer at once for a while, then as many as before', async () => {
		const crowds: number[] = [];
		let waiting = 0;
		const service = await startService({
			clients: 1000,
			faults: [{ kind: 'rate-limit-seconds', seconds: 0, skip: 10, times: 8 }],
			onRequest: async ({ endpoint }) => {
				if (endpoint !== 'list') return;
				crowds.push(++waiting);
				await sleep(50);
				waiting -= 1;
			},
		});
		const { json } = await service.engine.run({
			parameters: { returnAll: true, options: { pageSize: 10, parallelRequests: 8 } },
		});
		expect(idsOf(json)).toEqual(service.ids());
		expect(Math.max(...crowds)).toBe(8);
		expect(Math.max(...crowds.slice(27, 33))).toBeLessThanOrEqual(4);
		expect(Math.max(...crowds.slice(40))).toBe(8);
	});
});

describe('A cancelled execution', () => {
	it('stops waiting for a service that hangs', async () => {
		const service = await startService({ faults: [{ kind: 'hang' }] });
		let cancel = () => {};
		service.requests.push = (...infos) => {
			if (infos.some(({ endpoint }) => endpoint === 'list')) cancel();
			return Array.prototype.push.apply(service.requests, infos);
		};
		const startedMs = Date.now();
		const { error } = await service.engine.run({
			parameters: { options: { timeout: 300 } },
			onStart: (stop) => (cancel = stop),
		});
		expect(Date.now() - startedMs).toBeLessThan(60_000);
		expect(error?.message).toBe('The execution was stopped');
	});
});
