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
	behave(DEFAULT_BEHAVIOR);
	caller = createCaller(sandbox.environments.sandbox);
});

afterAll(() => sandbox.close());

function behave(behavior: Partial<Behavior>) {
	sandbox.app.setBehavior(behavior);
}

function stored(): Client[] {
	return [...sandbox.app.environment('sandbox').clients.all()];
}

describe('with no setting changed', () => {
	it('wraps a page the way the specification shows', async () => {
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

describe('tokenMethod', () => {
	it.each([
		['GET', { GET: 200, POST: 405, PUT: 405 }],
		['POST', { GET: 405, POST: 200, PUT: 405 }],
	] as const)('%s allows what it says and answers 405 to the rest', async (tokenMethod, expected) => {
		behave({ tokenMethod });
		for (const [method, status] of Object.entries(expected)) {
			const headers = { 'api-key': sandbox.environments.sandbox.apiKey };
			const reply = await caller.exchange({ method: method as 'GET', headers });
			expect(reply).toMatchObject({ status, status_code: status });
			if (status === 405) expect(reply.data).toBeNull();
		}
	});
});

describe('wrongMethod', () => {
	it.each([
		['405', 405, 405],
		['404', 404, 404],
		['501', 501, 501],
		['envelope-405', 200, 405],
		['403', 403, 403],
		['400', 400, 400],
		['422', 422, 422],
	] as const)('%s answers HTTP %p with envelope %p', async (wrongMethod, status, status_code) => {
		behave({ tokenMethod: 'POST', wrongMethod });
		const headers = { 'api-key': sandbox.environments.sandbox.apiKey };
		for (const method of ['GET', 'PUT', 'DELETE'] as const) {
			const reply = await caller.exchange({ method, headers });
			expect(reply).toMatchObject({ status, status_code, data: null });
			expect(reply.headers.allow).toBe(status === 405 ? 'POST' : undefined);
		}
		expect(await caller.exchange({ method: 'POST', headers })).toMatchObject({ status: 200, status_code: 200 });
	});

	it.each([
		['redirect', { status: 302, text: '' }, { location: '/login' }],
		[
			'html',
			{ status: 200, text: expect.stringMatching(/^<!doctype html>/) },
			{ 'content-type': 'text/html; charset=utf-8' },
		],
	] as const)('%s answers like a gateway in front of the service', async (wrongMethod, reply, headers) => {
		behave({ tokenMethod: 'POST', wrongMethod });
		expect(await caller.exchange()).toMatchObject({ ...reply, headers });
		const options = { method: 'POST', headers: { 'api-key': sandbox.environments.sandbox.apiKey } } as const;
		expect(await caller.exchange(options)).toMatchObject({ status: 200, status_code: 200 });
	});

	it.each(valuesOf('wrongMethod'))('%s is about the token endpoint alone', async (wrongMethod) => {
		behave({ wrongMethod });
		const reply = await call(sandbox.environments.sandbox.url + LIST_PATH, { method: 'POST' });
		expect(reply).toMatchObject({ status: 405, status_code: 405, data: null });
	});
});

describe('expiresIn', () => {
	it.each([
		['seconds', 900],
		['milliseconds', 900_000],
		['absent', undefined],
	] as const)('%s writes 900 seconds as %p', async (expiresIn, written) => {
		behave({ expiresIn });
		const { data } = await caller.exchange();
		expect(data.expires_in).toBe(written);
		expect(await caller.listWith(`Bearer ${data.access_token}`)).toMatchObject({ status: 200 });
	});
});

describe('tokenRefusal', () => {
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
	] as const)('%s answers HTTP %p with envelope %p', async (tokenRefusal, status, status_code) => {
		behave({ tokenRefusal });
		for (const reply of await listRefused()) expect(reply).toMatchObject({ status, status_code, data: null });
	});

	it('redirect sends a request without a valid token to the login page', async () => {
		behave({ tokenRefusal: 'redirect' });
		for (const reply of await listRefused()) {
			expect(reply).toMatchObject({ status: 302, text: '', headers: { location: '/login' } });
		}
	});
});

describe('pageParameter', () => {
	it.each([
		['page_no', { page_no: 3 }, 3],
		['page_no', { page: 3 }, 1],
		['page_no', { page: 'x' }, 1],
		['page', { page: 3 }, 3],
		['page', { page_no: 3 }, 1],
		['page', { page_no: 'x' }, 1],
		['neither', { page_no: 2, page: 3 }, 1],
	] as const)('%s takes %p to page %p', async (pageParameter, query, page) => {
		behave({ pageParameter });
		const { data } = await caller.list(query);
		expect(data.page_number).toBe(page);
		expect(data.results).toEqual(stored().slice((page - 1) * 10, page * 10));
	});
});

describe('otherParameters', () => {
	it('ignored lists as if they were not there', async () => {
		behave({ otherParameters: 'ignored' });
		const { data } = await caller.list({ page: 3, colour: 'blue' });
		expect(data).toEqual((await caller.list()).data);
	});

	it.each([
		['refused-400', 400],
		['refused-422', 422],
	] as const)('%s names the first of them', async (otherParameters, status) => {
		behave({ otherParameters });
		const refused = await caller.list({ page_no: 1, colour: 'blue', taste: 'sweet' });
		expect(refused).toMatchObject({ status, status_code: status, data: null });
		expect(refused.message).toMatch(/"colour"/);
	});

	it.each([
		['page_no', { page_no: 2 }, 200],
		['page_no', { page: 2 }, 400],
		['page', { page: 2 }, 200],
		['page', { page_no: 2 }, 400],
	] as const)('refused, where the page parameter is %s, answers %j with %p', async (pageParameter, query, status) => {
		behave({ otherParameters: 'refused-400', pageParameter });
		expect(await caller.list(query)).toMatchObject({ status, status_code: status });
	});

	it('refused lets everything pass that the specification names', async () => {
		behave({ otherParameters: 'refused-422' });
		const filters = { client_email: 'x', request_status: 'pending', client_type: 'company', group_name: 'x' };
		expect(await caller.list({ page_no: 1, page_limit: 5, ...filters })).toMatchObject({ status: 200 });
	});

	it('refused looks at the token first', async () => {
		behave({ otherParameters: 'refused-400' });
		expect(await call(`${sandbox.environments.sandbox.url}${LIST_PATH}?colour=blue`)).toMatchObject({ status: 401 });
	});
});

describe('pageLimitEcho', () => {
	it.each([
		['right', 20],
		['absent', undefined],
		['asked', 7],
		['always-ten', 10],
	] as const)('%s echoes %p where 7 were asked for and 20 come', async (pageLimitEcho, page_limit) => {
		behave({ pageLimitEcho, pageSizes: 'fixed' });
		const { data } = await caller.list({ page_limit: 7 });
		expect(data.page_limit).toBe(page_limit);
		expect('page_limit' in data).toBe(pageLimitEcho !== 'absent');
		expect(data.results).toHaveLength(20);
	});
});

describe('overLimit', () => {
	it.each([
		['granted', 50],
		['capped', 20],
	] as const)('%s gives %p rows and says so', async (overLimit, rows) => {
		behave({ overLimit });
		const { data } = await caller.list({ page_limit: 50, page_no: 2 });
		expect(data).toMatchObject({ page_limit: rows, total_pages: Math.ceil(120 / rows) });
		expect(data.results).toEqual(stored().slice(rows, 2 * rows));
	});

	it('empty gives no rows, and the right total, for more than the maximum', async () => {
		behave({ overLimit: 'empty' });
		expect((await caller.list({ page_limit: 21 })).data).toMatchObject({ total_count: 120, results: [] });
		expect((await caller.list({ page_limit: 20 })).data.results).toHaveLength(20);
	});

	it('hang never responds to more than the maximum', async () => {
		behave({ overLimit: 'hang' });
		await expect(caller.list({ page_limit: 21 }, AbortSignal.timeout(300))).rejects.toThrow(/timeout/);
		expect((await caller.list({ page_limit: 20 })).data.results).toHaveLength(20);
	});

	it('hang refuses parameters and tokens as ever', async () => {
		behave({ overLimit: 'hang' });
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
		behave({ overLimit });
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
		behave({ overLimit });
		const refused = await caller.list({ page_limit: 21 });
		expect(refused).toMatchObject({ status, status_code: status, data: null });
		expect(refused.message).toMatch(/page_limit/);
		expect(await caller.list({ page_limit: 20 })).toMatchObject({ status: 200 });
	});
});

describe('pageSizes', () => {
	const grants = async (
		behavior: Partial<Behavior>,
		maxPageLimit: number,
		asked: ReadonlyArray<number | undefined>,
	) => {
		behave(behavior);
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
	] as const)('%s, up to %p, grants what it says and cuts pages by it', async (pageSizes, maximum, expected) => {
		expect(await grants({ pageSizes, overLimit: 'capped' }, maximum, ASKED)).toEqual(expected);
	});

	it('fixed looks at no page_limit, so none is over the limit or wrong', async () => {
		expect(await grants({ pageSizes: 'fixed', overLimit: 'refused-400' }, 30, [31, 1_000_000])).toEqual([25, 25]);
		behave({ pageSizes: 'fixed' });
		expect(await caller.list({ page_limit: 'many' })).toMatchObject({ status: 200 });
	});

	it.each(valuesOf('pageSizes'))('%s: the pages together are the list', async (pageSizes) => {
		behave({ pageSizes });
		const ids = [];
		for (let page_no = 1; ids.length < 120; page_no++) {
			const { data } = await caller.list({ page_no, page_limit: 13 });
			expect(data.total_pages).toBe(Math.ceil(120 / data.page_limit));
			ids.push(...pickIds(data.results));
		}
		expect(ids).toEqual(pickIds(stored()));
	});
});

describe('order', () => {
	const readPages = async (page_limit = 40) => {
		const numbers = Array.from({ length: Math.ceil(120 / page_limit) }, (_, index) => index + 1);
		const pages = await Promise.all(numbers.map((page_no) => caller.list({ page_no, page_limit })));
		return pages.flatMap(({ data }) => pickIds(data.results));
	};

	it('created-ascending has the oldest first', async () => {
		behave({ order: 'created-ascending' });
		expect(await readPages()).toEqual(pickIds(stored()));
	});

	it('created-descending has the newest first', async () => {
		behave({ order: 'created-descending' });
		expect(await readPages()).toEqual(pickIds(stored()).reverse());
	});

	it('arbitrary is neither, has every client once, and stays', async () => {
		behave({ order: 'arbitrary' });
		const ids = await readPages();
		expect(ids).not.toEqual(pickIds(stored()));
		expect([...ids].sort()).toEqual(pickIds(stored()).sort());
		expect(await readPages()).toEqual(ids);
	});

	it('shuffled has another order on every request, and every client once in each', async () => {
		behave({ order: 'shuffled' });
		const [first, second] = [pickIds(await caller.listAll()), pickIds(await caller.listAll())];
		expect(first).not.toEqual(second);
		expect([...first].sort()).toEqual(pickIds(stored()).sort());
		expect([...second].sort()).toEqual(pickIds(stored()).sort());
		expect(new Set(await readPages()).size).toBeLessThan(120);
	});

	it('shuffled has no client twice on a page', async () => {
		behave({ order: 'shuffled' });
		const { data } = await caller.list({ page_no: 3, page_limit: 50 });
		expect(new Set(pickIds(data.results)).size).toBe(20);
	});
});

describe('beyondLast', () => {
	it('empty gives a page without rows', async () => {
		behave({ beyondLast: 'empty' });
		const { status, data } = await caller.list({ page_no: 13 });
		expect(status).toBe(200);
		expect(data).toMatchObject({ page_number: 13, total_count: 120, results: [] });
	});

	it.each(['404', '400'] as const)('%s is refused in an envelope', async (beyondLast) => {
		behave({ beyondLast });
		const status = Number(beyondLast);
		expect(await caller.list({ page_no: 13 })).toMatchObject({
			status,
			status_code: status,
			data: null,
		});
		expect(await caller.list({ page_no: 12 })).toMatchObject({ status: 200 });
	});

	it('204 has no body, and no length of one', async () => {
		behave({ beyondLast: '204' });
		const { status, headers, text } = await caller.list({ page_no: 13 });
		expect({ status, text }).toEqual({ status: 204, text: '' });
		expect(headers).not.toHaveProperty('content-length');
		expect(headers).not.toHaveProperty('content-type');
		expect(await caller.list({ page_no: 12 })).toMatchObject({ status: 200 });
	});

	it('bare-404 is a web page', async () => {
		behave({ beyondLast: 'bare-404' });
		const { status, headers, text } = await caller.list({ page_no: 13 });
		expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'text/html; charset=utf-8' });
		expect(text).toMatch(/^<!doctype html>/);
	});

	it('data-null succeeds with data null', async () => {
		behave({ beyondLast: 'data-null' });
		expect(await caller.list({ page_no: 13 })).toMatchObject({ status: 200, status_code: 200, data: null });
	});

	it('results-null gives a page whose results are null', async () => {
		behave({ beyondLast: 'results-null' });
		const { status, data } = await caller.list({ page_no: 13 });
		expect(status).toBe(200);
		expect(data).toEqual({ page_number: 13, page_limit: 10, total_count: 120, total_pages: 12, results: null });
	});

	it('first-page gives the first page again, under its own number', async () => {
		behave({ beyondLast: 'first-page' });
		expect((await caller.list({ page_no: 13 })).data).toEqual((await caller.list()).data);
	});

	it('last-page gives the last page again, under its own number', async () => {
		behave({ beyondLast: 'last-page' });
		expect((await caller.list({ page_no: 99 })).data).toEqual((await caller.list({ page_no: 12 })).data);
	});

	it('more-rows goes on for ever with full pages of clients that are not in the list', async () => {
		behave({ beyondLast: 'more-rows' });
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

	it('more-rows writes made-up clients like any other, and they pass the filters', async () => {
		behave({ beyondLast: 'more-rows', statusCase: 'lower', extras: 'fields' });
		const { data } = await caller.list({ request_status: 'pending', page_no: 50, page_limit: 20 });
		expect(data.results).toHaveLength(20);
		for (const client of data.results) {
			expect(client).toMatchObject({ request_status: 'pending', risk: { score: expect.any(Number) } });
			expect(Object.keys(client)).toEqual(expect.arrayContaining(RECORD_FIELDS));
		}
		const strangers = (await caller.list({ group_name: 'No such group', page_no: 2 })).data.results;
		expect(strangers).toHaveLength(10);
	});

	it.each(valuesOf('beyondLast'))('%s: the first page of nothing is an empty page', async (beyondLast) => {
		behave({ beyondLast });
		const { status, data } = await caller.list({ group_name: 'No such group' });
		expect(status).toBe(200);
		expect(data).toMatchObject({ page_number: 1, total_count: 0, total_pages: 0, results: [] });
	});
});

describe('emptyList', () => {
	const NOBODY = { group_name: 'No such group' };
	const listNobody = (emptyList: Behavior['emptyList']) => {
		// Whatever is said about pages beyond the last is not meant here.
		behave({ emptyList, beyondLast: 'more-rows' });
		return caller.list(NOBODY);
	};

	it('page is a page without rows', async () => {
		const { status, data } = await listNobody('page');
		expect(status).toBe(200);
		expect(data).toEqual({ page_number: 1, page_limit: 10, total_count: 0, total_pages: 0, results: [] });
	});

	it('404 is refused in an envelope', async () => {
		expect(await listNobody('404')).toMatchObject({ status: 404, status_code: 404, data: null });
	});

	it('204 has no body', async () => {
		expect(await listNobody('204')).toMatchObject({ status: 204, text: '' });
	});

	it('data-null succeeds without data', async () => {
		expect(await listNobody('data-null')).toMatchObject({ status: 200, status_code: 200, data: null });
	});

	it('results-null is a page whose results are null', async () => {
		const { status, data } = await listNobody('results-null');
		expect(status).toBe(200);
		expect(data).toEqual({ page_number: 1, page_limit: 10, total_count: 0, total_pages: 0, results: null });
	});

	it.each(valuesOf('emptyList'))(
		'%s: lists with clients, and pages beyond the last, do not mind',
		async (emptyList) => {
			behave({ emptyList });
			expect((await caller.list()).data.results).toHaveLength(10);
			expect(await caller.list({ page_no: 13 })).toMatchObject({ status: 200, data: { results: [] } });
			expect(await caller.list({ ...NOBODY, page_no: 2 })).toMatchObject({ status: 200, data: { results: [] } });
		},
	);

	it('404 answers a list that has no client at all', async () => {
		const empty = await startSandbox({ clients: 0, behavior: { emptyList: '404' } });
		const other = createCaller(empty.environments.sandbox);
		expect(await other.list()).toMatchObject({ status: 404, status_code: 404, data: null });
		empty.app.environment('sandbox').clients.add();
		expect(await other.list()).toMatchObject({ status: 200, data: { total_count: 1 } });
		await empty.close();
	});
});

describe('hiddenRows', () => {
	const served = () => [...sandbox.app.environment('sandbox').served()];
	const readPages = async (page_limit: number, query: Record<string, string> = {}) => {
		const pages = [];
		for (let page_no = 1; page_no <= Math.ceil(120 / page_limit); page_no++) {
			pages.push((await caller.list({ ...query, page_no, page_limit })).data);
		}
		return pages;
	};

	it('none shows everybody', async () => {
		behave({ hiddenRows: 'none' });
		expect(served()).toEqual(stored());
		expect(await caller.listAll()).toEqual(stored());
	});

	it('after-paging leaves about a third out of each page, and out of the totals', async () => {
		behave({ hiddenRows: 'after-paging' });
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

	it('after-paging may leave nothing of a page in the middle', async () => {
		behave({ hiddenRows: 'after-paging' });
		const sizes = (await readPages(1)).map(({ results }) => results.length);
		expect(sizes.indexOf(0)).toBeLessThan(sizes.lastIndexOf(1));
		expect(sizes.filter((size) => size === 1)).toHaveLength(served().length);
	});

	it.each(valuesOf('order'))('after-paging hides the same clients in order %s', async (order) => {
		behave({ hiddenRows: 'after-paging', order });
		expect(pickIds(await caller.listAll()).sort()).toEqual(pickIds(served()).sort());
	});

	it('after-paging counts what a filter finds and shows', async () => {
		behave({ hiddenRows: 'after-paging' });
		const { results, total_count } = (await caller.list({ request_status: 'completed', page_limit: 120 })).data;
		expect(results).toEqual(served().filter(({ request_status }) => request_status === 'Completed'));
		expect(total_count).toBe(results.length);
	});

	it('after-paging neither shows nor hides a client whose status changes', () => {
		const { clients, served: show } = createApp({ behavior: { hiddenRows: 'after-paging' } }).environment('sandbox');
		const before = pickIds([...show()]);
		for (const id of clients.ids()) clients.setStatus(id, 'declined');
		expect(pickIds([...show()])).toEqual(before);
	});

	it('after-paging, where a filter finds hidden clients alone, is an empty list', async () => {
		behave({ hiddenRows: 'after-paging', emptyList: '404' });
		const shown = new Set(served().map(({ email }) => email));
		const { email } = stored().find((client) => !shown.has(client.email))!;
		expect(await caller.list({ client_email: email })).toMatchObject({ status: 404, data: null });
	});
});

describe('totals', () => {
	it.each([
		['numbers', 120, 12],
		['strings', '120', '12'],
		['zero', 0, 0],
		['absent', undefined, undefined],
		['too-high', 157, 16],
		['too-low', 60, 6],
		['of-page', 10, 1],
	] as const)('%s tells %p clients on %p pages', async (totals, total_count, total_pages) => {
		behave({ totals });
		const { data } = await caller.list();
		expect(data.total_count).toBe(total_count);
		expect(data.total_pages).toBe(total_pages);
		expect('total_count' in data).toBe(totals !== 'absent');
		expect((await caller.list({ page_no: 12 })).data.results).toHaveLength(10);
	});
});

describe('filters', () => {
	const expectList = async (query: Record<string, string>, matches: (client: Client) => boolean) => {
		const expected = stored().filter(matches);
		expect(await caller.listAll(query)).toEqual(expected);
		return expected.length;
	};
	const shared = () => {
		const emails = stored().map(({ email }) => email);
		return emails.find((email, index) => emails.indexOf(email) !== index)!;
	};

	it('emailFilter exact matches the whole address, in its own case', async () => {
		const email = shared();
		expect(await expectList({ client_email: email }, (client) => client.email === email)).toBeGreaterThan(1);
		expect(await caller.listAll({ client_email: email.toUpperCase() })).toEqual([]);
	});

	it('emailFilter any-case matches the whole address, in any case', async () => {
		behave({ emailFilter: 'any-case' });
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
	] as const)('emailFilter %s finds, by %j, of those who were added: %j', async (emailFilter, query, found) => {
		behave({ emailFilter });
		const { clients } = sandbox.app.environment('sandbox');
		clients.add({ reference_id: 'GIVEN', email: 'Ada@Example.com' });
		expect(pickIds(await caller.listAll(query))).toEqual(found);
		clients.remove('GIVEN');
	});

	it('emailFilter contains matches a part, in any case', async () => {
		behave({ emailFilter: 'contains' });
		const part = 'EXAMPLE.COM';
		const count = await expectList({ client_email: part }, ({ email }) => email.includes('example.com'));
		expect(count).toBeGreaterThan(0);
	});

	it('emailFilter group-name matches the name of the group', async () => {
		behave({ emailFilter: 'group-name' });
		const matches = ({ group_name }: Client) => group_name === 'Wholesale';
		expect(await expectList({ client_email: 'Wholesale' }, matches)).toBeGreaterThan(0);
		expect(await caller.listAll({ client_email: shared() })).toEqual([]);
	});

	it('emailFilter ignored lists everybody', async () => {
		behave({ emailFilter: 'ignored' });
		expect(await expectList({ client_email: shared() }, () => true)).toBe(120);
	});

	it.each([
		['exact', 'Retail', (name: string) => name === 'Retail'],
		['exact', 'retail', () => false],
		['exact', "O'Neil & Sons", (name: string) => name === "O'Neil & Sons"],
		['any-case', 'rETAIL', (name: string) => name === 'Retail'],
		['contains', 'retail', (name: string) => name.startsWith('Retail')],
	] as const)('groupFilter %s compares with %p', async (groupFilter, wanted, matches) => {
		behave({ groupFilter });
		await expectList({ group_name: wanted }, ({ group_name }) => matches(group_name));
	});

	it('groupFilter ignored lists all clients', async () => {
		behave({ groupFilter: 'ignored' });
		expect(await expectList({ group_name: 'Wholesale' }, () => true)).toBe(120);
	});

	it('groupFilter ignored also ignores a client_email that is compared with the group name', async () => {
		behave({ groupFilter: 'ignored', emailFilter: 'group-name' });
		expect(await expectList({ client_email: 'Wholesale' }, () => true)).toBe(120);
	});

	it('groupFilter ignored leaves client_email alone', async () => {
		behave({ groupFilter: 'ignored', severalFilters: 'any' });
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
	] as const)('severalFilters %s', async (severalFilters, matches) => {
		behave({ severalFilters });
		const count = await expectList(both, matches);
		expect(count).toBeGreaterThan(0);
		expect(count).toBeLessThan(120);
	});

	it('severalFilters first takes client_email before anything else', async () => {
		behave({ severalFilters: 'first' });
		const email = shared();
		await expectList({ ...both, client_email: email }, (client) => client.email === email);
	});

	it('severalFilters first passes over an e-mail filter that is ignored', async () => {
		behave({ severalFilters: 'first', emailFilter: 'ignored' });
		await expectList({ ...both, client_email: shared() }, isCompleted);
	});
});

describe('statusCase', () => {
	it.each([
		['capitalized', /^[A-Z][a-z]+$/],
		['lower', /^[a-z]+$/],
		['mixed', /^[A-Z]?[a-z]+$/],
	] as const)('%s', async (statusCase, pattern) => {
		behave({ statusCase });
		const clients = await caller.listAll();
		expect(clients.every(({ request_status }) => pattern.test(request_status))).toBe(true);
		const pending = await caller.listAll({ request_status: 'pending' });
		expect(pending).toEqual(clients.filter(({ request_status }) => /^pending$/i.test(request_status)));
	});
});

describe('request_status and client_type', () => {
	it('are refused in any spelling but the documented one', async () => {
		const { status, message } = await caller.list({ request_status: 'Pending' });
		expect({ status, message }).toEqual({
			status: 400,
			message: expect.stringContaining('request_status must be one'),
		});
	});
});

describe('extras', () => {
	it('fields adds unknown fields to every record, one of them nested', async () => {
		behave({ extras: 'fields' });
		const clients = await caller.listAll();
		expect(clients).toHaveLength(120);
		for (const [index, client] of clients.entries()) {
			expect(client).toMatchObject({ ...stored()[index], risk: { score: expect.any(Number) } });
		}
	});

	it('statuses puts some clients on hold, and no filter finds those', async () => {
		behave({ extras: 'statuses' });
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

	it.each(valuesOf('extras'))('%s: served() says exactly what the list says', async (extras) => {
		behave({ extras, statusCase: 'lower' });
		expect([...sandbox.app.environment('sandbox').served()]).toEqual(await caller.listAll());
	});
});

describe('rateLimit', () => {
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

	it.each(FORMS)('%s answers 429 with its header, until the time has passed', async (rateLimit, form) => {
		await caller.list();
		nowMs += 10_000;
		behave({ rateLimit });
		const statuses = [];
		for (let request = 0; request < 3; request++) statuses.push((await caller.list()).status);
		const refused = await caller.list();
		expect(statuses).toEqual([200, 200, 200]);
		expect(refused).toMatchObject({ status: 429, status_code: 429, data: null });
		expect(readForm(refused)).toEqual(form(1000));
		nowMs += 1000;
		expect(await caller.list()).toMatchObject({ status: 200 });
	});

	it.each(FORMS)('%s answers 429 until the minute is over when the limit is by the minute', async (rateLimit, form) => {
		await caller.list();
		nowMs += 10_000;
		behave({ rateLimit });
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
	});

	it('reset rounds up to whole seconds', async () => {
		await caller.list();
		nowMs += 10_000;
		behave({ rateLimit: 'reset' });
		sandbox.app.limits.requestsPerMinute = 1;
		nowMs += 1;
		await caller.list();
		const { headers } = await caller.list();
		expect(headers['x-ratelimit-reset']).toBe(String(Math.ceil((nowMs + 60_000) / 1000)));
		nowMs += 59_999;
		expect(await caller.list()).toMatchObject({ status: 429 });
		nowMs += 60_000;
	});

	it('none ignores the limit by the minute', async () => {
		sandbox.app.limits.requestsPerMinute = 1;
		const replies = await Promise.all(Array.from({ length: 5 }, () => caller.list()));
		expect(replies.every(({ status }) => status === 200)).toBe(true);
	});

	it('counts the requests of each environment apart when the limit is by the minute', async () => {
		const other = createApp({ requestsPerMinute: 1, behavior: { rateLimit: 'seconds' }, now: () => nowMs });
		const ask = async (environment: 'sandbox' | 'production') => {
			const request = { environment, method: 'GET', path: TOKEN_PATH, query: {}, headers: {} };
			return (await other.answer(request)).status;
		};
		expect([await ask('sandbox'), await ask('sandbox'), await ask('production')]).toEqual([401, 429, 401]);
	});

	it('none never refuses', async () => {
		const replies = await Promise.all(Array.from({ length: 30 }, () => caller.list()));
		expect(replies.every(({ status }) => status === 200)).toBe(true);
	});
});

describe('the values of a setting', () => {
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

describe('a behavior somebody typed', () => {
	it('is taken in any case', () => {
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
	])('%j is refused by name', (behavior, message) => {
		expect(() => parseBehavior(behavior)).toThrow(message);
	});
});
