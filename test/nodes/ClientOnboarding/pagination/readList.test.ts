import { describe, expect, it } from '@jest/globals';
import type { PageRequest, PageResult } from '../../../../nodes/ClientOnboarding/api/apiClient';
import type { Client } from '../../../../nodes/ClientOnboarding/api/record';
import { LARGEST_PAGE_SIZE } from '../../../../nodes/ClientOnboarding/pagination/pageSize';
import { openList, readList } from '../../../../nodes/ClientOnboarding/pagination/readList';
import type { Source } from '../../../../nodes/ClientOnboarding/pagination/source';

type Options = Partial<Parameters<typeof readList>[2]>;

interface Service {
	rows: Client[];
	param?: 'page_no' | 'page';
	/** The most rows of a page. */
	cap?: number;
	/** Larger pages are refused, from this page on. */
	refusedAbove?: number;
	refusedFrom?: number;
	total?: (rows: number) => number | undefined;
	/** The rows of a page past the last one. */
	pastEnd?: (page: number) => Client[];
	/** Called before each request is answered. */
	onRequest?: (count: number) => unknown;
}

/** In the order of creation, one a second. */
const client = (second: number): Client => ({
	reference_id: `ID-${second}`,
	created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
});
const clients = (count: number) => Array.from({ length: count }, (_, index) => client(index + 1));

/** A source of pages without HTTP. `requests`: page/rows of each. */
function serve(service: Service): { source: Source; requests: string[] } {
	const { rows, param = 'page_no', cap = Infinity, total = (count) => count } = service;
	const { refusedAbove = Infinity, refusedFrom = 1 } = service;
	const requests: string[] = [];
	const fetchPage = async ({ query }: PageRequest): Promise<PageResult> => {
		const [page, size] = [Number(query[param] ?? 1), Number(query.page_limit)];
		requests.push(`${page}/${size}`);
		service.onRequest?.(requests.length);
		if (size > refusedAbove && page >= refusedFrom)
			return { action: 'reducePageSize', error: new Error('too large') as never };
		const granted = Math.min(size, cap);
		const found = rows.slice((page - 1) * granted, page * granted).map((row) => ({ ...row }));
		const shown = found.length > 0 || page === 1 ? found : service.pastEnd?.(page);
		return shown
			? { action: 'page', page: { clients: shown, totalCount: total(rows.length) } }
			: { action: 'endOfList' };
	};
	const learned = { param: 'page_no', largestPage: LARGEST_PAGE_SIZE, sinceMs: 0 };
	return {
		source: { client: { fetchPage, limiter: { limit: 1 } }, learned, hasReturnedPage: false } as never,
		requests,
	};
}

const complete = (options: Options = {}) => ({
	limit: Infinity,
	consistency: 'exact' as const,
	matches: () => true,
	...options,
});
async function read(service: Service, options: Options = {}) {
	const { source, requests } = serve(service);
	const list = await readList(source, {}, complete(options));
	return { ...list, ids: list.clients.map(({ reference_id }) => reference_id), requests: requests.join(' ') };
}
const idsOf = (rows: Client[]) => rows.map(({ reference_id }) => reference_id);
const isEven = ({ reference_id }: Client) => /[02468]$/.test(String(reference_id));
const isLate = ({ created_at }: Client) => String(created_at) > '2026-01-01T00:02';

