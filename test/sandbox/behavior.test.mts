import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createApp } from '../../sandbox/app.mts';
import type { Client } from '../../sandbox/data/clients.mts';
import { SETTING_NAMES, valuesOf, type Behavior, type SettingName } from '../../sandbox/endpoints/behavior.mts';
import { FAULT_KINDS, type FaultKind } from '../../sandbox/faults/faults.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { createCaller, type Reply } from './ask.mts';

/** A request, or what happens between two requests. */
type Step = string | (() => unknown);
/** One response for all requests, one for each, or a function that compares them. */
type Expected = object | readonly object[] | ((replies: Reply[]) => void);
/** By default, the first page of the list is requested. */
type Row = [does: string, expected: Expected, steps?: Step | readonly Step[], options?: SandboxOptions];

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
/** How long a request waits where no response is expected. */
const PATIENCE_MS = 300;

let sandbox: Sandbox;
let nowMs = START_MS;

afterEach(() => sandbox?.close());

const OPTIONS: SandboxOptions = {
	clients: 60,
	// With it, one email address is shared and one has a capital.
	seed: 2,
	maxPageLimit: 30,
	requestsPerSecond: 2,
	control: false,
	now: () => nowMs,
};
const ALL = [...createApp(OPTIONS).environment('sandbox').clients.all()];
const IDS = ALL.map(({ reference_id }) => reference_id);
const ADA: Client = { ...ALL[0], reference_id: 'A-1', client_name: 'Ada' };

const ours = () => sandbox.app.environment('sandbox');
const later = (ms: number) => () => (nowMs += ms);

function matching(accepts: (client: Client) => boolean): Client[] {
	const clients = ALL.filter(accepts);
	if (clients.length === 0 || clients.length === ALL.length) throw new Error(`${accepts} distinguishes no clients.`);
	return clients;
}

const SHARED = ALL.find(({ email }, index) => ALL.findIndex((client) => client.email === email) < index)!.email;
const CAPITAL = ALL.find(({ email }) => /^[A-Z]/.test(email))!.email;
const isCompleted = ({ request_status }: Client) => request_status === 'Completed';
const isCompany = ({ client_type }: Client) => client_type === 'company';
const ofShared = matching(({ email }) => email === SHARED);
const ofCapital = matching(({ email }) => email === CAPITAL);
const ofRetail = matching(({ group_name }) => group_name === 'Retail');
const completed = matching(isCompleted);

const envelope = (data: unknown, status_code = 200, message: unknown = expect.any(String)) => ({
	status: 200,
	status_code,
	message,
	data,
});
const pageOf = (results: unknown, differences: object = {}) =>
	envelope({ page_number: 1, page_limit: 10, total_count: 60, total_pages: 6, results, ...differences });
const page = (number: number, size = 10, differences: object = {}) => {
	const results = ALL.slice((number - 1) * size, number * size);
	return pageOf(results, {
		page_number: number,
		page_limit: size,
		total_pages: Math.ceil(60 / size),
		...differences,
	});
};
const noClients = { total_count: 0, total_pages: 0 };
const refused = (status: number, message = '', headers: object = {}) => ({
	...envelope(null, status, expect.stringContaining(message)),
	status,
	...headers,
});
const notAllowed = (allow: string) => refused(405, 'is not allowed', { allow });
const webPage = (status = 200) => ({
	status,
	'content-type': 'text/html; charset=utf-8',
	text: expect.stringMatching(/^<!doctype html>/),
});
const redirected = (location = '/login') => ({ status: 302, location, text: '' });
const withoutBody = (status = 204) => ({ status, text: '' });
const noResponse = { error: 'TimeoutError', text: '' };
const lostConnection = { error: 'ECONNRESET', text: '' };
const issued = (expires_in?: number) => envelope({ access_token: expect.stringMatching(/^[\w-]{43}$/), expires_in });
const limited = (headers: object) => [page(1), page(1), refused(429, '', headers), page(1)];
const dateIn = (ms: number) => new Date(START_MS + ms).toUTCString();

/** A request for the clients that match, on one page. */
const list = (query: Record<string, string> = {}) =>
	`GET list?${new URLSearchParams({ ...query, page_limit: String(ALL.length) })}`;
