import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { MOST_READERS } from '../../sandbox/control/events.mts';
import type { Client } from '../../sandbox/data/clients.mts';
import { DEFAULT_BEHAVIOR, SETTINGS, SETTING_NAMES } from '../../sandbox/endpoints/behavior.mts';
import { FAULT_KINDS } from '../../sandbox/faults/faults.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { control, createCaller, send } from './ask.mts';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ clients: 60 });
});

afterEach(() => sandbox.close());

const call = async (line: string, body?: object | string) => (await control(sandbox, line, body)).body;
const store = () => sandbox.app.environment('sandbox').clients;

/** What a request could change. */
const snapshot = () => {
	const { clients, tokens } = sandbox.app.environment('sandbox');
	return [clients.revision, tokens.countValid(), sandbox.app.faults(), sandbox.app.behavior()];
};

/** The whole response to these bytes, sent on a new connection. */
async function sendBytes(bytes: string, end = true): Promise<string> {
	const socket = connect(Number(new URL(sandbox.controlUrl).port), '127.0.0.1');
	socket.write(bytes);
	if (end) socket.end();
	let response = '';
	for await (const part of socket) response += part;
	return response;
}

describe('The control interface of the sandbox', () => {
	it('lists its routes, and the settings and faults to choose from', async () => {
		expect((await call('GET /')).routes).toContainEqual(expect.stringMatching(/^POST \/tokens\/revoke: /));
		const { settings, faults } = await call('GET /options');
		expect(settings).toEqual(SETTING_NAMES.map((name) => ({ name, ...SETTINGS[name] })));
		expect(faults.map(({ kind }: { kind: string }) => kind)).toEqual(Object.keys(FAULT_KINDS));
	});

	it('changes settings, in any case', async () => {
		expect(await call('GET /behavior')).toEqual(DEFAULT_BEHAVIOR);
		const changed = await call('PATCH /behavior', { order: 'SHUFFLED', beyondLast: 404 });
		expect(changed).toEqual({ ...DEFAULT_BEHAVIOR, order: 'shuffled', beyondLast: '404' });
		expect(await call('GET /behavior')).toEqual(changed);
	});

	it('adds, counts, removes and clears faults', async () => {
		await call('POST /faults', { kind: 'status', code: 500, times: 1 });
		await call('POST /faults', 'html:skip=1\n');
		const ask = createCaller(sandbox);
		expect([await ask('GET list'), await ask('GET list')]).toMatchObject([
			{ status: 500 },
			{ text: expect.stringContaining('<html>') },
		]);
		const [status, html] = await call('GET /faults');
		expect(status).toEqual({
			id: 1,
			fault: 'status:times=1,code=500',
			description: '500 for the list, once',
			seen: 2,
			hits: 1,
			is_over: true,
		});
		expect(html).toMatchObject({ id: 2, fault: 'html:skip=1,code=200', seen: 2, hits: 1, is_over: false });
		expect(await call('DELETE /faults?id=1')).toEqual([html]);
		expect(await control(sandbox, 'DELETE /faults?id=1')).toEqual({
			status: 404,
			body: { message: 'No fault has the id "1".' },
		});
		expect(await call('DELETE /faults')).toEqual([]);
		expect(await ask('GET list')).toMatchObject({ status: 200 });
	});

	it.each([
		['status', '503 for the list, always'],
		['redirect:endpoint=token,skip=1', 'Redirect to /login for access tokens, always, after 1 request'],
		['latency:ms=50,every=2,skip=4', '50 ms delay for the list, 1 in 2 requests, after 4 requests'],
		['hang:endpoint=any,page=3,every=2,times=2', 'No response for all requests, page 3, 1 in 2 requests, 2 times'],
	])('describes the fault %s as "%s"', async (fault, description) => {
		expect(await call('POST /faults', fault)).toMatchObject([{ description }]);
	});

	it('adds, changes and removes a client that the list endpoint returns', async () => {
		const created_at = '2020-02-02T02:02:02.000Z';
		const added = await call('POST /clients', { client_name: 'Ada', created_at });
		expect(added).toMatchObject({
			reference_id: expect.stringMatching(/^ONB-[0-9A-F]{8}$/),
			client_name: 'Ada',
			created_at,
		});
		expect((await createCaller(sandbox)('GET list')).json.data.results[0]).toEqual(added);
		const changed = await call(`PATCH /clients/${added.reference_id}`, { request_status: 'completed' });
		expect(changed).toEqual({ ...added, request_status: 'Completed' });
		expect(await call(`DELETE /clients/${added.reference_id}`)).toEqual(changed);
		expect(await control(sandbox, `DELETE /clients/${added.reference_id}`)).toMatchObject({ status: 404 });
	});

	it('adds, changes and removes several clients, and skips unknown ones', async () => {
		const added = await call('POST /clients?count=10');
		const reference_ids = added.map(({ reference_id: id }: { reference_id: string }) => id);
		expect(new Set([...reference_ids, ...store().ids()]).size).toBe(70);
		const changed = await call('PATCH /clients', {
			reference_ids: ['unknown', ...reference_ids],
			request_status: 'declined',
		});
		expect(changed).toEqual(added.map((client: object) => ({ ...client, request_status: 'Declined' })));
		expect(await call('DELETE /clients', { reference_ids: [...reference_ids, reference_ids[0]] })).toEqual(changed);
		expect(store().size).toBe(60);
	});

	it('gives the clients of a group the same group token', async () => {
		const [known] = store().all();
		const mate = await call('POST /clients', { group_name: known.group_name });
		expect(mate.group_token).toBe(known.group_token);
		const founder = await call('POST /clients', { group_name: 'Founded Today' });
		expect(founder.group_token).not.toBe(known.group_token);
		const moved = await call(`PATCH /clients/${mate.reference_id}`, { group_name: 'Founded Today' });
		expect(moved.group_token).toBe(founder.group_token);
	});

	it('sorts clients by name and by their last change, and lists the groups', async () => {
		const all = [...store().all()];
		const names = all.map(({ client_name: name }) => name.toLowerCase()).sort();
		const byName: Client[] = (await call('GET /clients?sort=name&page_size=60')).clients;
		expect(byName.map(({ client_name: name }) => name.toLowerCase())).toEqual(names);
		store().setStatus(all[11].reference_id, 'declined');
		const { clients, ...counts } = await call('GET /clients?sort=changed&page=99&page_size=25');
		expect(counts).toEqual({ total: 60, page: 3, pages: 3 });
		expect(clients.at(-1)).toEqual(all[0]);
		expect((await call('GET /clients?sort=changed')).clients[0].reference_id).toBe(all[11].reference_id);
		const groups = new Set(all.map(({ group_name: group }) => group));
		expect((await call('GET /groups')).sort()).toEqual([...groups].sort());
	});

	it('changes only the chosen environment', async () => {
		const added = await call('POST /clients?environment=production');
		const { clients } = sandbox.app.environment('production');
		expect(clients.get(added.reference_id)).toEqual(added);
		expect(store().size).toBe(60);
		await call('PATCH /lively?environment=production', { per_minute: 600 });
		while (clients.revision === 1) await sleep(20);
		expect(await call('PATCH /lively?environment=production', { per_minute: 0 })).toEqual({ per_minute: 0 });
		const { revision } = clients;
		await sleep(300);
		expect(clients.revision).toBe(revision);
		expect(store().revision).toBe(0);
	});

	it('counts requests by environment and endpoint, and resets the counts', async () => {
		await createCaller(sandbox)('GET list');
		await createCaller(sandbox, 'production')('GET token');
		const none = { token: 0, list: 0, other: 0 };
		expect(await call('GET /requests')).toEqual({ sandbox: { ...none, list: 1 }, production: { ...none, token: 1 } });
		expect(await call('DELETE /requests')).toEqual({ sandbox: none, production: none });
	});

	it('revokes the tokens of one environment, and shows neither tokens nor API keys', async () => {
		const [ours, theirs] = [createCaller(sandbox), createCaller(sandbox, 'production')];
		await Promise.all([ours('GET list'), theirs('GET list')]);
		const secrets = Object.values(sandbox.environments).map(({ apiKey }) => apiKey);
		const shown = JSON.stringify([await call('GET /state'), await call('GET /options'), await call('GET /requests')]);
		for (const secret of [...secrets, sandbox.app.environment('sandbox').tokens.issue()])
			expect(shown).not.toContain(secret);
		expect(await call('POST /tokens/revoke')).toEqual({ revoked: 2 });
		expect([await ours('GET list'), await theirs('GET list')]).toMatchObject([{ status: 401 }, { status: 200 }]);
	});

	it('keeps the last hundred messages, newest first, without API keys', async () => {
		for (let sent = 1; sent <= 101; sent++) await call('POST /messages', { text: `Message ${sent}` });
		const { apiKey } = sandbox.environments.sandbox;
		expect(await call('POST /messages', { text: `Key ${apiKey}` })).toMatchObject({ text: 'Key …' });
		const messages = (await call('GET /messages')).map(({ text }: { text: string }) => text);
		expect(messages).toHaveLength(100);
		expect([messages[0], messages[1], messages[99]]).toEqual(['Key …', 'Message 101', 'Message 3']);
		expect(await call('GET /state')).toMatchObject({ messages: 102 });
		expect(await call('DELETE /messages')).toEqual([]);
		expect(await call('GET /state')).toMatchObject({ messages: 0 });
	});

	const choices = 'Choose from: ';
	it.each<[line: string, body: object | string | undefined, message: string]>([
		['PATCH /behavior', { ordre: 'shuffled' }, `There is no setting "ordre". ${choices}tokenMethod, `],
		['PATCH /behavior', { order: 'random' }, `order cannot be "random". ${choices}created-ascending, `],
		['PATCH /behavior', { order: ['shuffled'] }, 'order cannot be "shuffled".'],
		['PATCH /behavior', '[]', 'The body must be an object such as {"order": "shuffled"}.'],
		['PATCH /behavior', '{', 'The body is not valid JSON.'],
		['POST /faults', 'stauts', `There is no fault "stauts". ${choices}latency, status`],
		['POST /faults', { kind: ['status'] }, 'There is no fault "status".'],
		[
			'POST /faults',
			'status:cod=3',
			'The fault status has no parameter "cod". It has: endpoint, skip, times, every, page, code.',
		],
		['POST /faults', 'status:code=200', 'The fault parameter code must be a whole number from 400 to 599, not "200".'],
		['POST /faults', 'hang:times=0', 'The fault parameter times must be a whole number of at least 1, not "0".'],
		['POST /faults', 'hang:endpoint=lists', 'The fault parameter endpoint must be one of: list, token, any.'],
		['POST /faults', 'redirect:location=a b', 'The fault parameter location must be plain text without spaces.'],
		['DELETE /faults', { all: true }, 'DELETE /faults takes no body.'],
		['POST /clients', { name: 'Ada' }, `There is no field "name". ${choices}reference_id, `],
		['POST /clients', { client_name: 5 }, 'client_name must be text.'],
		['POST /clients', { client_name: '' }, 'client_name must not be empty.'],
		['POST /clients', { client_name: '\ud800' }, 'client_name is not valid Unicode text.'],
		['POST /clients', { client_name: 'x'.repeat(501) }, 'client_name is limited to 500 characters.'],
		['POST /clients', { client_type: 'robot' }, 'client_type must be one of: individual, company.'],
		['POST /clients', { request_status: 'done' }, 'request_status must be one of: '],
		['POST /clients', { created_at: '2024-13-01T00:00:00Z' }, 'created_at must be a UTC timestamp such as '],
		['POST /clients', { reference_id: '..' }, 'reference_id must not be "." or "..".'],
		['POST /clients', '[]', 'A client is an object such as {"client_name": "Ada Example"}.'],
		['POST /clients?environment=moon', {}, 'environment must be one of: sandbox, production.'],
		['POST /clients?count=1001', undefined, 'count must be a whole number from 1 to 1000.'],
		['POST /clients?count=2', { reference_id: 'one' }, 'A reference_id must be unique.'],
		['PATCH /clients', { request_status: 'declined' }, 'Send clients and changes: '],
		['PATCH /clients/X', {}, 'Send the fields to change, such as {"request_status": "completed"}.'],
		['PATCH /clients/X', { created_at: '2024-01-01T00:00:00Z' }, 'reference_id and created_at cannot change.'],
		['DELETE /clients', { reference_ids: [] }, 'Send the clients to remove: {"reference_ids": ["ONB-6C609337"]}.'],
		['DELETE /clients/%', undefined, '"%" is not a URL-encoded reference_id.'],
		['GET /clients?page=0', undefined, 'page must be a whole number from 1 to '],
		['GET /clients?page_size=201', undefined, 'page_size must be a whole number from 1 to 200.'],
		['GET /clients?request_status=gone', undefined, 'request_status must be one of: '],
		['GET /clients?sort=sideways', undefined, 'sort must be one of: '],
		['GET /clients?serch=ada', undefined, `There is no parameter "serch". ${choices}environment, search, `],
		['GET /clients?page=1&page=2', undefined, 'page was sent more than once.'],
		['PATCH /lively', { per_minute: 601 }, 'per_minute must be a whole number from 0 to 600.'],
		['PATCH /lively', { perMinute: 6 }, 'Send the number of changes a minute: {"per_minute": 6}.'],
		['POST /messages', { message: 'Ada' }, 'Send a text: {"text": "Ada was declined"}.'],
		['POST /messages', { text: ' ' }, 'Send a text: {"text": "Ada was declined"}.'],
		['POST /messages', { text: 'a'.repeat(4001) }, 'text is limited to 4,000 characters.'],
		['GET /events?from=1', undefined, 'There is no parameter "from".'],
	])('refuses %s with the body %j, and says why', async (line, body, message) => {
		const before = snapshot();
		expect(await control(sandbox, line, body)).toEqual({
			status: 400,
			body: { message: expect.stringContaining(message) },
		});
		expect(snapshot()).toEqual(before);
	});

	it('refuses a reference_id that is taken, unknown clients, paths and methods', async () => {
		const [reference_id] = store().ids();
		expect(await control(sandbox, 'POST /clients', { reference_id })).toEqual({
			status: 400,
			body: { message: `The reference_id "${reference_id}" is already taken.` },
		});
		expect(await control(sandbox, 'PATCH /clients/X', { request_status: 'pending' })).toEqual({
			status: 404,
			body: { message: 'No client of the sandbox environment has the reference_id "X".' },
		});
		expect(await control(sandbox, 'GET /client')).toEqual({
			status: 404,
			body: { message: '/client does not exist. GET / lists all paths.' },
		});
		expect(await control(sandbox, 'PUT /behavior')).toEqual({
			status: 405,
			body: { message: '/behavior takes GET, PATCH.' },
		});
	});

	it('refuses bodies that are too large or no text, and changes nothing', async () => {
		const before = snapshot();
		const large = JSON.stringify({ client_name: 'x'.repeat(10_000_000) });
		expect(await control(sandbox, 'POST /clients', large)).toEqual({
			status: 413,
			body: { message: 'The body is limited to 1 MB.' },
		});
		const body = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
		expect(await send(`${sandbox.controlUrl}/clients`, { method: 'POST', body })).toMatchObject({
			status: 400,
			json: { message: 'The body is not UTF-8.' },
		});
		expect(snapshot()).toEqual(before);
	});

	it.each([
		'content-length: 3\r\n\r\n{}',
		'transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n',
		'content-length: 2\r\n\r\n',
	])('changes nothing if a request breaks off: %j', async (rest) => {
		const before = snapshot();
		await sendBytes(`POST /clients HTTP/1.1\r\nhost: localhost\r\n${rest}`);
		await sendBytes(`POST /tokens/revoke HTTP/1.1\r\nhost: localhost\r\n${rest}`);
		expect(snapshot()).toEqual(before);
	});
});

