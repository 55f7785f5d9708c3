import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '../../sandbox/data/clients.mts';
import { AXES, DEFAULT_DIALECT, parseDialect, type Dialect } from '../../sandbox/endpoints/dialect.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { createCaller, pickIds } from './caller.mts';

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
	speak(DEFAULT_DIALECT);
	caller = createCaller(sandbox.environments.sandbox);
});

afterAll(() => sandbox.close());

function speak(dialect: Partial<Dialect>) {
	sandbox.app.setDialect(dialect);
}

function stored(): Client[] {
	return [...sandbox.app.environment('sandbox').clients.all()];
}

describe('with no reading chosen', () => {
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
		['both', { GET: 200, POST: 200, PUT: 405 }],
	] as const)('%s allows what it says and answers 405 to the rest', async (tokenMethod, expected) => {
		speak({ tokenMethod });
		for (const [method, status] of Object.entries(expected)) {
			const headers = { 'api-key': sandbox.environments.sandbox.apiKey };
			const reply = await caller.exchange({ method: method as 'GET', headers });
			expect(reply).toMatchObject({ status, status_code: status });
			if (status === 405) expect(reply.data).toBeNull();
		}
	});
});

describe('expiresIn', () => {
	it.each([
		['seconds', 900],
		['milliseconds', 900_000],
		['minutes', 15],
		['epoch', NOW_MS / 1000 + 900],
		['text', '900 seconds'],
		['zero', 0],
		['negative', -1],
		['absent', undefined],
	] as const)('%s writes 900 seconds as %p', async (expiresIn, written) => {
		speak({ expiresIn });
		const { data } = await caller.exchange();
		expect(data.expires_in).toBe(written);
		expect(await caller.listWith(`Bearer ${data.access_token}`)).toMatchObject({ status: 200 });
	});
});

