import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createApp, DEFAULTS } from '../../sandbox/app.mts';
import type { Client } from '../../sandbox/data/clients.mts';
import {
	SETTINGS,
	SETTING_NAMES,
	DEFAULT_BEHAVIOR,
	parseBehavior,
	valuesOf,
	type Behavior,
} from '../../sandbox/endpoints/behavior.mts';
import type { ServedRequest } from '../../sandbox/requests.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { call, createCaller, LIST_PATH, pickIds, TOKEN_PATH } from './caller.mts';

const NOW_MS = Date.UTC(2026, 0, 1);
const RECORD_FIELDS = [
	'reference_id',
	'email',
	'client_name',
	'client_type',
	'group_name',
	'group_token',
	'request_status',
	'client_status',
	'created_at',
];

let sandbox: Sandbox;
let caller: ReturnType<typeof createCaller>;
let nowMs = NOW_MS;

beforeAll(async () => {
	sandbox = await startSandbox({
		clients: 120,
		maxPageLimit: 20,
		requestsPerSecond: 3,
		now: () => nowMs,
	});
});

beforeEach(() => {
	configure(DEFAULT_BEHAVIOR);
	caller = createCaller(sandbox.environments.sandbox);
});

afterAll(() => sandbox.close());

function configure(behavior: Partial<Behavior>) {
	sandbox.app.setBehavior(behavior);
}

function stored(): Client[] {
	return [...sandbox.app.environment('sandbox').clients.all()];
}

describe('The sandbox without settings', () => {
	it('returns a page as in the specification', async () => {
		const { status, status_code, message, data } = await caller.list();
		expect({ status, status_code }).toEqual({ status: 200, status_code: 200 });
		expect(message).toMatch(/success/);
		expect(data).toMatchObject({
			page_number: 1,
			page_limit: 10,
			total_count: 120,
			total_pages: 12,
		});
		expect(data.results).toEqual(stored().slice(0, 10));
		expect(Object.keys(data.results[0])).toEqual(RECORD_FIELDS);
	});
});

describe('The setting tokenMethod', () => {
	it.each([
		['GET', { GET: 200, POST: 405, PUT: 405 }],
		['POST', { GET: 405, POST: 200, PUT: 405 }],
	] as const)('%s allows its own method and responds with 405 to others', async (tokenMethod, expected) => {
		configure({ tokenMethod });
		for (const [method, status] of Object.entries(expected)) {
			const headers = { 'api-key': sandbox.environments.sandbox.apiKey };
			const reply = await caller.requestToken({ method: method as 'GET', headers });
			expect(reply).toMatchObject({ status, status_code: status });
			if (status === 405) expect(reply.data).toBeNull();
		}
	});
});

describe('The setting wrongMethod', () => {
	it.each([
		['405', 405, 405],
		['404', 404, 404],
		['501', 501, 501],
		['envelope-405', 200, 405],
		['403', 403, 403],
		['400', 400, 400],
		['422', 422, 422],
	] as const)('%s responds with HTTP %p and status %p in the envelope', async (wrongMethod, status, status_code) => {
		configure({ tokenMethod: 'POST', wrongMethod });
		const headers = { 'api-key': sandbox.environments.sandbox.apiKey };
		for (const method of ['GET', 'PUT', 'DELETE'] as const) {
			const reply = await caller.requestToken({ method, headers });
			expect(reply).toMatchObject({ status, status_code, data: null });
			expect(reply.headers.allow).toBe(status === 405 ? 'POST' : undefined);
		}
		expect(await caller.requestToken({ method: 'POST', headers })).toMatchObject({ status: 200, status_code: 200 });
	});

	it.each([
		['redirect', { status: 302, text: '' }, { location: '/login' }],
		[
			'html',
			{ status: 200, text: expect.stringMatching(/^<!doctype html>/) },
			{ 'content-type': 'text/html; charset=utf-8' },
		],
	] as const)('%s responds like a gateway in front of the service', async (wrongMethod, reply, headers) => {
		configure({ tokenMethod: 'POST', wrongMethod });
		expect(await caller.requestToken()).toMatchObject({ ...reply, headers });
		const options = { method: 'POST', headers: { 'api-key': sandbox.environments.sandbox.apiKey } } as const;
		expect(await caller.requestToken(options)).toMatchObject({ status: 200, status_code: 200 });
	});

	it.each(valuesOf('wrongMethod'))('%s does not affect the list endpoint', async (wrongMethod) => {
		configure({ wrongMethod });
		const reply = await call(sandbox.environments.sandbox.url + LIST_PATH, { method: 'POST' });
		expect(reply).toMatchObject({ status: 405, status_code: 405, data: null });
	});
});

describe('The setting expiresIn', () => {
	it.each([
		['seconds', 900],
		['milliseconds', 900_000],
		['absent', undefined],
	] as const)('%s writes 900 seconds as %p', async (expiresIn, written) => {
		configure({ expiresIn });
		const { data } = await caller.requestToken();
		expect(data.expires_in).toBe(written);
		expect(await caller.listWith(`Bearer ${data.access_token}`)).toMatchObject({ status: 200 });
	});
});