describe('A list that does not change', () => {
	it.each<[string, Omit<Service, 'rows'> & { count: number }, Options, string]>([
		['is empty', { count: 0, total: () => undefined }, {}, '1/100'],
		['fits into a page', { count: 99 }, {}, '1/100'],
		['fills the first page', { count: 100 }, {}, '1/100 1/101'],
		['has more clients', { count: 700 }, {}, '1/100 1/701'],
		['has the most clients of one page', { count: 10_000 }, {}, '1/100 1/10001'],
		['needs several pages', { count: 10_001 }, { consistency: 'fast' }, '1/100 1/10001 2/10001'],
		['is read with a page size', { count: 120 }, { pageSize: 50 }, '1/50 2/50 3/50 1/50 2/50 3/50'],
		['is read once with a page size', { count: 120 }, { pageSize: 50, consistency: 'fast' }, '1/50 2/50 3/50'],
		['is read with a page size it fits into', { count: 120 }, { pageSize: 150 }, '1/150'],
		['is limited', { count: 700 }, { limit: 5 }, '1/5'],
		['is limited to a page', { count: 700 }, { limit: 100 }, '1/100'],
		['is limited to more than a page', { count: 700 }, { limit: 300 }, '1/100 1/300'],
		['is limited to more than there are', { count: 200 }, { limit: 300 }, '1/100 1/201'],
		['is limited with a page size', { count: 500 }, { limit: 60, pageSize: 50 }, '1/50 2/50 3/50'],
		['has clients that do not match', { count: 700 }, { limit: 300, matches: isEven }, '1/100 1/701'],
		[
			'has matches on several pages',
			{ count: 300 },
			{ limit: 60, pageSize: 50, matches: isEven },
			'1/50 2/50 3/50 4/50',
		],
		['is searched', { count: 700 }, { limit: 2, matches: isLate, isSearch: true }, '1/100 1/701'],
		['is searched and has matches on page 1', { count: 700 }, { limit: 5, isSearch: true }, '1/100'],
		['has pages of 100 at most', { count: 250, cap: 100 }, { consistency: 'fast' }, '1/100 1/251 2/100 3/100'],
		['is limited and has pages of 25 at most', { count: 700, cap: 25 }, { limit: 60 }, '1/60 2/25 3/25 4/25'],
		[
			'has smaller pages than the page size',
			{ count: 120, cap: 50 },
			{ pageSize: 60, consistency: 'fast' },
			'1/60 2/50 3/50',
		],
		['has pages of 50 at most', { count: 120, cap: 50 }, { consistency: 'fast' }, '1/100 2/50 3/50'],
		[
			'is refused in larger pages',
			{ count: 150, refusedAbove: 100 },
			{ consistency: 'fast' },
			'1/100 1/151 1/100 2/100',
		],
		['is refused in pages of 100', { count: 60, refusedAbove: 50 }, { consistency: 'fast' }, '1/100 1/50 2/50'],
		[
			'is refused in later pages of 100',
			{ count: 140, refusedAbove: 50, refusedFrom: 2 },
			{ pageSize: 100, consistency: 'fast' },
			'1/100 2/100 1/50 2/50 3/50',
		],
		['has no total', { count: 700, total: () => undefined }, {}, '1/100 1/1001 2/1001 1/701 2/701'],
	])('that %s is complete after the fewest requests', async (_, { count, ...service }, options, expected) => {
		const rows = clients(count);
		const { matches = () => true, limit = Infinity } = options;
		const { ids, warning, completeness, requests } = await read({ rows, ...service }, options);
		expect({ ids, warning, completeness, requests }).toEqual({
			ids: idsOf(rows.filter(matches).slice(0, limit)),
			warning: undefined,
			completeness: 'complete',
			requests: expected,
		});
	});

	it('is read in the pages that earlier reads have shown to work', async () => {
		const { source, requests } = serve({ rows: clients(150), cap: 100 });
		for (let run = 1; run <= 2; run++) await readList(source, {}, complete({ consistency: 'fast' }));
		expect(requests.join(' ')).toBe('1/100 1/151 2/100 1/100 2/100');
	});

	it('is complete whatever name the page number has', async () => {
		const rows = clients(120);
		for (const [param, learned] of [
			['page_no', 'page'],
			['page', 'page_no'],
		] as const) {
			const { source } = serve({ rows, param });
			source.learned.param = learned;
			const list = await readList(source, {}, complete({ pageSize: 50 }));
			expect([idsOf(list.clients), source.learned.param]).toEqual([idsOf(rows), param]);
		}
	});

	it('has each client once, also if page 1 or the last page is returned past the end', async () => {
		const rows = clients(120);
		for (const page of [rows.slice(0, 50), rows.slice(-20), []]) {
			const { ids, warning } = await read({ rows, total: () => undefined, pastEnd: () => page }, { pageSize: 50 });
			expect({ ids, warning }).toEqual({ ids: idsOf(rows), warning: undefined });
		}
	});
});