/** The responses to such requests. */
const found = (...lists: Client[][]) =>
	lists.map((results) =>
		pageOf(results, { page_limit: 60, total_count: results.length, total_pages: Math.min(results.length, 1) }),
	);
const byEmail = (...texts: string[]) => texts.map((client_email) => list({ client_email }));
const byGroup = (...texts: string[]) => texts.map((group_name) => list({ group_name }));

const SHOWN_HEADERS = ['allow', 'content-type', 'location', 'retry-after', 'x-ratelimit-reset'];

/** What the table compares: the envelope, or the text if it is no JSON, and the headers that matter. */
function show({ status, headers, text, json, error }: Reply): object {
	const names = SHOWN_HEADERS.filter((name) => !(json && name === 'content-type'));
	return { status, ...Object.fromEntries(names.map((name) => [name, headers[name]])), ...(json ?? { text }), error };
}

const idsOf = ({ json }: Reply): string[] => json.data.results.map((client: Client) => client.reference_id);
const sorted = (ids: string[]) => [...ids].sort();

function expectOtherOrder([whole, again, half]: Reply[]) {
	expect(sorted(idsOf(whole))).toEqual(sorted(IDS));
	expect(idsOf(whole)).not.toEqual(IDS);
	expect(idsOf(again)).toEqual(idsOf(whole));
	expect(idsOf(half)).toEqual(idsOf(whole).slice(30));
}

function expectChangingOrder([whole, again, half]: Reply[]) {
	expect(sorted(idsOf(whole))).toEqual(sorted(IDS));
	expect(sorted(idsOf(again))).toEqual(sorted(IDS));
	expect(idsOf(again)).not.toEqual(idsOf(whole));
	expect(new Set(idsOf(half)).size).toBe(30);
}

function expectInvented([first, second, filtered]: Reply[]) {
	expect(show(first)).toEqual(page(7, 10, { results: expect.any(Array) }));
	expect(Object.keys(first.json.data.results[0])).toEqual(Object.keys(ADA));
	expect(new Set([...IDS, ...idsOf(first), ...idsOf(second)]).size).toBe(80);
	expect(filtered.json.data.results).toHaveLength(60);
	expect(filtered.json.data.results.every(isCompleted)).toBe(true);
}

function expectHidden(replies: Reply[]) {
	const shown = replies.flatMap(idsOf);
	const totals = { total_count: shown.length, total_pages: Math.ceil(shown.length / 10) };
	expect(shown.length).toBeGreaterThan(30);
	expect(shown.length).toBeLessThan(50);
	const cut = (index: number) => ALL.slice(index * 10, index * 10 + 10);
	expect(replies.map(show)).toEqual(
		replies.map((_, index) => {
			const results = cut(index).filter((client) => shown.includes(client.reference_id));
			return pageOf(results, { page_number: index + 1, ...totals });
		}),
	);
}

function expectUnknownStatus([before, ...after]: Reply[]) {
	const unknown = before.json.data.results.filter((client: Client) => client.request_status === 'On Hold');
	expect(unknown.length).toBeGreaterThan(0);
	expect(unknown.length).toBeLessThan(30);
	expect(after.pop()!.text).not.toContain('On Hold');
	expect(sorted([...unknown.map((client: Client) => client.reference_id), ...after.flatMap(idsOf)])).toEqual(
		sorted(IDS),
	);
}

const expectHalf =
	(error?: string) =>
	([whole, { text, ...reply }]: Reply[]) => {
		expect(text).toBe(whole.text.slice(0, whole.text.length / 2));
		expect(reply).toMatchObject({ status: 200, error });
	};
const expectDelay =
	(ms: number, expected: object) =>
	([reply]: Reply[]) => {
		expect(reply.ms).toBeGreaterThanOrEqual(ms);
		expect(show(reply)).toEqual(expected);
	};