describe('The setting tokenRefusal', () => {
	const listRefused = async () => {
		const { tokens } = sandbox.app.environment('sandbox');
		const revoked = tokens.issue();
		tokens.revoke(revoked);
		const expired = tokens.issue();
		nowMs += DEFAULTS.tokenLifetimeSeconds * 1000;
		const refused = ['Bearer unknown', `Bearer ${revoked}`, `Bearer ${expired}`, 'Basic eDp5', 'Bearer', ''];
		return Promise.all(refused.map((authorization) => caller.listWith(authorization)));
	};

	it.each([
		['401', 401, 401],
		['403', 403, 403],
		['envelope-401', 200, 401],
		['419', 419, 419],
		['498', 498, 498],
		['400', 400, 400],
		['404', 404, 404],
		['422', 422, 422],
		['500', 500, 500],
		['envelope-400', 200, 400],
		['envelope-500', 200, 500],
	] as const)('%s responds with HTTP %p and status %p in the envelope', async (tokenRefusal, status, status_code) => {
		configure({ tokenRefusal });
		for (const reply of await listRefused()) expect(reply).toMatchObject({ status, status_code, data: null });
	});

	it('redirect responds with a redirect to the login page', async () => {
		configure({ tokenRefusal: 'redirect' });
		for (const reply of await listRefused()) {
			expect(reply).toMatchObject({ status: 302, text: '', headers: { location: '/login' } });
		}
	});
});

describe('The setting pageParameter', () => {
	it.each([
		['page_no', { page_no: 3 }, 3],
		['page_no', { page: 3 }, 1],
		['page_no', { page: 'x' }, 1],
		['page', { page: 3 }, 3],
		['page', { page_no: 3 }, 1],
		['page', { page_no: 'x' }, 1],
		['neither', { page_no: 2, page: 3 }, 1],
	] as const)('%s makes %p return page %p', async (pageParameter, query, page) => {
		configure({ pageParameter });
		const { data } = await caller.list(query);
		expect(data.page_number).toBe(page);
		expect(data.results).toEqual(stored().slice((page - 1) * 10, page * 10));
	});
});

describe('The setting otherParameters', () => {
	it('ignored returns the same page as without them', async () => {
		configure({ otherParameters: 'ignored' });
		const { data } = await caller.list({ page: 3, colour: 'blue' });
		expect(data).toEqual((await caller.list()).data);
	});

	it.each([
		['refused-400', 400],
		['refused-422', 422],
	] as const)('%s names the first unknown parameter', async (otherParameters, status) => {
		configure({ otherParameters });
		const refused = await caller.list({ page_no: 1, colour: 'blue', taste: 'sweet' });
		expect(refused).toMatchObject({ status, status_code: status, data: null });
		expect(refused.message).toMatch(/"colour"/);
	});

	it.each([
		['page_no', { page_no: 2 }, 200],
		['page_no', { page: 2 }, 400],
		['page', { page: 2 }, 200],
		['page', { page_no: 2 }, 400],
	] as const)('refused-400 with the page parameter %s responds to %j with %p', async (pageParameter, query, status) => {
		configure({ otherParameters: 'refused-400', pageParameter });
		expect(await caller.list(query)).toMatchObject({ status, status_code: status });
	});

	it('refused-422 accepts all parameters of the specification', async () => {
		configure({ otherParameters: 'refused-422' });
		const filters = { client_email: 'x', request_status: 'pending', client_type: 'company', group_name: 'x' };
		expect(await caller.list({ page_no: 1, page_limit: 5, ...filters })).toMatchObject({ status: 200 });
	});

	it('refused-400 checks the token first', async () => {
		configure({ otherParameters: 'refused-400' });
		expect(await call(`${sandbox.environments.sandbox.url}${LIST_PATH}?colour=blue`)).toMatchObject({ status: 401 });
	});
});

describe('The setting pageLimitEcho', () => {
	it.each([
		['right', 20],
		['absent', undefined],
		['asked', 7],
		['always-ten', 10],
	] as const)('%s echoes %p if 7 rows are requested and 20 returned', async (pageLimitEcho, page_limit) => {
		configure({ pageLimitEcho, pageSizes: 'fixed' });
		const { data } = await caller.list({ page_limit: 7 });
		expect(data.page_limit).toBe(page_limit);
		expect('page_limit' in data).toBe(pageLimitEcho !== 'absent');
		expect(data.results).toHaveLength(20);
	});
});

