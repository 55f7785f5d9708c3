import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import { describeFault, FaultSchedule, formatFault, parseFault, type Fault } from '../../sandbox/faults/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { createCaller, LIST_PATH, TOKEN_PATH } from './caller.mts';

describe('A fault of the sandbox:', () => {
	const nowMs = Date.UTC(2026, 0, 1);
	let sandbox: Sandbox;
	let caller: ReturnType<typeof createCaller>;

	beforeEach(async () => {
		sandbox = await startSandbox({ clients: 25, now: () => nowMs });
		caller = createCaller(sandbox.environments.sandbox);
		await caller.list();
	});

	afterEach(() => sandbox.close());

	it.each([500, 502, 503, 504, 408, 425])('status returns %p with an envelope', async (code) => {
		sandbox.app.schedule({ kind: 'status', code });
		expect(await caller.list()).toMatchObject({ status: code, status_code: code, data: null });
	});

	it.each([
		['rate-limit-seconds:seconds=7', '7'],
		['rate-limit-date:seconds=7', new Date(nowMs + 7000).toUTCString()],
		['rate-limit-bare', undefined],
	])('%s returns 429 with Retry-After %p', async (fault, retryAfter) => {
		sandbox.app.schedule(fault);
		const reply = await caller.list();
		expect(reply).toMatchObject({ status: 429, status_code: 429, data: null });
		expect(reply.headers['retry-after']).toBe(retryAfter);
	});

	it.each(['numbers', 'strings'] as const)(
		'no-rows returns a page as of an empty list, with totals as %s',
		async (totals) => {
			sandbox.app.setBehavior({ totals });
			sandbox.app.schedule('no-rows');
			const { status, data } = await caller.list();
			expect({ status, data }).toMatchObject({ status: 200, data: { results: [], total_count: 0, total_pages: 0 } });
		},
	);

	it('no-rows adds no totals if they are absent, and does not change refusals', async () => {
		sandbox.app.setBehavior({ totals: 'absent' });
		sandbox.app.schedule('no-rows');
		expect((await caller.list()).data).not.toHaveProperty('total_count');
		sandbox.app.environment('sandbox').tokens.revokeAll();
		expect(await caller.list()).toMatchObject({ status: 401, data: null });
	});

	it('latency delays the response and does not change it', async () => {
		sandbox.app.schedule('latency:ms=60');
		sandbox.app.schedule('latency:ms=40');
		const start = performance.now();
		expect(await caller.list()).toMatchObject({ status: 200, data: { total_count: 25 } });
		expect(performance.now() - start).toBeGreaterThanOrEqual(98);
	});

	it('latency adds up with another fault', async () => {
		sandbox.app.schedule('status:code=503');
		sandbox.app.schedule('latency:ms=50');
		const start = performance.now();
		expect(await caller.list()).toMatchObject({ status: 503 });
		expect(performance.now() - start).toBeGreaterThanOrEqual(48);
	});

	it('reset-before resets the connection before the response', async () => {
		sandbox.app.schedule('reset-before');
		await expect(caller.list()).rejects.toMatchObject({ code: 'ECONNRESET' });
	});

	it('reset-during sends headers and a part of the body and then closes the connection', async () => {
		const whole = (await caller.list()).text;
		sandbox.app.schedule('reset-during');
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const { statusCode, headers, body } = await request(sandbox.environments.sandbox.url + LIST_PATH, {
			headers: { authorization: `Bearer ${token}` },
		});
		expect(statusCode).toBe(200);
		expect(Number(headers['content-length'])).toBe(Buffer.byteLength(whole));
		let received = '';
		const read = async () => {
			for await (const chunk of body) received += chunk;
		};
		await expect(read()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
		expect(whole.startsWith(received)).toBe(true);
		expect(received.length).toBeGreaterThan(whole.length / 3);
	});

	it('truncated returns a complete response with incomplete JSON', async () => {
		const whole = (await caller.list()).text;
		sandbox.app.schedule('truncated');
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const { headers, body } = await request(sandbox.environments.sandbox.url + LIST_PATH, {
			headers: { authorization: `Bearer ${token}` },
		});
		const text = await body.text();
		expect(whole.startsWith(text)).toBe(true);
		expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
		expect(() => JSON.parse(text)).toThrow();
	});

	it.each([
		['html', 200],
		['html:code=403', 403],
	])('%s returns a web page', async (fault, code) => {
		sandbox.app.schedule(fault);
		const { status, headers, text } = await caller.list();
		expect({ status, type: headers['content-type'] }).toEqual({
			status: code,
			type: 'text/html; charset=utf-8',
		});
		expect(text).toMatch(/^<!doctype html>/);
	});

	it.each([
		['empty', 200, '0'],
		['empty:code=204', 204, undefined],
		['empty:code=304', 304, '0'],
	])('%s returns an empty body', async (fault, code, length) => {
		sandbox.app.schedule(fault);
		const { status, headers, text } = await caller.list();
		expect({ status, length: headers['content-length'], text }).toEqual({ status: code, length, text: '' });
	});

	it('wrong-envelope returns valid JSON without status_code', async () => {
		sandbox.app.schedule('wrong-envelope');
		const { status, text } = await caller.list();
		expect(status).toBe(200);
		expect(JSON.parse(text)).not.toHaveProperty('status_code');
	});

	it('redirect returns a 302 with the chosen location', async () => {
		sandbox.app.schedule('redirect:location=http://127.0.0.1:9/a?b=c');
		const { status, headers } = await caller.list();
		expect({ status, location: headers.location }).toEqual({
			status: 302,
			location: 'http://127.0.0.1:9/a?b=c',
		});
	});

	it('hang sends no response until the sandbox is closed', async () => {
		sandbox.app.schedule('hang');
		const waiting = caller.list().then(
			() => 'answered',
			() => 'cut off',
		);
		const patience = new Promise((resolve) => setTimeout(resolve, 100, 'still waiting'));
		expect(await Promise.race([waiting, patience])).toBe('still waiting');
		await sandbox.close();
		expect(await waiting).toBe('cut off');
	});

	it('dribble sends one byte at a time', async () => {
		const whole = (await caller.list({ page_limit: 1, client_email: 'x' })).text;
		sandbox.app.schedule('dribble:ms=1');
		const start = performance.now();
		const reply = await caller.list({ page_limit: 1, client_email: 'x' });
		expect(reply.text).toBe(whole);
		expect(performance.now() - start).toBeGreaterThanOrEqual(whole.length - 1);
	});

	it('endpoint=token affects only the token endpoint, and endpoint=any both', async () => {
		sandbox.app.schedule('status:code=500,endpoint=token');
		expect(await caller.list()).toMatchObject({ status: 200 });
		expect(await caller.requestToken()).toMatchObject({ status: 500 });
		sandbox.app.clearFaults();
		sandbox.app.schedule('html:endpoint=any');
		expect((await caller.list()).text).toMatch(/html/);
		expect((await caller.requestToken()).text).toMatch(/html/);
	});

	it('reset-before on a token request keeps the sandbox from issuing a token', async () => {
		sandbox.app.environment('sandbox').tokens.revokeAll();
		sandbox.app.schedule('reset-before:endpoint=token');
		await expect(caller.requestToken()).rejects.toThrow();
		expect(sandbox.app.environment('sandbox').tokens.revokeAll()).toBe(0);
	});

	it('skip and times select the requests', async () => {
		sandbox.app.schedule('status:code=503,skip=1,times=2');
		const statuses = [];
		for (let count = 0; count < 5; count++) statuses.push((await caller.list()).status);
		expect(statuses).toEqual([200, 503, 503, 200, 200]);
	});

	it('the option faults applies from the start', async () => {
		const spoiled = await startSandbox({ faults: ['empty:endpoint=token', { kind: 'html' }] });
		const { url } = spoiled.environments.production;
		const dispatcher = new Agent();
		expect(await (await request(url + TOKEN_PATH, { dispatcher })).body.text()).toBe('');
		expect(await (await request(url + LIST_PATH, { dispatcher })).body.text()).toMatch(/html/);
		await dispatcher.close();
		await spoiled.close();
	});
});

describe('The schedule of faults', () => {
	const play = (faults: Array<Fault | string>, pages: number) => {
		const schedule = new FaultSchedule();
		for (const fault of faults) schedule.add(fault);
		return Array.from({ length: pages }, (_, index) => schedule.next('list', index + 1).fault?.kind ?? 'fine');
	};

	it('applies the first fault that is due, and the next one when that is used up', () => {
		expect(play(['html:times=2', 'empty:times=1'], 4)).toEqual(['html', 'html', 'empty', 'fine']);
	});

	it('counts skipped requests from the time of scheduling', () => {
		expect(play(['html:times=1', 'empty:skip=2'], 4)).toEqual(['html', 'fine', 'empty', 'empty']);
	});

	it('applies a fault to every nth request that is not skipped', () => {
		expect(play(['html:skip=1,every=2,times=2'], 7)).toEqual(['fine', 'fine', 'html', 'fine', 'html', 'fine', 'fine']);
	});

	it('applies a fault with a page only to that page', () => {
		expect(play(['html:page=2', 'empty:page=4,skip=1'], 4)).toEqual(['fine', 'html', 'fine', 'fine']);
	});

	it('applies a fault only to its endpoint', () => {
		expect(play(['html:endpoint=token'], 2)).toEqual(['fine', 'fine']);
	});

	it('lists its faults with the requests seen and hit', () => {
		const schedule = new FaultSchedule();
		schedule.add('status:times=1');
		schedule.next('list', 1);
		schedule.next('list', 2);
		expect(schedule.list()).toMatchObject([{ fault: 'status:times=1,code=503', seen: 2, hits: 1, is_over: true }]);
		schedule.clear();
		expect(schedule.list()).toEqual([]);
	});
});

describe('the description of a fault', () => {
	it.each([
		['status', '503 for the list, always'],
		['status:code=500,times=1', '500 for the list, once'],
		['rate-limit-bare:endpoint=any,times=3', '429 without Retry-After for all requests, 3 times'],
		['redirect:endpoint=token,skip=1', 'Redirect to /login for access tokens, always, after 1 request'],
		['latency:ms=50,every=2,skip=4', '50 ms delay for the list, 1 in 2 requests, after 4 requests'],
		['hang:page=3,every=2,times=2', 'No response for the list, page 3, 1 in 2 requests, 2 times'],
	])('of %s is "%s"', (fault, description) => {
		expect(describeFault(parseFault(fault))).toBe(description);
	});
});

describe('The text form of a fault', () => {
	it.each([
		['status:code=503,times=2,skip=3', { kind: 'status', code: 503, times: 2, skip: 3, endpoint: 'list' }],
		['hang', { kind: 'hang', times: Number.POSITIVE_INFINITY, skip: 0, endpoint: 'list' }],
		['redirect:location=http://a/b?c=d', { kind: 'redirect', location: 'http://a/b?c=d' }],
		['latency', { kind: 'latency', ms: 1000 }],
	])('is parsed and formatted: %s', (text, fault) => {
		expect(parseFault(text)).toMatchObject(fault);
		expect(parseFault(formatFault(parseFault(text)))).toEqual(parseFault(text));
	});

	it.each([
		['stauts', 'There is no fault "stauts". Choose from: latency, status'],
		['', 'There is no fault "".'],
		['status:cod=3', 'The fault status has no parameter "cod". It has: endpoint, skip, times, every, page, code.'],
		['status:code=200', 'The fault parameter code must be a whole number from 400 to 599, not "200".'],
		['hang:times=0', 'The fault parameter times must be a whole number of at least 1, not "0".'],
		['hang:skip=1.5', 'The fault parameter skip must be a whole number of at least 0, not "1.5".'],
		['hang:skip', 'The fault parameter skip must be a whole number'],
		['hang:ms=1', 'The fault hang has no parameter "ms".'],
		['hang:endpoint=lists', 'The fault parameter endpoint must be one of: list, token, any.'],
		['redirect:location=a b', 'The fault parameter location must be plain text without spaces.'],
	])('is refused with a message that names the error: %p', (text, message) => {
		expect(() => parseFault(text)).toThrow(message);
	});
});