const tokenRequests = ['GET token', 'POST token', 'PUT token'];
const wrongMethod = (expected: object): Row => [
	'refuses token requests with the wrong method, and no others',
	[expected, issued(900), notAllowed('GET')],
	['POST token', 'GET token', 'POST list'],
];
const badToken = (expected: object): Row => [
	'refuses missing, unknown and expired tokens',
	expected,
	['GET list with no-key', 'GET list with wrong-key', 'GET list with basic', later(900_000), 'GET list'],
];
const overLimit = (expected: object): Row => [
	'accepts the maximum, but not more',
	[page(1, 30), expected],
	['GET list?page_limit=30', 'GET list?page_limit=31'],
];
const echo = (page_limit?: number): Row => [
	`reports a page_limit of ${page_limit} where 7 clients were requested and 25 returned`,
	page(1, 25, { page_limit }),
	'GET list?page_limit=7',
	{ behavior: { pageSizes: 'fixed' } },
];
const beyondLast = (expected: object): Row => [
	'responds differently after the last page, but not to an empty list',
	[page(6), expected, pageOf([], noClients)],
	['GET list?page_no=6', 'GET list?page_no=7', 'GET list?group_name=Nobody'],
];
const emptyList = (expected: object): Row => [
	'responds differently to an empty list, but not after the last page',
	[page(1), expected, page(7)],
	['GET list', 'GET list?group_name=Nobody', 'GET list?page_no=7'],
];
const totals = (total_count?: unknown, total_pages?: unknown): Row => [
	`reports ${total_count} clients on ${total_pages} pages`,
	[page(1, 10, { total_count, total_pages }), page(6, 10, { total_count, total_pages })],
	['GET list', 'GET list?page_no=6'],
];
const touched = (row: number) => ({ ...ALL[row], client_status: 'touched' });
const touch = (row: number) => () => ours().clients.update(IDS[row], { client_status: 'touched' });
const statuses = ['pending', 'declined', 'completed', 'accepted', 'requested'].map((request_status) =>
	list({ request_status }),
);
const both = list({ client_type: 'company', request_status: 'completed' });
const statusesAs = (write: (status: string, row: number) => string) =>
	found(ALL.map((client, row) => ({ ...client, request_status: write(client.request_status, row) })));
const rate = ['GET list', 'GET list', 'GET list', later(1000), 'GET list'];
const limitPerMinute = () => (sandbox.app.limits.requestsPerMinute = 2);
const minute = [limitPerMinute, 'GET list', later(20_000), 'GET list', 'GET list', later(40_000), 'GET list'];