describe('The setting overLimit', () => {
	it.each([
		['granted', 50],
		['capped', 20],
	] as const)('%s returns and reports %p rows', async (overLimit, rows) => {
		configure({ overLimit });
		const { data } = await caller.list({ page_limit: 50, page_no: 2 });
		expect(data).toMatchObject({ page_limit: rows, total_pages: Math.ceil(120 / rows) });
		expect(data.results).toEqual(stored().slice(rows, 2 * rows));
	});

	it('empty returns no rows and the right total for more than the maximum', async () => {
		configure({ overLimit: 'empty' });
		expect((await caller.list({ page_limit: 21 })).data).toMatchObject({ total_count: 120, results: [] });
		expect((await caller.list({ page_limit: 20 })).data.results).toHaveLength(20);
	});

	it('hang never responds to more than the maximum', async () => {
		configure({ overLimit: 'hang' });
		await expect(caller.list({ page_limit: 21 }, AbortSignal.timeout(300))).rejects.toThrow(/timeout/);
		expect((await caller.list({ page_limit: 20 })).data.results).toHaveLength(20);
	});

	it('hang still refuses bad parameters and tokens', async () => {
		configure({ overLimit: 'hang' });
		expect(await caller.list({ page_limit: 21, request_status: 'unknown' })).toMatchObject({ status: 400 });
		const url = `${sandbox.environments.sandbox.url}${LIST_PATH}?page_limit=21`;
		expect(await call(url)).toMatchObject({ status: 401 });
	});

	it('hang appears in the log as a request without a response', async () => {
		const served: ServedRequest[] = [];
		const onServed = (request: ServedRequest) => void served.push(request);
		const other = await startSandbox({ maxPageLimit: 5, behavior: { overLimit: 'hang' }, onServed });
		const asked = createCaller(other.environments.sandbox).list({ page_limit: 6 }, AbortSignal.timeout(300));
		await expect(asked).rejects.toThrow(/timeout/);
		while (served.length < 2) await sleep(10);
		await other.close();
		expect(served[1]).toMatchObject({ status: undefined, faults: ['hang'] });
	});

	it.each(['capped', 'refused-400'] as const)('%s keeps the default page within the maximum', async (overLimit) => {
		configure({ overLimit });
		sandbox.app.limits.maxPageLimit = 5;
		expect(await caller.list()).toMatchObject({ status: 200, data: { page_limit: 5 } });
		sandbox.app.limits.maxPageLimit = 20;
	});

	it.each([
		['refused-400', 400],
		['refused-413', 413],
		['refused-422', 422],
		['refused-500', 500],
	] as const)('%s names page_limit', async (overLimit, status) => {
		configure({ overLimit });
		const refused = await caller.list({ page_limit: 21 });
		expect(refused).toMatchObject({ status, status_code: status, data: null });
		expect(refused.message).toMatch(/page_limit/);
		expect(await caller.list({ page_limit: 20 })).toMatchObject({ status: 200 });
	});
});

describe('The setting pageSizes', () => {
	const grants = async (
		behavior: Partial<Behavior>,
		maxPageLimit: number,
		asked: ReadonlyArray<number | undefined>,
	) => {
		configure(behavior);
		sandbox.app.limits.maxPageLimit = maxPageLimit;
		const granted = [];
		for (const page_limit of asked) {
			const reply = await caller.list(page_limit === undefined ? {} : { page_limit });
			granted.push(reply.status === 200 ? reply.data.page_limit : reply.status);
			if (reply.status === 200) expect(reply.data.results).toEqual(stored().slice(0, reply.data.page_limit));
		}
		sandbox.app.limits.maxPageLimit = 20;
		return granted;
	};
	const ASKED = [undefined, 1, 10, 11, 25, 26, 60, 100, 101, 250, 900];

	it.each([
		['any', 1000, [10, 1, 10, 11, 25, 26, 60, 100, 101, 250, 900]],
		['fixed', 1000, ASKED.map(() => 25)],
		['fixed', 12, ASKED.map(() => 12)],
	] as const)('%s, up to %p rows, returns pages of the expected sizes', async (pageSizes, maximum, expected) => {
		expect(await grants({ pageSizes, overLimit: 'capped' }, maximum, ASKED)).toEqual(expected);
	});

	it('fixed ignores page_limit, even if it is over the limit or wrong', async () => {
		expect(await grants({ pageSizes: 'fixed', overLimit: 'refused-400' }, 30, [31, 1_000_000])).toEqual([25, 25]);
		configure({ pageSizes: 'fixed' });
		expect(await caller.list({ page_limit: 'many' })).toMatchObject({ status: 200 });
	});

	it.each(valuesOf('pageSizes'))('%s returns pages that are the whole list together', async (pageSizes) => {
		configure({ pageSizes });
		const ids = [];
		for (let page_no = 1; ids.length < 120; page_no++) {
			const { data } = await caller.list({ page_no, page_limit: 13 });
			expect(data.total_pages).toBe(Math.ceil(120 / data.page_limit));
			ids.push(...pickIds(data.results));
		}
		expect(ids).toEqual(pickIds(stored()));
	});
});

