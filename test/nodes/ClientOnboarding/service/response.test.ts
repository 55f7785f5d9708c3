import { describe, expect, it } from '@jest/globals';
import { readAnswer, retryAfterMs } from '../../../../nodes/ClientOnboarding/service/response';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const client = { reference_id: 'a' };
const page = (data: unknown, status_code: unknown = 200) => ({ status_code, message: 'ok', data });

const read = (statusCode: number, body: unknown, { headers = {}, isProven = false } = {}) =>
	readAnswer({ statusCode, body, headers }, { host: 'api.example.com', nowMs: NOW_MS, isProven });

describe('An answer with a list', () => {
	it('is a page with what the service says about it', () => {
		const data = { results: [client], page_number: 2, page_limit: 10, total_count: 11, total_pages: 2 };
		expect(read(200, page(data))).toEqual({
			kind: 'page',
			page: { clients: [client], pageNumber: 2, pageLimit: 10, totalCount: 11, totalPages: 2 },
		});
	});

	it.each([
		['10', 10],
		[' 10 ', 10],
		[10, 10],
		[0, undefined],
		[-1, undefined],
		[1.5, undefined],
		['', undefined],
		[' ', undefined],
		['many', undefined],
		[null, undefined],
		[true, undefined],
		[undefined, undefined],
		[1e300, undefined],
	])('takes the total %j as %j', (total_count, totalCount) => {
		expect(read(200, page({ results: [], total_count }))).toMatchObject({ kind: 'page', page: { totalCount } });
	});

	it.each([
		[201, 200],
		[200, 201],
		[200, '200'],
		...[[200], { toString: 1 }, null, 'fine', 0, 1, 99, 600, 'NaN'].map((word) => [200, word] as const),
	])('counts with status %j and envelope %j', (status, envelope) => {
		expect(read(status, page({ results: [] }, envelope)).kind).toBe('page');
	});
});