const SETTINGS: { [Name in SettingName]: Record<Behavior[Name], Row> } = {
	tokenMethod: {
		GET: ['issues tokens by GET', [issued(900), notAllowed('GET'), notAllowed('GET')], tokenRequests],
		POST: ['issues tokens by POST', [notAllowed('POST'), issued(900), notAllowed('POST')], tokenRequests],
	},
	wrongMethod: {
		405: wrongMethod(notAllowed('GET')),
		404: wrongMethod(refused(404)),
		501: wrongMethod(refused(501)),
		403: wrongMethod(refused(403)),
		400: wrongMethod(refused(400)),
		422: wrongMethod(refused(422)),
		'envelope-405': wrongMethod(envelope(null, 405)),
		redirect: wrongMethod(redirected()),
		html: wrongMethod(webPage()),
	},
	expiresIn: {
		seconds: ['gives the lifetime of a token in seconds', issued(900), 'GET token'],
		milliseconds: ['gives the lifetime of a token in milliseconds', issued(900_000), 'GET token'],
		absent: ['does not give the lifetime of a token', issued(), 'GET token'],
	},
	tokenRefusal: {
		401: badToken(refused(401)),
		403: badToken(refused(403)),
		419: badToken(refused(419)),
		498: badToken(refused(498)),
		400: badToken(refused(400)),
		404: badToken(refused(404)),
		422: badToken(refused(422)),
		500: badToken(refused(500)),
		redirect: badToken(redirected()),
		'envelope-401': badToken(envelope(null, 401)),
		'envelope-400': badToken(envelope(null, 400)),
		'envelope-500': badToken(envelope(null, 500)),
	},
	pageParameter: {
		page_no: ['ignores page', [page(3), page(1)], ['GET list?page_no=3&page=2', 'GET list?page=x']],
		page: ['ignores page_no', [page(3), page(1)], ['GET list?page=3&page_no=2', 'GET list?page_no=x']],
		neither: ['always returns the first page', page(1), 'GET list?page_no=2&page=3'],
	},
	otherParameters: {
		ignored: ['ignores unknown parameters', page(1), 'GET list?page=3&colour=blue'],
		'refused-400': [
			'refuses unknown parameters by name, after it has checked the token',
			[refused(400, '"colour"'), refused(400, '"page"'), refused(401)],
			['GET list?page_no=1&colour=blue', 'GET list?page=2', 'GET list?page=2 with no-key'],
		],
		'refused-422': [
			'refuses the page parameter that does not count, and accepts all others',
			[refused(422, '"page_no"'), pageOf([], noClients)],
			['page_no=2', 'page=1&client_email=x&request_status=pending&client_type=company&group_name=x&page_limit=10'].map(
				(query) => `GET list?${query}`,
			),
			{ behavior: { pageParameter: 'page' } },
		],
	},
	overLimit: {
		granted: overLimit(page(1, 31)),
		capped: overLimit(page(1, 30)),
		'refused-400': overLimit(refused(400, 'page_limit')),
		'refused-413': overLimit(refused(413, 'page_limit')),
		'refused-422': overLimit(refused(422, 'page_limit')),
		'refused-500': overLimit(refused(500, 'page_limit')),
		hang: overLimit(noResponse),
		empty: overLimit(page(1, 31, { results: [] })),
	},
	pageSizes: {
		any: ['returns as many clients as requested', page(2, 13), 'GET list?page_limit=13&page_no=2'],
		fixed: ['returns 25', page(1, 25), ['', 'page_limit=7', 'page_limit=many'].map((query) => `GET list?${query}`)],
	},
	pageLimitEcho: { right: echo(25), absent: echo(), asked: echo(7), 'always-ten': echo(10) },
	order: {
		'created-ascending': ['lists the oldest client first', found(ALL), list()],
		'created-descending': ['lists the newest client first', found([...ALL].reverse()), list()],
		arbitrary: ['keeps another order', expectOtherOrder, [list(), list(), 'GET list?page_limit=30&page_no=2']],
		'last-changed': [
			'lists the client that was changed last first, then the newest',
			pageOf([touched(30), touched(7), ALL[59], ALL[58]], { page_limit: 4, total_pages: 15 }),
			[touch(7), touch(30), 'GET list?page_limit=4'],
		],
		'by-status': [
			'groups clients by status, the oldest first',
			found([...ALL].sort((a, b) => a.request_status.localeCompare(b.request_status))),
			list(),
		],
		shuffled: ['changes the order', expectChangingOrder, [list(), list(), 'GET list?page_limit=30&page_no=2']],
	},
	beyondLast: {
		empty: beyondLast(page(7)),
		404: beyondLast(refused(404)),
		400: beyondLast(refused(400)),
		204: beyondLast(withoutBody()),
		'bare-404': beyondLast(webPage(404)),
		'data-null': beyondLast(envelope(null)),
		'results-null': beyondLast(page(7, 10, { results: null })),
		'last-page': beyondLast(page(6)),
		'first-page': beyondLast(page(1)),
		'more-rows': [
			'invents clients that match the filters, without end',
			expectInvented,
			['GET list?page_no=7', 'GET list?page_no=1000000', list({ request_status: 'completed', page_no: '3' })],
		],
	},
	emptyList: {
		page: emptyList(pageOf([], noClients)),
		404: emptyList(refused(404)),
		204: emptyList(withoutBody()),
		'results-null': emptyList(pageOf(null, noClients)),
		'data-null': emptyList(envelope(null)),
	},
	hiddenRows: {
		none: ['lists every client', found(ALL), list()],
		'after-paging': [
			'leaves a third of the clients out of pages and totals',
			expectHidden,
			[1, 2, 3, 4, 5, 6].map((number) => `GET list?page_no=${number}`),
		],
	},
	totals: {
		numbers: totals(60, 6),
		strings: totals('60', '6'),
		zero: totals(0, 0),
		absent: totals(),
		'too-high': totals(97, 10),
		'too-low': totals(30, 3),
		'of-page': totals(10, 1),
	},
	emailFilter: {
		exact: ['compares whole addresses', found(ofShared, []), byEmail(SHARED, SHARED.toUpperCase())],
		'any-case': [
			'compares whole addresses without case',
			found(ofShared, ofCapital, []),
			byEmail(SHARED.toUpperCase(), CAPITAL.toLowerCase(), SHARED.slice(1)),
		],
		contains: ['finds parts of addresses', found(ofShared, ofShared), byEmail(SHARED.slice(1), SHARED.toUpperCase())],
		'group-name': ['compares client_email with the group', found(ofRetail, []), byEmail('Retail', SHARED)],
		ignored: ['ignores client_email', found(ALL), byEmail(SHARED)],
	},
	groupFilter: {
		exact: ['compares whole names', found(ofRetail, [], []), byGroup('Retail', 'retail', 'Ret')],
		'any-case': ['compares whole names without case', found(ofRetail, []), byGroup('rETAIL', 'ret')],
		contains: [
			'finds parts of names',
			found(matching(({ group_name }) => group_name.startsWith('Retail'))),
			byGroup('rETAIL'),
		],
		ignored: ['ignores group_name', found(ALL), byGroup('Retail')],
	},
	severalFilters: {
		all: ['lists clients that match both filters', found(completed.filter(isCompany)), both],
		any: [
			'lists clients that match one of the filters',
			found(matching((client) => isCompleted(client) || isCompany(client))),
			both,
		],
		first: [
			'heeds only the first filter, and client_email before all others',
			found(completed, ofShared),
			[both, list({ request_status: 'completed', client_email: SHARED })],
		],
	},
	statusCase: {
		capitalized: ['capitalizes statuses', found(completed), list({ request_status: 'completed' })],
		lower: ['writes statuses in lower case', statusesAs((status) => status.toLowerCase()), list()],
		mixed: [
			'writes every other status in lower case',
			statusesAs((status, row) => (row % 2 === 0 ? status.toLowerCase() : status)),
			list(),
		],
	},
	extras: {
		none: ['returns the fields of the specification', page(1)],
		fields: [
			'returns unknown fields',
			pageOf(
				ALL.slice(0, 10).map((client, row) => ({
					...client,
					risk: { score: row, flags: [] },
					tags: ['vip', null],
					phone: null,
				})),
			),
		],
		statuses: [
			'gives some clients that never changed a status that no filter finds',
			expectUnknownStatus,
			[list(), ...statuses, () => IDS.forEach((id) => ours().clients.setStatus(id, 'accepted')), list()],
		],
	},
	rateLimit: {
		none: ['refuses none of five requests', page(1), [limitPerMinute, ...Array<string>(5).fill('GET list')]],
		seconds: ['responds with 429 and the seconds to wait', limited({ 'retry-after': '1' }), rate],
		date: ['responds with 429 and the time of the next request', limited({ 'retry-after': dateIn(1000) }), rate],
		bare: ['responds with 429 alone', limited({}), rate],
		past: ['responds with 429 and a time that has passed', limited({ 'retry-after': dateIn(-HOUR_MS) }), rate],
		reset: [
			'responds with 429 and X-RateLimit-Reset',
			limited({ 'x-ratelimit-reset': String(START_MS / 1000 + 60) }),
			minute,
		],
	},
};