describe('The setting order', () => {
	const readPages = async (page_limit = 40) => {
		const numbers = Array.from({ length: Math.ceil(120 / page_limit) }, (_, index) => index + 1);
		const pages = await Promise.all(numbers.map((page_no) => caller.list({ page_no, page_limit })));
		return pages.flatMap(({ data }) => pickIds(data.results));
	};

	it('created-ascending lists the oldest client first', async () => {
		configure({ order: 'created-ascending' });
		expect(await readPages()).toEqual(pickIds(stored()));
	});

	it('created-descending lists the newest client first', async () => {
		configure({ order: 'created-descending' });
		expect(await readPages()).toEqual(pickIds(stored()).reverse());
	});

	it('arbitrary lists every client once in another, stable order', async () => {
		configure({ order: 'arbitrary' });
		const ids = await readPages();
		expect(ids).not.toEqual(pickIds(stored()));
		expect([...ids].sort()).toEqual(pickIds(stored()).sort());
		expect(await readPages()).toEqual(ids);
	});

	it('shuffled lists every client once in another order on every request', async () => {
		configure({ order: 'shuffled' });
		const [first, second] = [pickIds(await caller.listAll()), pickIds(await caller.listAll())];
		expect(first).not.toEqual(second);
		expect([...first].sort()).toEqual(pickIds(stored()).sort());
		expect([...second].sort()).toEqual(pickIds(stored()).sort());
		expect(new Set(await readPages()).size).toBeLessThan(120);
	});

	it('shuffled lists no client twice on a page', async () => {
		configure({ order: 'shuffled' });
		const { data } = await caller.list({ page_no: 3, page_limit: 50 });
		expect(new Set(pickIds(data.results)).size).toBe(20);
	});
});

describe('The setting beyondLast', () => {
	it('empty returns a page without rows', async () => {
		configure({ beyondLast: 'empty' });
		const { status, data } = await caller.list({ page_no: 13 });
		expect(status).toBe(200);
		expect(data).toMatchObject({ page_number: 13, total_count: 120, results: [] });
	});

	it.each(['404', '400'] as const)('%s returns its status in an envelope', async (beyondLast) => {
		configure({ beyondLast });
		const status = Number(beyondLast);
		expect(await caller.list({ page_no: 13 })).toMatchObject({
			status,
			status_code: status,
			data: null,
		});
		expect(await caller.list({ page_no: 12 })).toMatchObject({ status: 200 });
	});

	it('204 returns neither a body nor a content-length', async () => {
		configure({ beyondLast: '204' });
		const { status, headers, text } = await caller.list({ page_no: 13 });
		expect({ status, text }).toEqual({ status: 204, text: '' });
		expect(headers).not.toHaveProperty('content-length');
		expect(headers).not.toHaveProperty('content-type');
		expect(await caller.list({ page_no: 12 })).toMatchObject({ status: 200 });
	});

	it('bare-404 returns a web page', async () => {
		configure({ beyondLast: 'bare-404' });
		const { status, headers, text } = await caller.list({ page_no: 13 });
		expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
		expect(text).toMatch(/^<!doctype html>/);
	});

	it('data-null returns 200 with null data', async () => {
		configure({ beyondLast: 'data-null' });
		expect(await caller.list({ page_no: 13 })).toMatchObject({ status: 200, status_code: 200, data: null });
	});

	it('results-null returns a page with null results', async () => {
		configure({ beyondLast: 'results-null' });
		const { status, data } = await caller.list({ page_no: 13 });
		expect(status).toBe(200);
		expect(data).toEqual({ page_number: 13, page_limit: 10, total_count: 120, total_pages: 12, results: null });
	});

	it('first-page returns the first page again with its own number', async () => {
		configure({ beyondLast: 'first-page' });
		expect((await caller.list({ page_no: 13 })).data).toEqual((await caller.list()).data);
	});

	it('last-page returns the last page again with its own number', async () => {
		configure({ beyondLast: 'last-page' });
		expect((await caller.list({ page_no: 99 })).data).toEqual((await caller.list({ page_no: 12 })).data);
	});

	it('more-rows returns full pages of clients that are not in the list', async () => {
		configure({ beyondLast: 'more-rows' });
		const known = new Set(pickIds(stored()));
		const pages = [13, 14, 99, 1_000_000];
		for (const page_no of pages) {
			const { status, data } = await caller.list({ page_no });
			expect(status).toBe(200);
			expect(data).toMatchObject({ page_number: page_no, total_count: 120, total_pages: 12 });
			expect(data.results).toHaveLength(10);
			for (const { reference_id } of data.results) known.add(reference_id);
		}
		expect(known.size).toBe(120 + pages.length * 10);
		expect((await caller.list({ page_no: 99 })).data).toEqual((await caller.list({ page_no: 99 })).data);
	});

	it('more-rows returns made-up clients that have all fields and match the filters', async () => {
		configure({ beyondLast: 'more-rows', statusCase: 'lower', extras: 'fields' });
		const { data } = await caller.list({ request_status: 'pending', page_no: 50, page_limit: 20 });
		expect(data.results).toHaveLength(20);
		for (const client of data.results) {
			expect(client).toMatchObject({ request_status: 'pending', risk: { score: expect.any(Number) } });
			expect(Object.keys(client)).toEqual(expect.arrayContaining(RECORD_FIELDS));
		}
		const madeUp = (await caller.list({ group_name: 'No such group', page_no: 2 })).data.results;
		expect(madeUp).toHaveLength(10);
	});

	it.each(valuesOf('beyondLast'))('%s does not affect the first page of an empty list', async (beyondLast) => {
		configure({ beyondLast });
		const { status, data } = await caller.list({ group_name: 'No such group' });
		expect(status).toBe(200);
		expect(data).toMatchObject({ page_number: 1, total_count: 0, total_pages: 0, results: [] });
	});
});

