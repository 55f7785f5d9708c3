import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request, type Dispatcher } from 'undici';
import { MOST_READERS } from '../../sandbox/control/events.mts';
import type { Client } from '../../sandbox/data/client.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { createCaller } from './caller.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ clients: 250 });
});

afterAll(() => sandbox.close());

const clientsOf = () => sandbox.app.environment('sandbox').clients;

async function ask(path: string, options: Partial<Dispatcher.RequestOptions> = {}) {
	const { statusCode: status, headers, body } = await request(sandbox.controlUrl + path, { method: 'GET', ...options });
	return { status, headers, text: await body.text() };
}

async function control(method: Dispatcher.HttpMethod, path: string, body?: object) {
	const { status, text } = await ask(path, { method, body: body && JSON.stringify(body) });
	return { status, body: JSON.parse(text) };
}

describe('The console of the sandbox', () => {
	it('is returned to a browser, and the list of routes to curl', async () => {
		const page = await ask('/', { headers: { accept: 'text/html,application/xhtml+xml' } });
		expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
		expect(page.text).toContain('<title>Client Onboarding Sandbox</title>');
		expect(JSON.parse((await ask('/', { headers: { accept: '*/*' } })).text)).toHaveProperty('routes');
	});

	it('loads only its own files and forbids frames', async () => {
		const { headers, text } = await ask('/', { headers: { accept: 'text/html' } });
		expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
		expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
		expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
		const links = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link]) => link);
		expect(links.length).toBeGreaterThan(0);
		for (const link of links) expect(await ask(`/${link}`)).toMatchObject({ status: 200 });
	});

	it.each(['/../package.json', '/%2e%2e/app.mts', '/console/main.mjs', '/constructor', '/__proto__'])(
		'does not serve other files such as %s',
		async (path) => expect(await ask(path)).toMatchObject({ status: 404 }),
	);
});