const once = 'GET list';
const twice = ['GET list', 'GET list'];
const four = [...twice, ...twice];
const oneClient = ['GET list?page_limit=1', 'GET list?page_limit=1'];
const tokens = ['GET token', 'GET list'];

/** After the parameters of the first fault. The list is requested with each. */
const FAULTS: Record<FaultKind, [parameters: string, ...Row]> = {
	latency: ['ms=60', 'delays the response', expectDelay(59, page(1))],
	status: ['code=502', 'responds with this status', refused(502)],
	'rate-limit-seconds': ['seconds=7', 'responds with 429 and seconds', refused(429, '', { 'retry-after': '7' })],
	'rate-limit-date': ['seconds=7', 'responds with 429 and a date', refused(429, '', { 'retry-after': dateIn(7000) })],
	'rate-limit-bare': ['', 'responds with 429 alone', refused(429)],
	'reset-before': ['', 'loses the connection', lostConnection],
	'reset-during': ['skip=1', 'loses the connection after half of the body', expectHalf('UND_ERR_SOCKET'), oneClient],
	truncated: ['skip=1', 'responds with half of the body', expectHalf(), oneClient],
	html: ['code=403', 'responds with a web page', webPage(403)],
	empty: ['code=204', 'responds without a body', withoutBody()],
	'no-rows': [
		'',
		'empties pages, but still refuses',
		[pageOf([], noClients), refused(401)],
		[once, `${once} with no-key`],
	],
	'wrong-envelope': ['code=201', 'responds with other JSON', { status: 201, ok: true, items: [] }],
	redirect: ['location=http://a/b?c=d', 'redirects', redirected('http://a/b?c=d')],
	hang: ['', 'does not respond', noResponse],
	dribble: ['ms=1', 'responds byte by byte', expectDelay(400, page(1, 1)), 'GET list?page_limit=1'],
};