describe('An answer without a list', () => {
	it.each([
		[401, page(null, 401), 401],
		[403, page(null, 403), 403],
		[200, page(null, 401), 401],
		[200, page(null, '403'), 403],
	])('is a refused token with status %j and body %j', (httpStatus, body, status) => {
		expect(read(httpStatus, body)).toEqual({ kind: 'tokenRefused', status });
	});

	it.each([
		[401, '<html>', 'it answered with a web page, status 401'],
		[403, undefined, 'it answered with nothing at all, status 403'],
		[403, { detail: 'Blocked' }, 'it answered with something else, status 403'],
	])('may be a stranger that refuses the token, with status %j and body %j', (status, body, stranger) => {
		expect(read(status, body)).toEqual({ kind: 'tokenRefused', status, stranger });
	});

	it.each([408, 425, 429, 500, 502, 503, 504])('is a busy service with status %j, also inside a 200', (status) => {
		expect(read(status, '<html>')).toMatchObject({ kind: 'busy', status });
		expect(read(200, page(null, status))).toMatchObject({ kind: 'busy', status });
	});

	it.each([
		[429, 'api.example.com asks for fewer requests'],
		[503, 'api.example.com is busy or down: status 503'],
	])('says what the trouble is with status %j', (status, reason) => {
		expect(read(status, '')).toMatchObject({ kind: 'busy', reason });
	});

	it.each([undefined, null, '', '  ', '{"status_code": 200, "data": {"resu', '[{"a"', ' {'])(
		'is cut off with status 200 and body %j',
		(body) => {
			expect(read(200, body)).toEqual({ kind: 'busy', reason: 'The answer of api.example.com was cut off' });
		},
	);

	it.each(['{"status_code": 400, "mess', ' ['])(
		'is cut off with any other status too, where JSON has begun: %j',
		(body) => {
			expect(read(400, body)).toEqual({ kind: 'busy', reason: 'The answer of api.example.com was cut off' });
		},
	);

	it.each([
		[400, page(null, 400), 'ok'],
		[404, page(null, 404), 'ok'],
		[200, page(null, 400), 'ok'],
		[501, { status_code: 501, message: '  spaced  ' }, 'spaced'],
		[422, { status_code: 422, message: { a: 1 } }, ''],
	])('is a refusal in the words of the service with status %j and body %j', (status, body, message) => {
		expect(read(status, body)).toMatchObject({ kind: 'refused', message });
	});

	it.each([
		[200, '<!doctype html>', 'it answered with a web page, status 200'],
		[404, '\n<html>', 'it answered with a web page, status 404'],
		[200, 'hello', 'it answered with something else, status 200'],
		[200, { ok: true }, 'it answered with something else, status 200'],
		[200, [client], 'it answered with something else, status 200'],
		[200, 7, 'it answered with something else, status 200'],
		[404, '', 'it answered with nothing at all, status 404'],
		[404, null, 'it answered with nothing at all, status 404'],
		[304, ' ', 'it answered with nothing at all, status 304'],
		[301, page({ results: [] }), 'it answered with something else, status 301'],
		[204, '', 'its answer is empty'],
		[200, page(null), 'its answer holds no list of clients'],
		[200, page([]), 'its answer holds no list of clients'],
		[200, page({ results: {} }), 'its answer holds no list of clients'],
		[200, page({ results: ['a'] }), 'its answer holds no list of clients'],
		[200, page({ results: [client, null] }), 'its answer holds no list of clients'],
	])('is not this service with status %j and body %j', (status, body, what) => {
		const outcome = read(status, body);
		expect(outcome).toMatchObject({ kind: 'notThisService', status, what });
		expect(Object.keys(outcome).filter((key) => !['kind', 'status', 'what', 'isNothing'].includes(key))).toEqual([]);
	});

	it.each([
		[302, ''],
		[301, page({ results: [] })],
		[307, '<html>'],
	])('points elsewhere with status %j, body %j and another address', (status, body) => {
		const outcome = read(status, body, { headers: { location: '/login' } });
		expect(outcome).toEqual({ kind: 'notThisService', status, what: 'it points to another address' });
	});

	it.each([
		[204, '', true],
		[200, page(null), true],
		[200, page({}), true],
		[200, page({ results: null }), true],
		[200, page({ results: {} }), undefined],
		[200, page({ results: [client, null] }), undefined],
	])('with status %j and body %j is as good as none beyond the last page: %j', (status, body, isNothing) => {
		expect({ isNothing: undefined, ...read(status, body) }).toMatchObject({ kind: 'notThisService', isNothing });
	});

	it.each([
		[200, '<html></html>', 'busy'],
		[302, '', 'busy'],
		[200, { some: 'thing' }, 'busy'],
		[200, page({ results: {} }), 'busy'],
		[407, '<html></html>', 'busy'],
		[451, { some: 'thing' }, 'busy'],
		[511, '<html></html>', 'busy'],
		...[400, 404, 410, 413, 416, 422].map((status) => [status, '', 'notThisService'] as const),
		[200, page({ results: null }), 'notThisService'],
	])('of a service that gave clients before, with status %j and body %j, is %s', (status, body, kind) => {
		const outcome = read(status, body, { isProven: true });
		expect(outcome.kind).toBe(kind);
		if (outcome.kind === 'busy') expect(outcome.reason).toMatch(/^api\.example\.com gave no clients: it/);
	});

	it.each([0, '0', ' 0 '])('is a page without clients where the total says so too: %j', (total_count) => {
		expect(read(200, page({ results: null, total_count }))).toMatchObject({ kind: 'page', page: { clients: [] } });
	});
});

describe('Retry-After', () => {
	it.each([
		['2', 2000],
		['0', 0],
		['1.5', 1500],
		['1.25', 1250],
		['120', 120_000],
		[' 2 ', 2000],
		['2 days', undefined],
		[3, 3000],
		['Sun, 15 Nov 2026 12:00:07 GMT', 7000],
		['Sun, 15 Nov 2026 11:00:00 GMT', 0],
		['soon', undefined],
		['', undefined],
		['-1', undefined],
		[undefined, undefined],
	])('%j means %j ms', (header, ms) => {
		expect(retryAfterMs(header, NOW_MS)).toBe(ms);
		expect(read(503, '', { headers: { 'retry-after': header } })).toMatchObject({ kind: 'busy', retryAfterMs: ms });
	});
});