describe('A list that changes while it is read', () => {
	/** 140 clients in three pages, and this after so many requests. */
	const moving = async (
		after: number,
		change: (rows: Client[]) => void,
		options: Options = {},
		rows = clients(140),
	) => {
		const onRequest = (count: number) => count === after + 1 && change(rows);
		return await read({ rows, onRequest }, { pageSize: 50, ...options });
	};
	const passes = ({ requests }: { requests: string }) => requests.split(' ').filter((page) => page === '1/50').length;

	it('has the client that moved to a page that was read already, unless the read is fast', async () => {
		const move = (rows: Client[]) => ([rows[0], rows[50]] = [rows[50], client(141)]);
		const exact = await moving(1, move);
		expect(exact.ids).toContain('ID-51');
		expect([passes(exact), exact.warning]).toEqual([3, undefined]);
		expect((await moving(1, move, { consistency: 'fast' })).ids).not.toContain('ID-51');
	});

	it('is not read again for a client that was created after all others', async () => {
		const arrived = await moving(3, (rows) => rows.push(client(141)));
		expect([passes(arrived), arrived.ids.at(-1), arrived.total]).toEqual([2, 'ID-141', 141]);
	});

	it('is read again for a client that was created before the newest one', async () => {
		for (const rows of [clients(140), clients(140).reverse()]) {
			const missed = await moving(3, () => rows.push({ ...client(0), created_at: client(140).created_at }), {}, rows);
			expect([passes(missed), missed.ids.at(-1)]).toEqual([3, 'ID-0']);
		}
	});

	it('is read again if its total changed during the second read', async () => {
		expect(passes(await moving(4, (rows) => rows.push(client(141))))).toBe(3);
	});

	it('has the latest record of a client', async () => {
		const { clients: read } = await moving(3, (rows) => (rows[0] = { ...rows[0], client_name: 'new' }));
		expect(read[0]).toEqual({ ...client(1), client_name: 'new' });
		expect(read).toHaveLength(140);
	});

	it('keeps the clients that were returned, with a warning, if it seems empty afterwards', async () => {
		const rows = clients(250);
		const onRequest = (count: number) => count === 2 && rows.splice(0);
		const { ids, warning } = await read({ rows, onRequest, total: (count) => count || undefined });
		expect(ids).toEqual(idsOf(clients(100)));
		expect(warning).toMatch(/^The service reports 250 clients but returned 100/);
	});

	it('has a warning with both numbers after four reads that found different clients', async () => {
		const rows = clients(150);
		let next = 1_000;
		const onRequest = () => void rows.splice(next % 100, 1, client(next++));
		const { warning, completeness, requests } = await read({ rows, onRequest, total: () => 200 }, { pageSize: 50 });
		expect(completeness).toBe('changing');
		expect(warning).toMatch(/^The list kept changing while it was being read: the service reports 200 clients/);
		expect(passes({ requests })).toBe(4);
	});
});

describe('A list with a wrong total', () => {
	it('that is too high has a warning after a second read', async () => {
		const rows = clients(240);
		const { ids, total, completeness, warning } = await read({ rows, cap: 100, total: () => 250 });
		expect({ ids, total, completeness }).toEqual({ ids: idsOf(rows), total: 250, completeness: 'fewerThanTotal' });
		expect(warning).toMatch(/^The service reports 250 clients but returned 240/);
	});

	it('that is too low has all clients', async () => {
		const rows = clients(240);
		const { ids, warning } = await read({ rows, total: () => 100 }, { pageSize: 50 });
		expect({ ids, warning }).toEqual({ ids: idsOf(rows), warning: undefined });
	});

	it('that has no end stops with a warning', async () => {
		const pastEnd = (page: number) => Array.from({ length: 100 }, (_, index) => client(page * 1_000 + index));
		const { ids, completeness, warning } = await read({ rows: clients(100), total: () => 10, pastEnd });
		expect(completeness).toBe('endless');
		expect(warning).toMatch(/^The service reports 10 clients but returned \d+ and kept returning more/);
		expect(ids.length).toBeLessThan(2_000);
	});
});

describe('An opened list', () => {
	it.each<[number, Options, number]>([
		[50, {}, 0],
		[250, { pageSize: 100 }, 5],
		[250, { pageSize: 100, consistency: 'fast' }, 2],
	])('of %i clients with %j shows page 1 and how many requests are left: %i', async (count, options, left) => {
		const rows = clients(count);
		const { source, requests } = serve({ rows });
		const list = await openList(source, {}, complete(options));
		expect(idsOf(list.firstClients)).toEqual(idsOf(rows.slice(0, 100)));
		expect(list.requestsLeft()).toBe(left);
		await list.read();
		expect(requests).toHaveLength(1 + left);
		expect([list.requestsLeft(), list.firstClients]).toEqual([0, []]);
	});
});