const wrongNumbers = ['0', '-1', '1.5', 'two', '', '1e2', '0x10', '01', '99999999999999999999'];
const wrongPaths = ['/', '/api/v1/', '/api/v2/clients-list/', '/api/v1/clients-list//', '/%', '//'];
const revoke = () => ours().tokens.revokeAll();
const issue = () => ours().tokens.issue();
const withoutTotals = { total_count: undefined, total_pages: undefined };
const settings = (behavior: Partial<Behavior>): SandboxOptions => ({ behavior });
async function removeFirst() {
	await sleep(10);
	ours().clients.remove(IDS[0]);
}

/** Statuses are enough to tell which requests a fault affects. */
const SCHEDULES: Array<[faults: string[], requests: string[], statuses: number[]]> = [
	[['status'], tokens, [200, 503]],
	[['status:endpoint=token'], tokens, [503, 200]],
	[['status:endpoint=any'], [...tokens, 'GET /'], [503, 503, 503]],
	[['status:skip=1,times=2'], four, [200, 503, 503, 200]],
	[['status:skip=1,every=2,times=1'], four, [200, 200, 503, 200]],
	[['status:page=6'], ['GET list', 'GET list?page_no=6'], [200, 503]],
	[['status:times=1', 'status:code=500'], twice, [503, 500]],
	[['status:times=1', 'status:code=500,skip=1'], twice, [503, 500]],
];

const OTHERS: Row[] = [
	['returns small pages by default if the maximum is small', page(1, 5), once, { maxPageLimit: 5 }],
	[
		'returns small pages only, if their size is fixed and the maximum is small',
		page(1, 5),
		'GET list?page_limit=9',
		{ maxPageLimit: 5, ...settings({ pageSizes: 'fixed' }) },
	],
	[
		'refuses other mistakes even if it does not respond to large pages',
		refused(400, 'client_type'),
		'GET list?page_limit=31&client_type=robot',
		settings({ overLimit: 'hang' }),
	],
	[
		'ignores client_email if it is compared with the group, and that is ignored',
		found(ALL),
		byEmail('Retail'),
		settings({ emailFilter: 'group-name', groupFilter: 'ignored' }),
	],
	[
		'does not count an ignored filter as one of several that match',
		found(ofShared),
		list({ client_email: SHARED, group_name: 'Retail' }),
		settings({ severalFilters: 'any', groupFilter: 'ignored' }),
	],
	[
		'does not count an ignored filter as the first',
		found(completed),
		list({ client_email: SHARED, request_status: 'completed' }),
		settings({ severalFilters: 'first', emailFilter: 'ignored' }),
	],
	['limits the requests of a minute', limited({ 'retry-after': '40' }), minute, settings({ rateLimit: 'seconds' })],

	[
		'adds up delays, also with another fault',
		expectDelay(98, refused(503)),
		once,
		{ faults: ['latency:ms=60', 'status', 'latency:ms=40'] },
	],
	[
		'adds no totals with the fault no-rows if they are absent',
		pageOf([], withoutTotals),
		once,
		{ faults: ['no-rows'], ...settings({ totals: 'absent' }) },
	],
	[
		'issues no token if the connection is lost',
		[lostConnection],
		['GET token', () => expect(ours().tokens.countValid()).toBe(1)],
		{ faults: ['reset-before:endpoint=token'] },
	],

	[
		'refuses a page_no that is no positive integer',
		refused(400, 'page_no must be'),
		wrongNumbers.map((text) => `GET list?page_no=${text}`),
	],
	[
		'refuses a page_limit that is no positive integer',
		refused(400, 'page_limit must be'),
		wrongNumbers.map((text) => `GET list?page_limit=${text}`),
	],
	[
		'refuses other statuses',
		refused(400, 'request_status must be one of: '),
		['done', 'Completed', ''].map((text) => `GET list?request_status=${text}`),
	],
	[
		'refuses other types',
		refused(400, 'client_type must be one of: '),
		['robot', 'Company', ''].map((text) => `GET list?client_type=${text}`),
	],
	[
		'refuses a filter that is sent twice',
		refused(400, 'client_type'),
		'GET list?client_type=company&client_type=company',
	],
	['checks the token before the parameters', refused(401), 'GET list?page_no=0 with no-key'],
	['lists clients by GET only', notAllowed('GET'), ['POST list', 'PUT list', 'DELETE list']],
	['takes a token only after the word Bearer', refused(401), ['GET list with bare-token', 'GET list with lower-case']],
	[
		'refuses missing, empty and wrong API keys',
		refused(401, 'The API key is invalid.'),
		['no-key', 'bare-token', 'wrong-key'].map((name) => `GET token with ${name}`),
	],
	['responds with 404 to other paths', refused(404), wrongPaths.map((path) => `GET ${path}`)],
	[
		'takes its paths without the last slash',
		[issued(900), page(1)],
		['GET /api/v1/generate-access-token', 'GET /api/v1/clients-list'],
	],

	['takes a token until it is revoked', [page(1), page(1), refused(401)], [once, issue, once, revoke, once]],
	['takes only the newest token if told so', [page(1), refused(401)], [once, issue, once], { singleToken: true }],
	[
		'takes a token for its lifetime',
		[page(1), page(1), refused(401)],
		[once, later(299), once, later(1), once],
		{ tokenLifetimeSeconds: 0.3 },
	],
	[
		'takes a token for so many requests, those with a fault aside',
		[refused(503), page(1), page(1), refused(401)],
		four,
		{ tokenRequests: 2, faults: ['status:times=1'] },
	],
	['lists given clients', found([ADA]), list(), { clients: [ADA] }],
	['responds after the option onRequest is done', found(ALL.slice(1)), list(), { onRequest: removeFirst }],
];