describe('tokenRefusal', () => {
	it.each([
		['401', 401, 401],
		['403', 403, 403],
		['envelope-401', 200, 401],
		['envelope-403', 200, 403],
	] as const)('%s answers HTTP %p with envelope %p', async (tokenRefusal, status, status_code) => {
		speak({ tokenRefusal });
		const { access_token } = (await caller.exchange()).data;
		sandbox.app.environment('sandbox').tokens.revoke(access_token);
		for (const authorization of ['Bearer unknown', `Bearer ${access_token}`, 'Basic eDp5', 'Bearer', '']) {
			expect(await caller.listWith(authorization)).toMatchObject({
				status,
				status_code,
				data: null,
			});
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
		['both', { page: 3 }, 3],
		['both', { page_no: 3 }, 3],
		['both', { page_no: 2, page: 3 }, 2],
	] as const)('%s takes %p to page %p', async (pageParameter, query, page) => {
		speak({ pageParameter });
		const { data } = await caller.list(query);
		expect(data.page_number).toBe(page);
		expect(data.results).toEqual(stored().slice((page - 1) * 10, page * 10));
	});
});

describe('overLimit', () => {
	it.each([
		['granted', 50],
		['capped', 20],
	] as const)('%s gives %p rows and says so', async (overLimit, rows) => {
		speak({ overLimit });
		const { data } = await caller.list({ page_limit: 50, page_no: 2 });
		expect(data).toMatchObject({ page_limit: rows, total_pages: Math.ceil(120 / rows) });
		expect(data.results).toEqual(stored().slice(rows, 2 * rows));
	});

	it.each(['capped', 'refused-400'] as const)('%s keeps the default page within the maximum', async (overLimit) => {
		speak({ overLimit });
		sandbox.app.limits.maxPageLimit = 5;
		expect(await caller.list()).toMatchObject({ status: 200, data: { page_limit: 5 } });
		sandbox.app.limits.maxPageLimit = 20;
	});

	it.each([
		['refused-400', 400],
		['refused-422', 422],
	] as const)('%s names page_limit', async (overLimit, status) => {
		speak({ overLimit });
		const refused = await caller.list({ page_limit: 21 });
		expect(refused).toMatchObject({ status, status_code: status, data: null });
		expect(refused.message).toMatch(/page_limit/);
		expect(await caller.list({ page_limit: 20 })).toMatchObject({ status: 200 });
	});
});

describe('order', () => {
	const readPages = async () => {
		const pages = await Promise.all([1, 2, 3].map((page_no) => caller.list({ page_no, page_limit: 40 })));
		return pages.flatMap(({ data }) => pickIds(data.results));
	};

	it('created-ascending has the oldest first', async () => {
		speak({ order: 'created-ascending' });
		expect(await readPages()).toEqual(pickIds(stored()));
	});

	it('created-descending has the newest first', async () => {
		speak({ order: 'created-descending' });
		expect(await readPages()).toEqual(pickIds(stored()).reverse());
	});

	it('arbitrary is neither, has every client once, and stays', async () => {
		speak({ order: 'arbitrary' });
		const ids = await readPages();
		expect(ids).not.toEqual(pickIds(stored()));
		expect([...ids].sort()).toEqual(pickIds(stored()).sort());
		expect(await readPages()).toEqual(ids);
	});

	it('shuffled has another order on every request, and every client once in each', async () => {
		speak({ order: 'shuffled' });
		const [first, second] = [pickIds(await caller.listAll()), pickIds(await caller.listAll())];
		expect(first).not.toEqual(second);
		expect([...first].sort()).toEqual(pickIds(stored()).sort());
		expect([...second].sort()).toEqual(pickIds(stored()).sort());
		expect(new Set(await readPages()).size).toBeLessThan(120);
	});

	it('shuffled has no client twice on a page', async () => {
		speak({ order: 'shuffled' });
		const { data } = await caller.list({ page_no: 3, page_limit: 50 });
		expect(new Set(pickIds(data.results)).size).toBe(20);
	});
});

describe('beyondLast', () => {
	it('empty gives a page without rows', async () => {
		speak({ beyondLast: 'empty' });
		const { status, data } = await caller.list({ page_no: 13 });
		expect(status).toBe(200);
		expect(data).toMatchObject({ page_number: 13, total_count: 120, results: [] });
	});

	it.each(['404', '400'] as const)('%s is refused in an envelope', async (beyondLast) => {
		speak({ beyondLast });
		const status = Number(beyondLast);
		expect(await caller.list({ page_no: 13 })).toMatchObject({
			status,
			status_code: status,
			data: null,
		});
		expect(await caller.list({ page_no: 12 })).toMatchObject({ status: 200 });
	});

	it('last-page gives the last page again, under its own number', async () => {
		speak({ beyondLast: 'last-page' });
		expect((await caller.list({ page_no: 99 })).data).toEqual((await caller.list({ page_no: 12 })).data);
	});

	it.each(AXES.beyondLast.readings)('%s: the first page of nothing is an empty page', async (beyondLast) => {
		speak({ beyondLast });
		const { status, data } = await caller.list({ group_name: 'No such group' });
		expect(status).toBe(200);
		expect(data).toMatchObject({ page_number: 1, total_count: 0, total_pages: 0, results: [] });
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
	] as const)('%s tells %p clients on %p pages', async (totals, total_count, total_pages) => {
		speak({ totals });
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

	it('emailFilter contains matches a part, in any case', async () => {
		speak({ emailFilter: 'contains' });
		const part = 'EXAMPLE.COM';
		const count = await expectList({ client_email: part }, ({ email }) => email.includes('example.com'));
		expect(count).toBeGreaterThan(0);
	});

	it('emailFilter group-name matches the name of the group', async () => {
		speak({ emailFilter: 'group-name' });
		const matches = ({ group_name }: Client) => group_name === 'Wholesale';
		expect(await expectList({ client_email: 'Wholesale' }, matches)).toBeGreaterThan(0);
		expect(await caller.listAll({ client_email: shared() })).toEqual([]);
	});

	it('emailFilter ignored lists everybody', async () => {
		speak({ emailFilter: 'ignored' });
		expect(await expectList({ client_email: shared() }, () => true)).toBe(120);
	});

	it.each([
		['exact', 'Retail', (name: string) => name === 'Retail'],
		['exact', 'retail', () => false],
		['exact', "O'Neil & Sons", (name: string) => name === "O'Neil & Sons"],
		['any-case', 'rETAIL', (name: string) => name === 'Retail'],
		['contains', 'retail', (name: string) => name.startsWith('Retail')],
	] as const)('groupFilter %s compares with %p', async (groupFilter, wanted, matches) => {
		speak({ groupFilter });
		await expectList({ group_name: wanted }, ({ group_name }) => matches(group_name));
	});

	const both = { request_status: 'completed', client_type: 'company' };
	const isCompleted = ({ request_status }: Client) => request_status === 'Completed';
	const isCompany = ({ client_type }: Client) => client_type === 'company';

	it.each([
		['all', (client: Client) => isCompleted(client) && isCompany(client)],
		['any', (client: Client) => isCompleted(client) || isCompany(client)],
		['first', isCompleted],
	] as const)('severalFilters %s', async (severalFilters, matches) => {
		speak({ severalFilters });
		const count = await expectList(both, matches);
		expect(count).toBeGreaterThan(0);
		expect(count).toBeLessThan(120);
	});

	it('severalFilters first takes client_email before anything else', async () => {
		speak({ severalFilters: 'first' });
		const email = shared();
		await expectList({ ...both, client_email: email }, (client) => client.email === email);
	});

	it('severalFilters first passes over an e-mail filter that is ignored', async () => {
		speak({ severalFilters: 'first', emailFilter: 'ignored' });
		await expectList({ ...both, client_email: shared() }, isCompleted);
	});
});

describe('statusCase', () => {
	it.each([
		['capitalised', /^[A-Z][a-z]+$/],
		['lower', /^[a-z]+$/],
	] as const)('%s', async (statusCase, pattern) => {
		speak({ statusCase });
		const clients = await caller.listAll();
		expect(clients.every(({ request_status }) => pattern.test(request_status))).toBe(true);
		const pending = await caller.listAll({ request_status: 'pending' });
		expect(pending).toEqual(clients.filter(({ request_status }) => /^pending$/i.test(request_status)));
	});
});

describe('extras', () => {
	it('fields adds unknown fields to every record, one of them nested', async () => {
		speak({ extras: 'fields' });
		const clients = await caller.listAll();
		expect(clients).toHaveLength(120);
		for (const [index, client] of clients.entries()) {
			expect(client).toMatchObject({ ...stored()[index], risk: { score: expect.any(Number) } });
		}
	});

	it('statuses puts some clients on hold, and no filter finds those', async () => {
		speak({ extras: 'statuses' });
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

	it.each(AXES.extras.readings)('%s: served() says exactly what the list says', async (extras) => {
		speak({ extras, statusCase: 'lower' });
		expect([...sandbox.app.environment('sandbox').served()]).toEqual(await caller.listAll());
	});
});

describe('rateLimit', () => {
	it.each<[Dialect['rateLimit'], () => string | undefined]>([
		['seconds', () => '1'],
		['date', () => new Date(nowMs + 1000).toUTCString()],
		['bare', () => undefined],
	])('%s answers 429 with its Retry-After, until the time has passed', async (rateLimit, retryAfter) => {
		await caller.list();
		nowMs += 10_000;
		speak({ rateLimit });
		const statuses = [];
		for (let request = 0; request < 3; request++) statuses.push((await caller.list()).status);
		const refused = await caller.list();
		expect(statuses).toEqual([200, 200, 200]);
		expect(refused).toMatchObject({ status: 429, status_code: 429, data: null });
		expect(refused.headers['retry-after']).toBe(retryAfter());
		nowMs += 1000;
		expect(await caller.list()).toMatchObject({ status: 200 });
	});

	it('none never refuses', async () => {
		const replies = await Promise.all(Array.from({ length: 30 }, () => caller.list()));
		expect(replies.every(({ status }) => status === 200)).toBe(true);
	});
});

describe('a dialect somebody typed', () => {
	it('is taken in any case', () => {
		expect(parseDialect({ tokenMethod: 'post', beyondLast: 404 })).toEqual({
			tokenMethod: 'POST',
			beyondLast: '404',
		});
	});

	it.each([
		[{ ordre: 'shuffled' }, 'There is no axis "ordre".'],
		[{ order: 'random' }, 'order cannot be "random". Choose from: created-ascending'],
		[{ order: null }, 'order cannot be "null".'],
		[['order'], 'A dialect is an object'],
		[null, 'A dialect is an object'],
	])('%j is refused by name', (dialect, message) => {
		expect(() => parseDialect(dialect)).toThrow(message);
	});
});