describe('The setting emptyList', () => {
	const NOBODY = { group_name: 'No such group' };
	const listNoMatch = (emptyList: Behavior['emptyList']) => {
		// The setting for pages beyond the last must not apply here.
		configure({ emptyList, beyondLast: 'more-rows' });
		return caller.list(NOBODY);
	};

	it('page returns a page without rows', async () => {
		const { status, data } = await listNoMatch('page');
		expect(status).toBe(200);
		expect(data).toEqual({ page_number: 1, page_limit: 10, total_count: 0, total_pages: 0, results: [] });
	});

	it('404 returns 404 in an envelope', async () => {
		expect(await listNoMatch('404')).toMatchObject({ status: 404, status_code: 404, data: null });
	});

	it('204 returns no body', async () => {
		expect(await listNoMatch('204')).toMatchObject({ status: 204, text: '' });
	});

	it('data-null returns 200 without data', async () => {
		expect(await listNoMatch('data-null')).toMatchObject({ status: 200, status_code: 200, data: null });
	});

	it('results-null returns a page with null results', async () => {
		const { status, data } = await listNoMatch('results-null');
		expect(status).toBe(200);
		expect(data).toEqual({ page_number: 1, page_limit: 10, total_count: 0, total_pages: 0, results: null });
	});

	it.each(valuesOf('emptyList'))(
		'%s does not affect lists with clients or pages beyond the last',
		async (emptyList) => {
			configure({ emptyList });
			expect((await caller.list()).data.results).toHaveLength(10);
			expect(await caller.list({ page_no: 13 })).toMatchObject({ status: 200, data: { results: [] } });
			expect(await caller.list({ ...NOBODY, page_no: 2 })).toMatchObject({ status: 200, data: { results: [] } });
		},
	);

	it('404 also applies to a sandbox without clients', async () => {
		const empty = await startSandbox({ clients: 0, behavior: { emptyList: '404' } });
		const other = createCaller(empty.environments.sandbox);
		expect(await other.list()).toMatchObject({ status: 404, status_code: 404, data: null });
		empty.app.environment('sandbox').clients.add();
		expect(await other.list()).toMatchObject({ status: 200, data: { total_count: 1 } });
		await empty.close();
	});
});

describe('The setting hiddenRows', () => {
	const served = () => [...sandbox.app.environment('sandbox').served()];
	const readPages = async (page_limit: number, query: Record<string, string> = {}) => {
		const pages = [];
		for (let page_no = 1; page_no <= Math.ceil(120 / page_limit); page_no++) {
			pages.push((await caller.list({ ...query, page_no, page_limit })).data);
		}
		return pages;
	};

	it('none lists all clients', async () => {
		configure({ hiddenRows: 'none' });
		expect(served()).toEqual(stored());
		expect(await caller.listAll()).toEqual(stored());
	});

	it('after-paging leaves about a third of the clients out of pages and totals', async () => {
		configure({ hiddenRows: 'after-paging' });
		const visible = served();
		expect(visible.length).toBeGreaterThan(60);
		expect(visible.length).toBeLessThan(100);
		const shown = new Set(pickIds(visible));
		const total_count = visible.length;
		const pages = await readPages(10);
		for (const [index, page] of pages.entries()) {
			expect(page).toMatchObject({ total_count, total_pages: Math.ceil(total_count / 10) });
			const cut = stored().slice(index * 10, index * 10 + 10);
			expect(page.results).toEqual(cut.filter(({ reference_id }) => shown.has(reference_id)));
		}
		expect(pages.filter(({ results }) => results.length < 10).length).toBeGreaterThan(6);
	});

	it('after-paging may leave a page in the middle empty', async () => {
		configure({ hiddenRows: 'after-paging' });
		const sizes = (await readPages(1)).map(({ results }) => results.length);
		expect(sizes.indexOf(0)).toBeLessThan(sizes.lastIndexOf(1));
		expect(sizes.filter((size) => size === 1)).toHaveLength(served().length);
	});

	it.each(valuesOf('order'))('after-paging hides the same clients in order %s', async (order) => {
		configure({ hiddenRows: 'after-paging', order });
		expect(pickIds(await caller.listAll()).sort()).toEqual(pickIds(served()).sort());
	});

	it('after-paging counts only filtered clients that are shown', async () => {
		configure({ hiddenRows: 'after-paging' });
		const { results, total_count } = (await caller.list({ request_status: 'completed', page_limit: 120 })).data;
		expect(results).toEqual(served().filter(({ request_status }) => request_status === 'Completed'));
		expect(total_count).toBe(results.length);
	});

	it('after-paging hides the same clients after a status change', () => {
		const { clients, served: show } = createApp({ behavior: { hiddenRows: 'after-paging' } }).environment('sandbox');
		const before = pickIds([...show()]);
		for (const id of clients.ids()) clients.setStatus(id, 'declined');
		expect(pickIds([...show()])).toEqual(before);
	});

	it('after-paging returns an empty list if a filter matches only hidden clients', async () => {
		configure({ hiddenRows: 'after-paging', emptyList: '404' });
		const shown = new Set(served().map(({ email }) => email));
		const { email } = stored().find((client) => !shown.has(client.email))!;
		expect(await caller.list({ client_email: email })).toMatchObject({ status: 404, data: null });
	});
});