const ROWS: Row[] = [
	...Object.entries(SETTINGS).flatMap(([setting, rows]) =>
		Object.entries(rows).map(([value, [does, expected, steps, options]]): Row => {
			const behavior = { ...options?.behavior, [setting]: value };
			return [`with ${setting} ${value} ${does}`, expected, steps, { ...options, behavior }];
		}),
	),
	...Object.entries(FAULTS).map(([kind, [parameters, does, ...row]]): Row => {
		const fault = [kind, parameters].filter(Boolean).join(':');
		return [`with the fault ${fault} ${does}`, row[0], row[1], { faults: [fault] }];
	}),
	...SCHEDULES.map(([faults, requests, statuses]): Row => {
		const does = `responds with ${statuses.join(', ')} to ${requests.join(', ')} with the faults ${faults.join(' and ')}`;
		return [does, (replies) => expect(replies.map(({ status }) => status)).toEqual(statuses), requests, { faults }];
	}),
	...OTHERS,
];

describe('The sandbox', () => {
	it.each(ROWS)('%s', async (_, expected, steps = 'GET list', options = {}) => {
		nowMs = START_MS;
		sandbox = await startSandbox({ ...OPTIONS, ...options });
		const ask = createCaller(sandbox);
		const expectedOf = (index: number) => (Array.isArray(expected) ? expected[index] : expected);
		const replies: Reply[] = [];
		for (const step of [steps].flat()) {
			if (typeof step === 'function') step();
			else replies.push(await ask(step, expectedOf(replies.length) === noResponse ? PATIENCE_MS : undefined));
		}
		if (typeof expected === 'function') expected(replies);
		else expect(replies.map(show)).toEqual(Array.isArray(expected) ? expected : replies.map(() => expected));
	});

	it('has a row in this table for every value of every setting and for every fault', () => {
		const values = SETTING_NAMES.map((name) => [name, [...valuesOf(name)].sort()]);
		expect(Object.entries(SETTINGS).map(([name, rows]) => [name, Object.keys(rows).sort()])).toEqual(values);
		expect(Object.keys(FAULTS)).toEqual(Object.keys(FAULT_KINDS));
	});
});