describe('The event stream of the sandbox', () => {
	/** The events after this action, until they contain this text. */
	async function watch(until: string, act: () => unknown): Promise<string> {
		const { body } = await request(`${sandbox.controlUrl}/events`);
		let text = '';
		for await (const chunk of body.setEncoding('utf8')) {
			if (text === '') await act();
			text += chunk;
			if (text.includes(until)) break;
		}
		return text;
	}

	it('has every request with its faults, and no secrets', async () => {
		for (const fault of ['status:times=1', 'reset-before:skip=1']) sandbox.app.schedule(fault);
		const token = sandbox.app.environment('sandbox').tokens.issue();
		const { apiKey } = sandbox.environments.sandbox;
		const text = await watch('page_no=2', async () => {
			const ask = createCaller(sandbox);
			await ask('GET list?page_no=1&note=hush');
			await ask(`GET list?group_name=${token}&client_email=${apiKey}+&page_no=2`);
		});
		const requests = [...text.matchAll(/^event: request\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data));
		const path = '/api/v1/clients-list/';
		expect(requests).toMatchObject([
			{ environment: 'sandbox', method: 'GET', path: `${path}?page_no=1`, status: 503, faults: ['status'] },
			{ path: `${path}?group_name=%E2%80%A6&client_email=%E2%80%A6+&page_no=2`, faults: ['reset-before'] },
		]);
		expect(requests[1]).not.toHaveProperty('status');
		for (const secret of [token, apiKey, 'hush']) expect(text).not.toContain(secret);
	});

	it('has the state whenever it changes', async () => {
		const text = await watch('"order":"shuffled"', () => sandbox.app.setBehavior({ order: 'shuffled' }));
		expect(text.match(/^event: state$/gm)).toHaveLength(2);
	});

	it('ends for the first of too many readers', async () => {
		const ended: number[] = [];
		for (let reader = 0; reader <= MOST_READERS; reader++) {
			const { body } = await request(`${sandbox.controlUrl}/events`);
			body
				.on('error', () => {})
				.on('close', () => ended.push(reader))
				.resume();
		}
		while (ended.length === 0) await sleep(10);
		expect(ended).toEqual([0]);
	});

	it('ends for a reader that does not read, before its events fill the memory', async () => {
		const socket = connect(Number(new URL(sandbox.controlUrl).port), '127.0.0.1').on('error', () => {});
		socket.write('GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n');
		await new Promise((resolve) => socket.once('data', resolve));
		socket.pause();
		const ask = createCaller(sandbox);
		// More than the buffers of both sides hold.
		for (let sent = 0; sent < 800; sent++) await ask(`GET list?page_limit=1&group_name=${'a+'.repeat(5_000)}`);
		const ended = new Promise((resolve) => socket.on('close', () => resolve('ended')));
		socket.resume();
		expect(await Promise.race([ended, sleep(5_000, 'goes on', { ref: false })])).toBe('ended');
		socket.destroy();
	});
});