describe('The setting totals', () => {
	it.each([
		['numbers', 120, 12],
		['strings', '120', '12'],
		['zero', 0, 0],
		['absent', undefined, undefined],
		['too-high', 157, 16],
		['too-low', 60, 6],
		['of-page', 10, 1],
	] as const)('%s reports %p clients on %p pages', async (totals, total_count, total_pages) => {
		configure({ totals });
		const { data } = await caller.list();
		expect(data.total_count).toBe(total_count);
		expect(data.total_pages).toBe(total_pages);
		expect('total_count' in data).toBe(totals !== 'absent');
		expect((await caller.list({ page_no: 12 })).data.results).toHaveLength(10);
	});
});

describe('The settings of filters:', () => {
	const expectList = async (query: Record<string, string>, matches: (client: Client) => boolean) => {
		const expected = stored().filter(matches);
		expect(await caller.listAll(query)).toEqual(expected);
		return expected.length;
	};
	const shared = () => {
		const emails = stored().map(({ email }) => email);
		return emails.find((email, index) => emails.indexOf(email) !== index)!;
	};

	it('emailFilter exact matches the whole address with case', async () => {
		const email = shared();
		expect(await expectList({ client_email: email }, (client) => client.email === email)).toBeGreaterThan(1);
		expect(await caller.listAll({ client_email: email.toUpperCase() })).toEqual([]);
	});

	it('emailFilter any-case matches the whole address without case', async () => {
		configure({ emailFilter: 'any-case' });
		const email = shared();
		for (const client_email of [email, email.toUpperCase(), email.toLowerCase()]) {
			const matches = (client: Client) => client.email.toLowerCase() === email.toLowerCase();
			expect(await expectList({ client_email }, matches)).toBeGreaterThan(1);
		}
		expect(await caller.listAll({ client_email: email.slice(1) })).toEqual([]);
		const capital = stored().find((client) => /^[A-Z]/.test(client.email))!.email;
		expect(await caller.listAll({ client_email: capital.toLowerCase() })).not.toEqual([]);
	});

	it.each([
		['exact', { client_email: 'ada@example.com' }, []],
		['exact', { client_email: 'Ada@Example.com' }, ['GIVEN']],
		['any-case', { client_email: 'aDA@example.COM' }, ['GIVEN']],
		['any-case', { client_email: 'da@example.com' }, []],
	] as const)('emailFilter %s with %j finds %j', async (emailFilter, query, found) => {
		configure({ emailFilter });
		const { clients } = sandbox.app.environment('sandbox');
		clients.add({ reference_id: 'GIVEN', email: 'Ada@Example.com' });
		expect(pickIds(await caller.listAll(query))).toEqual(found);
		clients.remove('GIVEN');
	});

	it('emailFilter contains matches a part without case', async () => {
		configure({ emailFilter: 'contains' });
		const part = 'EXAMPLE.COM';
		const count = await expectList({ client_email: part }, ({ email }) => email.includes('example.com'));
		expect(count).toBeGreaterThan(0);
	});

	it('emailFilter group-name matches the name of the group', async () => {
		configure({ emailFilter: 'group-name' });
		const matches = ({ group_name }: Client) => group_name === 'Wholesale';
		expect(await expectList({ client_email: 'Wholesale' }, matches)).toBeGreaterThan(0);
		expect(await caller.listAll({ client_email: shared() })).toEqual([]);
	});

	it('emailFilter ignored lists all clients', async () => {
		configure({ emailFilter: 'ignored' });
		expect(await expectList({ client_email: shared() }, () => true)).toBe(120);
	});

	it.each([
		['exact', 'Retail', (name: string) => name === 'Retail'],
		['exact', 'retail', () => false],
		['exact', "O'Neil & Sons", (name: string) => name === "O'Neil & Sons"],
		['any-case', 'rETAIL', (name: string) => name === 'Retail'],
		['contains', 'retail', (name: string) => name.startsWith('Retail')],
	] as const)('groupFilter %s lists the right clients for %p', async (groupFilter, wanted, matches) => {
		configure({ groupFilter });
		await expectList({ group_name: wanted }, ({ group_name }) => matches(group_name));
	});

	it('groupFilter ignored lists all clients', async () => {
		configure({ groupFilter: 'ignored' });
		expect(await expectList({ group_name: 'Wholesale' }, () => true)).toBe(120);
	});

	it('groupFilter ignored also ignores a client_email that is compared with the group name', async () => {
		configure({ groupFilter: 'ignored', emailFilter: 'group-name' });
		expect(await expectList({ client_email: 'Wholesale' }, () => true)).toBe(120);
	});

	it('groupFilter ignored does not affect client_email', async () => {
		configure({ groupFilter: 'ignored', severalFilters: 'any' });
		const email = shared();
		await expectList({ group_name: 'Wholesale', client_email: email }, (client) => client.email === email);
	});

	const both = { request_status: 'completed', client_type: 'company' };
	const isCompleted = ({ request_status }: Client) => request_status === 'Completed';
	const isCompany = ({ client_type }: Client) => client_type === 'company';

	it.each([
		['all', (client: Client) => isCompleted(client) && isCompany(client)],
		['any', (client: Client) => isCompleted(client) || isCompany(client)],
		['first', isCompleted],
	] as const)('severalFilters %s combines status and type', async (severalFilters, matches) => {
		configure({ severalFilters });
		const count = await expectList(both, matches);
		expect(count).toBeGreaterThan(0);
		expect(count).toBeLessThan(120);
	});

	it('severalFilters first uses client_email before all others', async () => {
		configure({ severalFilters: 'first' });
		const email = shared();
		await expectList({ ...both, client_email: email }, (client) => client.email === email);
	});

	it('severalFilters first skips an email filter that is ignored', async () => {
		configure({ severalFilters: 'first', emailFilter: 'ignored' });
		await expectList({ ...both, client_email: shared() }, isCompleted);
	});
});