describe('A web page of another origin', () => {
	const visit = (headers: Record<string, string>, path = '/state') => ask(path, { headers });

	it.each(['cross-site', 'same-site'])('may not send requests to the sandbox (%s)', async (site) => {
		const answer = await visit({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' });
		expect(answer).toMatchObject({ status: 403 });
		expect(answer.text).toContain('does not accept requests from other web pages');
	});

	it('may link to the console but not show it in a frame', async () => {
		const headers = { accept: 'text/html', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' };
		expect(await visit({ ...headers, 'sec-fetch-dest': 'iframe' }, '/')).toMatchObject({ status: 403 });
		expect(await visit({ ...headers, 'sec-fetch-dest': 'document' }, '/')).toMatchObject({ status: 200 });
	});

	it('is distinguished from the console itself', async () => {
		expect(await visit({ 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 });
	});
});

describe('A page of clients in the console', () => {
	const getClients = async (search: string) => (await control('GET', `/clients${search}`)).body;
	const served = () => [...clientsOf().all()];

	it('starts with the newest, and all pages together have every client', async () => {
		const ids: string[] = [];
		for (let page = 1; page <= 3; page++) {
			const table = await getClients(`?page=${page}&page_size=100`);
			expect(table).toMatchObject({ total: 250, page, pages: 3 });
			ids.push(...table.clients.map(({ reference_id: id }: { reference_id: string }) => id));
		}
		expect(ids).toEqual(clientsOf().ids().reverse());
	});

	it.each(['client_name', 'email', 'reference_id'] as const)(
		'finds clients by a part of the %s, in any case',
		async (field) => {
			const [client] = served().slice(7);
			const part = client[field].slice(1, -1).toUpperCase();
			const { clients } = await getClients(`?search=${encodeURIComponent(part)}&page_size=200`);
			expect(clients).toContainEqual(client);
			for (const { client_name, email, reference_id } of clients)
				expect(`${client_name}\n${email}\n${reference_id}`.toUpperCase()).toContain(part);
		},
	);

	it('has only the clients that match every filter', async () => {
		const [{ group_name: group }] = served();
		const search = `?request_status=completed&client_type=company&group_name=${encodeURIComponent(group)}&page_size=200`;
		const expected = served().filter(
			(client) =>
				client.request_status === 'Completed' && client.client_type === 'company' && client.group_name === group,
		);
		expect(expected.length).toBeGreaterThan(0);
		expect((await getClients(search)).clients).toEqual(expected.reverse());
	});

	it('is sorted by creation, name or last change', async () => {
		const names = async (sort: string) =>
			(await getClients(`?sort=${sort}&page_size=200`)).clients.map(
				({ client_name: name }: { client_name: string }) => name,
			);
		expect(await names('oldest')).toEqual(
			served()
				.slice(0, 200)
				.map(({ client_name: name }) => name),
		);
		const byName = await names('name');
		expect(byName).toEqual([...byName].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
		const [id] = clientsOf().ids().slice(11);
		clientsOf().setStatus(id, 'declined');
		expect((await getClients('?sort=changed')).clients[0].reference_id).toBe(id);
	});

	it('is the last page if a later one is requested', async () => {
		expect(await getClients('?page=1000')).toMatchObject({ page: 10, pages: 10 });
		expect(await getClients('?search=nobody+at+all')).toEqual({ total: 0, page: 1, pages: 1, clients: [] });
	});

	it.each([
		['?page=0', 'page must be a whole number from 1 to '],
		['?page_size=201', 'page_size must be a whole number from 1 to 200.'],
		['?request_status=gone', 'request_status must be one of: '],
		['?client_type=robot', 'client_type must be one of: '],
		['?sort=sideways', 'sort must be one of: '],
		['?serch=ada', 'There is no parameter "serch". Choose from: environment, search, '],
		['?page=1&page=2', 'page was sent more than once.'],
		[`?search=${'x'.repeat(501)}`, 'search is limited to 500 characters.'],
	])('is refused with a message for %s', async (search, message) => {
		const { status, body } = await control('GET', `/clients${search}`);
		expect(status).toBe(400);
		expect(body.message).toContain(message);
	});

	it('has every group once in its list of groups', async () => {
		const names = new Set(served().map(({ group_name: name }) => name));
		expect((await control('GET', '/groups')).body.sort()).toEqual([...names].sort());
	});
});

describe('Several clients at once', () => {
	it('can be added and removed', async () => {
		const before = clientsOf().size;
		const { body: added } = await control('POST', '/clients?count=10', { group_name: 'Retail' });
		expect(added).toHaveLength(10);
		expect(clientsOf().size).toBe(before + 10);
		const reference_ids = added.map(({ reference_id: id }: { reference_id: string }) => id);
		expect((await control('DELETE', '/clients', { reference_ids })).body).toEqual(added);
		expect(clientsOf().size).toBe(before);
	});

	it('can be removed although one of them does not exist', async () => {
		const [id] = (await control('POST', '/clients?count=1')).body.map((client: Client) => client.reference_id);
		const { status, body } = await control('DELETE', '/clients', { reference_ids: ['ONB-NOBODY', id, id] });
		expect({ status, ids: body.map((client: Client) => client.reference_id) }).toEqual({ status: 200, ids: [id] });
		expect(clientsOf().get(id)).toBeUndefined();
	});

	it('change together, and unknown IDs are skipped', async () => {
		const reference_ids = clientsOf().ids().slice(20, 23);
		const changes = { reference_ids: [...reference_ids, 'ONB-UNKNOWN'], request_status: 'declined' };
		const { status, body } = await control('PATCH', '/clients', changes);
		expect(status).toBe(200);
		expect(body.map((client: Client) => client.reference_id)).toEqual(reference_ids);
		for (const id of reference_ids) expect(clientsOf().get(id)).toMatchObject({ request_status: 'Declined' });
	});

	it('get the same group token in the same group, existing or new', async () => {
		const [known] = clientsOf().all();
		const { body: mate } = await control('POST', '/clients', { group_name: known.group_name });
		expect(mate.group_token).toBe(known.group_token);
		const { body: first } = await control('POST', '/clients', { group_name: 'Founded Today' });
		const { body: second } = await control('PATCH', `/clients/${mate.reference_id}`, { group_name: 'Founded Today' });
		expect(second.group_token).toBe(first.group_token);
		expect(first.group_token).not.toBe(known.group_token);
	});

	it.each([
		['POST', '/clients?count=1001', {}, 'count must be a whole number from 1 to 1000.'],
		[
			'POST',
			'/clients?count=2',
			{ reference_id: 'one' },
			'A reference_id must be unique. Leave it out, or set count to 1.',
		],
		['POST', '/clients', { client_name: 'x'.repeat(501) }, 'client_name is limited to 500 characters.'],
		['DELETE', '/clients', { reference_ids: [] }, 'Send the clients to remove: {"reference_ids": ["ONB-6C609337"]}.'],
		[
			'DELETE',
			'/clients',
			{ reference_ids: ['a'], all: true },
			'Send the clients to remove: {"reference_ids": ["ONB-6C609337"]}.',
		],
		['PATCH', '/clients', { request_status: 'declined' }, 'Send clients and changes: '],
		['PATCH', '/clients', { reference_ids: ['a'] }, 'Send the fields to change, such as '],
		['PATCH', '/clients', { reference_ids: ['a'], request_status: 'gone' }, 'request_status must be one of: '],
		['DELETE', '/faults', { all: true }, 'DELETE /faults takes no body.'],
		['PATCH', '/lively', { per_minute: 601 }, 'per_minute must be a whole number from 0 to 600.'],
		['PATCH', '/lively', { per_minute: 1.5 }, 'per_minute must be a whole number from 0 to 600.'],
		['PATCH', '/lively', { per_minute: '6' }, 'Send the number of changes a minute: {"per_minute": 6}.'],
		['POST', '/clients', { reference_id: '..' }, 'reference_id must not be "." or "..".'],
		['POST', '/clients', { client_name: '\ud800' }, 'client_name is not valid Unicode text.'],
		['POST', '/clients', { client_name: '' }, 'client_name must not be empty.'],
		['POST', '/faults', { kind: ['status'] }, 'There is no fault "status". Choose from: '],
		['PATCH', '/behavior', { order: ['shuffled'] }, 'order cannot be "shuffled". Choose from: '],
		['PATCH', '/lively', { perMinute: 6 }, 'Send the number of changes a minute: {"per_minute": 6}.'],
	] as const)('and other bad input are refused with a message: %s %s with %j', async (method, path, sent, message) => {
		const { status, body } = await control(method, path, sent);
		expect(status).toBe(400);
		expect(body.message).toContain(message);
	});
});

describe('Automatic status changes', () => {
	it('stop when they are turned off, and add clients when no status is left to change', async () => {
		const lively = await startSandbox({ clients: 3 });
		const { clients } = lively.app.environment('sandbox');
		const set = (perMinute: number) =>
			request(`${lively.controlUrl}/lively`, { method: 'PATCH', body: JSON.stringify({ per_minute: perMinute }) });
		await set(600);
		while (clients.size === 3) await sleep(50);
		await set(0);
		const { revision } = clients;
		await sleep(300);
		expect(clients.revision).toBe(revision);
		expect(lively.app.environment('production').clients.revision).toBe(0);
		await lively.close();
	});
});

describe('A reader of the event stream', () => {
	/** Reads the event stream until it contains this text. */
	async function watch(until: string, act: () => unknown): Promise<string> {
		const { body } = await request(`${sandbox.controlUrl}/events`, { method: 'GET' });
		let text = '';
		for await (const chunk of body.setEncoding('utf8')) {
			if (text === '') await act();
			text += chunk;
			if (text.includes(until)) break;
		}
		return text;
	}

	it('gets every request with its faults and without secrets', async () => {
		sandbox.app.schedule('status:code=503,times=1');
		const caller = createCaller(sandbox.environments.sandbox);
		const tokens: string[] = [];
		const text = await watch('page_no=2', async () => {
			tokens.push((await caller.requestToken()).data.access_token);
			await caller.list({ page_no: 1, note: 'hush' });
			// Secrets may be pasted into a wrong field.
			const { apiKey } = sandbox.environments.sandbox;
			await caller.list({ group_name: tokens[0], client_email: `${apiKey} `, page_no: 2 });
		});
		expect(text).toMatch(/"path":"\/api\/v1\/clients-list\/\?page_no=1","status":503,"ms":\d+,"faults":\["status"\]/);
		expect(text).toContain('"path":"/api/v1/generate-access-token/","status":200');
		expect(text).not.toContain('hush');
		expect(text).toContain('group_name=%E2%80%A6&');
		expect(text).not.toContain(sandbox.environments.sandbox.apiKey);
		for (const token of tokens) expect(text).not.toContain(token);
	});

	it('gets changes of the settings', async () => {
		const text = await watch('"order":"shuffled"', () => sandbox.app.setBehavior({ order: 'shuffled' }));
		expect(text).toContain('event: state');
		sandbox.app.setBehavior({ order: 'created-ascending' });
	});
});

describe('Two hundred connections that never read their events', () => {
	it('do not fill the memory, and other readers still get events', async () => {
		const crowded = await startSandbox({ clients: 50 });
		const port = Number(new URL(crowded.controlUrl).port);
		const sockets: Socket[] = [];
		const answers: number[] = [];
		for (let count = 0; count < 200; count++) {
			const socket = connect(port, '127.0.0.1');
			socket.on('error', () => {});
			sockets.push(socket);
			socket.write('GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n');
			const first = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
			answers.push(Number(first.split(' ')[1]));
			socket.pause();
		}
		expect(new Set(answers)).toEqual(new Set([200]));
		// The whole state is sent twice a second, so a large one soon fills the buffer of a connection.
		for (let page = 1; page <= 2_000; page++) crowded.app.schedule(`status:page=${page},times=1`);
		const heapBytes = process.memoryUsage().heapUsed;
		for (let count = 0; count < 12; count++) {
			crowded.app.schedule(`latency:page=${count + 1}`);
			await sleep(500);
		}
		expect(process.memoryUsage().heapUsed - heapBytes).toBeLessThan(MOST_READERS * 2_000_000);
		const { body } = await request(`${crowded.controlUrl}/events`, { method: 'GET' });
		const [first] = (await body.setEncoding('utf8').take(1).toArray()) as string[];
		expect(first).toContain('event: state');

		let ended = 0;
		for (const socket of sockets) socket.once('close', () => (ended += 1)).resume();
		await sleep(1_000);
		expect(sockets.length - ended).toBeLessThanOrEqual(MOST_READERS);
		for (const socket of sockets) socket.destroy();
		await crowded.close();
	});
});

describe('A request body that is not text', () => {
	it('is refused with a message', async () => {
		const { status, text } = await ask('/clients', { method: 'POST', body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) });
		expect({ status, body: JSON.parse(text) }).toEqual({ status: 400, body: { message: 'The body is not UTF-8.' } });
	});
});

describe('A request body of ten megabytes', () => {
	it.each([
		['POST', '/clients'],
		['POST', '/faults'],
		['PATCH', '/behavior'],
	] as const)('is refused with a message and changes nothing: %s %s', async (method, path) => {
		const before = [clientsOf().revision, sandbox.app.faults(), sandbox.app.behavior()];
		const { status, body } = await control(method, path, { client_name: 'x'.repeat(10_000_000) });
		expect({ status, body }).toEqual({ status: 413, body: { message: 'The body is limited to 1 MB.' } });
		expect([clientsOf().revision, sandbox.app.faults(), sandbox.app.behavior()]).toEqual(before);
	});
});

describe('The test inbox', () => {
	const send = async (body: unknown) => await control('POST', '/messages', body as object);

	it('lists and counts its messages, newest first, until they are deleted', async () => {
		await send({ text: 'Ada was declined' });
		await send({ text: '<b>Bob</b>' });
		const texts = (await control('GET', '/messages')).body.map(({ text }: { text: string }) => text);
		expect(texts).toEqual(['<b>Bob</b>', 'Ada was declined']);
		expect((await control('GET', '/state')).body).toMatchObject({ messages: 2 });
		expect((await control('DELETE', '/messages')).body).toEqual([]);
		expect((await control('GET', '/state')).body).toMatchObject({ messages: 0 });
	});

	it.each([{}, { text: '' }, { text: ' ' }, { text: 5 }, { message: 'Ada' }, { text: 'Ada', color: 'red' }, []])(
		'refuses a bad message with an example of a good one: %j',
		async (body) => {
			const answer = await send(body);
			expect(answer.status).toBe(400);
			expect(answer.body.message).toContain('{"text": "Ada was declined"}');
		},
	);

	it('refuses more than 4,000 characters and keeps the last 100 messages', async () => {
		expect(await send({ text: 'a'.repeat(4_001) })).toMatchObject({ status: 400 });
		for (let sent = 1; sent <= 101; sent++) await send({ text: `Message ${sent}${'.'.repeat(30)}` });
		const { body } = await control('GET', '/messages');
		expect(body).toHaveLength(100);
		expect(body.at(-1).text).toMatch(/^Message 2\./);
	});

	it('redacts API keys', async () => {
		const { apiKey } = sandbox.environments.sandbox;
		expect((await send({ text: `The key is ${apiKey}` })).body.text).toBe('The key is …');
	});
});