describe('The console of the sandbox', () => {
	const visit = (headers: Record<string, string>, path = '/state') => send(sandbox.controlUrl + path, { headers });

	it('loads only its own files, and no other page can show it in a frame', async () => {
		const { headers, text } = await visit({ accept: 'text/html' }, '/');
		expect(headers).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': expect.stringMatching(
				/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
			),
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
		});
		const links = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link]) => `/${link}`);
		expect(links.length).toBeGreaterThan(1);
		for (const link of links) expect(await visit({}, link)).toMatchObject({ status: 200 });
	});

	it.each(['/../package.json', '/%2e%2e/app.mts', '/console/main.mjs', '/constructor', '/__proto__'])(
		'does not serve other files such as %s',
		async (path) => expect(await visit({}, path)).toMatchObject({ status: 404 }),
	);

	it.each([
		[403, 'host: localhost\r\norigin: http://evil.example'],
		[403, 'host: localhost:4012\r\norigin: http://localhost:3000'],
		[403, 'host: localhost:4012\r\norigin: https://localhost:4012'],
		[403, 'host: localhost:4012\r\norigin: http://localhost:4012.evil.example'],
		[403, 'host: localhost\r\norigin: null'],
		[403, 'host: evil.example'],
		[403, 'host: evil.example\r\norigin: http://evil.example'],
		[403, 'host: localhost.evil.example:4012'],
		[403, 'host: 127.0.0.2'],
		[403, 'host: '],
		[403, 'host: localhost\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\nsec-fetch-dest: script'],
		[403, 'host: localhost\r\nsec-fetch-site: same-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: iframe'],
		[200, 'host: localhost\r\nsec-fetch-site: same-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: document'],
		[200, 'host: localhost\r\nsec-fetch-site: same-origin'],
		[200, 'host: LOCALHOST:4012\r\norigin: http://localhost:4012'],
		[200, 'host: [::1]:4012\r\norigin: http://[::1]:4012'],
		[200, 'host: 127.0.0.1:4012'],
	])('responds with %p, so that other web pages can change nothing, to %j', async (status, headers) => {
		const { tokens } = sandbox.app.environment('sandbox');
		tokens.issue();
		const response = await sendBytes(
			`POST /tokens/revoke HTTP/1.1\r\n${headers}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
		);
		expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
		expect(tokens.countValid()).toBe(status === 403 ? 1 : 0);
	});
});
