import { describe, expect, it } from '@jest/globals';
import type { Action, Context, Reply } from '../../../../nodes/ClientOnboarding/api/classify';
import { classify, classifyToken } from '../../../../nodes/ClientOnboarding/api/classify';
import { NetworkError } from '../../../../nodes/ClientOnboarding/api/networkError';

const envelope = (status_code: number, data: unknown = null) => ({ status_code, message: 'text', data });
const respond = (statusCode: number, body: unknown = envelope(statusCode), headers = {}): Reply => ({
	statusCode,
	headers,
	body,
});
const page = respond(200, envelope(200, { results: [{ reference_id: 'A' }], total_count: 1 }));
const inEnvelope = (status: number) => respond(200, envelope(status));
const html = (status = 200) => respond(status, '<html></html>');
const redirect = respond(302, '', { location: '/login' });
const connection = new NetworkError('lost', 'connection', 'ECONNRESET');
const timeout = new NetworkError('late', 'timeout', 'ECONNABORTED');
const dns = new NetworkError('unknown', 'address', 'ENOTFOUND');
const noList = [respond(204, ''), respond(200, envelope(200, null)), respond(200, envelope(200, { results: null }))];

const CONTEXTS: Context[] = (['first', 'later'] as const).flatMap((page) =>
	(['old', 'fresh'] as const).flatMap((token) =>
		(['short', 'asMany'] as const).flatMap((rows) =>
			(['unknown', 'hasGivenClients'] as const).map((address) => ({ page, token, rows, address })),
		),
	),
);

/** The table of the design: for each reply, the action in all contexts that are like this one. */
const TABLE: Array<[name: string, replies: Reply[], context: Partial<Context>, action: Action]> = [
	['a well-formed page', [page], {}, 'page'],
	['429', [respond(429), inEnvelope(429), html(429)], {}, 'rateLimited'],
	[
		'a refused token',
		[401, 403, 419, 440, 498].flatMap((status) => [respond(status), inEnvelope(status), html(status)]),
		{},
		'refreshToken',
	],
	[
		'a temporary status',
		[408, 425, 500, 502, 503, 504, 520].flatMap((status) => [respond(status), inEnvelope(status), html(status)]),
		{},
		'retry',
	],
	['a lost connection or a timeout', [connection, timeout], {}, 'retry'],
	['a cut-off or empty body', [respond(200, '{"status_code": 2'), respond(200, ''), respond(200, '[{')], {}, 'retry'],
	['DNS or TLS at an address that has given clients', [dns], { address: 'hasGivenClients' }, 'retry'],
	['DNS or TLS at an unknown address', [dns], { address: 'unknown' }, 'fail'],
	[
		'no later page, with as many rows as the total',
		[respond(404), html(404), respond(400), respond(416), inEnvelope(410), ...noList],
		{ page: 'later', rows: 'asMany' },
		'endOfList',
	],
	[
		'anything else with an old token',
		[
			respond(400),
			respond(404),
			respond(422),
			redirect,
			html(),
			inEnvelope(400),
			respond(501),
			respond(200, {}),
			...noList,
		],
		{ token: 'old', rows: 'short' },
		'refreshToken',
	],
	[
		'a refused page 1',
		[respond(400), respond(422), inEnvelope(400)],
		{ page: 'first', token: 'fresh' },
		'otherParameter',
	],
	['a page 1 that is too large', [respond(413)], { page: 'first', token: 'fresh' }, 'reducePageSize'],
	['an empty list', [respond(404), ...noList], { page: 'first', token: 'fresh' }, 'endOfList'],
	[
		'no later page',
		[respond(404), html(404), respond(400), respond(422), respond(418), ...noList],
		{ page: 'later', token: 'fresh' },
		'endOfList',
	],
	[
		'something else from an address that has given clients',
		[html(), redirect, respond(200, { other: 'JSON' }), respond(501), respond(505)],
		{ token: 'fresh', address: 'hasGivenClients' },
		'retry',
	],
	[
		'something else from an unknown address',
		[html(), redirect, respond(200, { other: 'JSON' }), respond(501), respond(505)],
		{ token: 'fresh', address: 'unknown' },
		'fail',
	],
	[
		'a page 1 that is not found by anything but the service',
		[html(404)],
		{ page: 'first', token: 'fresh', address: 'unknown' },
		'fail',
	],
];

describe('The list endpoint’s response', () => {
	it.each(TABLE)('leads to the expected action: %s', (_, replies, like, action) => {
		const contexts = CONTEXTS.filter((context) =>
			Object.entries(like).every(([name, value]) => context[name as keyof Context] === value),
		);
		expect(contexts).not.toHaveLength(0);
		for (const reply of replies) {
			for (const context of contexts)
				expect([context, reply, classify(reply, context)]).toEqual([context, reply, action]);
		}
	});
});

describe('The token endpoint’s response without a token', () => {
	it.each([
		['an invalid API key is final', [respond(401), inEnvelope(401)], 'fail', 'fail'],
		['a rate limit is waited for', [respond(429)], 'rateLimited', 'rateLimited'],
		['a server error is retried', [respond(503), connection, timeout, respond(200, '')], 'retry', 'retry'],
		['anything else is retried once the address has given clients', [html(), respond(403), dns], 'fail', 'retry'],
	] as const)('%s', (_, replies, atUnknown, atKnown) => {
		for (const reply of replies) {
			expect(classifyToken(reply, 'unknown')).toBe(atUnknown);
			expect(classifyToken(reply, 'hasGivenClients')).toBe(atKnown);
		}
	});
});