describe('The setting statusCase', () => {
	it.each([
		['capitalized', /^[A-Z][a-z]+$/],
		['lower', /^[a-z]+$/],
		['mixed', /^[A-Z]?[a-z]+$/],
	] as const)('%s', async (statusCase, pattern) => {
		configure({ statusCase });
		const clients = await caller.listAll();
		expect(clients.every(({ request_status }) => pattern.test(request_status))).toBe(true);
		const pending = await caller.listAll({ request_status: 'pending' });
		expect(pending).toEqual(clients.filter(({ request_status }) => /^pending$/i.test(request_status)));
	});
});

describe('The parameter request_status', () => {
	it('is refused in another case than the documented one', async () => {
		const { status, message } = await caller.list({ request_status: 'Pending' });
		expect({ status, message }).toEqual({
			status: 400,
			message: expect.stringContaining('request_status must be one'),
		});
	});
});

describe('The setting extras', () => {
	it('fields adds unknown fields to every record, one of them nested', async () => {
		configure({ extras: 'fields' });
		const clients = await caller.listAll();
		expect(clients).toHaveLength(120);
		for (const [index, client] of clients.entries()) {
			expect(client).toMatchObject({ ...stored()[index], risk: { score: expect.any(Number) } });
		}
	});

	it('statuses gives some clients an unknown status, which no filter finds', async () => {
		configure({ extras: 'statuses' });
		const clients = await caller.listAll();
		const held = clients.filter(({ request_status }) => request_status === 'On Hold');
		expect(held.length).toBeGreaterThan(0);
		expect(held.length).toBeLessThan(60);
		for (const request_status of ['pending', 'declined', 'completed', 'accepted', 'requested']) {
			const found = await caller.listAll({ request_status });
			expect(found.every((client) => client.request_status.toLowerCase() === request_status)).toBe(true);
		}
		const [{ reference_id }] = held;
		sandbox.app.environment('sandbox').clients.setStatus(reference_id, 'accepted');
		const after = await caller.listAll();
		expect(after.find((client) => client.reference_id === reference_id)?.request_status).toBe('Accepted');
	});

	it.each(valuesOf('extras'))('%s also applies to served()', async (extras) => {
		configure({ extras, statusCase: 'lower' });
		expect([...sandbox.app.environment('sandbox').served()]).toEqual(await caller.listAll());
	});
});

describe('The setting rateLimit', () => {
	const HOUR_MS = 3_600_000;
	const FORMS: Array<[Behavior['rateLimit'], (waitMs: number) => { retryAfter?: string; reset?: string }]> = [
		['seconds', (waitMs) => ({ retryAfter: String(waitMs / 1000) })],
		['date', (waitMs) => ({ retryAfter: new Date(nowMs + waitMs).toUTCString() })],
		['bare', () => ({})],
		['past', () => ({ retryAfter: new Date(nowMs - HOUR_MS).toUTCString() })],
		['reset', (waitMs) => ({ reset: String((nowMs + waitMs) / 1000) })],
	];
	const readForm = ({ headers }: { headers: Record<string, unknown> }) => ({
		retryAfter: headers['retry-after'],
		reset: headers['x-ratelimit-reset'],
	});

	afterEach(() => {
		sandbox.app.limits.requestsPerMinute = 0;
	});

	it.each(FORMS)('%s responds with 429 and its header until the time has passed', async (rateLimit, form) => {
		await caller.list();
		nowMs += 10_000;
		configure({ rateLimit });
		const statuses = [];
		for (let request = 0; request < 3; request++) statuses.push((await caller.list()).status);
		const refused = await caller.list();
		expect(statuses).toEqual([200, 200, 200]);
		expect(refused).toMatchObject({ status: 429, status_code: 429, data: null });
		expect(readForm(refused)).toEqual(form(1000));
		nowMs += 1000;
		expect(await caller.list()).toMatchObject({ status: 200 });
	});

	it.each(FORMS)(
		'%s responds with 429 until the minute is over when the limit is per minute',
		async (rateLimit, form) => {
			await caller.list();
			nowMs += 10_000;
			configure({ rateLimit });
			sandbox.app.limits.requestsPerMinute = 5;
			for (let request = 0; request < 5; request++) expect(await caller.list()).toMatchObject({ status: 200 });
			nowMs += 20_000;
			const refused = await caller.list();
			expect(refused).toMatchObject({ status: 429, status_code: 429, data: null });
			expect(readForm(refused)).toEqual(form(40_000));
			nowMs += 39_999;
			expect(await caller.list()).toMatchObject({ status: 429 });
			nowMs += 1;
			for (let request = 0; request < 5; request++) expect(await caller.list()).toMatchObject({ status: 200 });
			expect(await caller.list()).toMatchObject({ status: 429 });
			nowMs += 60_000;
		},
	);

	it('reset rounds up to whole seconds', async () => {
		await caller.list();
		nowMs += 10_000;
		configure({ rateLimit: 'reset' });
		sandbox.app.limits.requestsPerMinute = 1;
		nowMs += 1;
		await caller.list();
		const { headers } = await caller.list();
		expect(headers['x-ratelimit-reset']).toBe(String(Math.ceil((nowMs + 60_000) / 1000)));
		nowMs += 59_999;
		expect(await caller.list()).toMatchObject({ status: 429 });
		nowMs += 60_000;
	});

	it('none ignores the limit per minute', async () => {
		sandbox.app.limits.requestsPerMinute = 1;
		const replies = await Promise.all(Array.from({ length: 5 }, () => caller.list()));
		expect(replies.every(({ status }) => status === 200)).toBe(true);
	});

	it('seconds counts the requests of each environment separately when the limit is per minute', async () => {
		const other = createApp({ requestsPerMinute: 1, behavior: { rateLimit: 'seconds' }, now: () => nowMs });
		const ask = async (environment: 'sandbox' | 'production') => {
			const request = { environment, method: 'GET', path: TOKEN_PATH, query: {}, headers: {} };
			return (await other.answer(request)).status;
		};
		expect([await ask('sandbox'), await ask('sandbox'), await ask('production')]).toEqual([401, 429, 401]);
	});

	it('none refuses none of 30 requests at once', async () => {
		const replies = await Promise.all(Array.from({ length: 30 }, () => caller.list()));
		expect(replies.every(({ status }) => status === 200)).toBe(true);
	});
});

describe('The values of a setting', () => {
	it.each(SETTING_NAMES)('of %s are behaviors, then violations, each once', (setting) => {
		const { behaviors, violations } = SETTINGS[setting];
		expect(valuesOf(setting)).toEqual([...behaviors, ...violations]);
		expect(new Set(valuesOf(setting)).size).toBe(behaviors.length + violations.length);
		expect(DEFAULT_BEHAVIOR[setting]).toBe(behaviors[0]);
	});

	it.each(SETTING_NAMES)('of %s are all accepted, violations included', (setting) => {
		for (const value of valuesOf(setting)) expect(parseBehavior({ [setting]: value })).toEqual({ [setting]: value });
	});
});

describe('Settings as user input', () => {
	it('are accepted in any case', () => {
		expect(parseBehavior({ tokenMethod: 'post', beyondLast: 404 })).toEqual({
			tokenMethod: 'POST',
			beyondLast: '404',
		});
	});

	it.each([
		[{ ordre: 'shuffled' }, 'There is no setting "ordre".'],
		[{ order: 'random' }, 'order cannot be "random". Choose from: created-ascending'],
		[{ order: null }, 'order cannot be "null".'],
		[['order'], 'The body must be an object'],
		[null, 'The body must be an object'],
	])('are refused with a message that names the error: %j', (behavior, message) => {
		expect(() => parseBehavior(behavior)).toThrow(message);
	});
});
