import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ServerResponse } from 'node:http';
import { forgetSecret, rememberSecret } from '../support/secrets.mts';
import type { Case } from './cases.mts';
import type { Outcome } from './outcome.mts';
import { json, serveRaw, type RawService } from './rawService.mts';
import { rightList, rightToken } from './rightAnswers.mts';
import { openTrap, wasTrapped } from './sockets.mts';

const MEGABYTE = 1024 * 1024;
const LEVELS = 10_000;
const ALL = { returnAll: true };

/** Each returns what it found broken. */
const HOSTILE: Record<string, () => Promise<string[]>> = {
	'an address with a password in it': async () => await expectRefusal({ sandboxBaseUrl: 'http://someone:SECRET@127.0.0.1:1' }, /^"Sandbox Base URL" must not contain a user name or password$/),
	'an address with a user name in it': async () => await expectRefusal({ sandboxBaseUrl: 'http://SECRET@127.0.0.1:1' }, /^"Sandbox Base URL" must not contain a user name or password$/),
	'an address with a fragment': async () => await expectRefusal({ sandboxBaseUrl: 'http://127.0.0.1:1/#SECRET' }, /^"Sandbox Base URL" must not contain "\?" or "#"$/),
	'an address with a query': async () => await expectRefusal({ sandboxBaseUrl: 'http://127.0.0.1:1/?key=SECRET' }, /^"Sandbox Base URL" must not contain "\?" or "#"$/),
	'an address with a line break': async () => await expectRefusal({ sandboxBaseUrl: 'http://127.0.0.1:1/\r\nX-Injected: yes' }, /^"Sandbox Base URL" is not a web address/),
	'an address with a control character': async () => await expectRefusal({ sandboxBaseUrl: 'http://127.0.0.1:1/\u0001' }, /^"Sandbox Base URL" is not a web address/),
	'an address of a file': async () => await expectRefusal({ sandboxBaseUrl: 'file:///etc/passwd' }, /^"Sandbox Base URL" (is not a web address|has to start with)/),
	'an address of a script': async () => await expectRefusal({ sandboxBaseUrl: 'javascript:alert(1)' }, /^"Sandbox Base URL" (is not a web address|has to start with)/),
	'an address without encryption for production': async () => await expectRefusal({ environment: 'production', productionBaseUrl: 'http://127.0.0.1:1' }, /^"Production Base URL" has to start with https:/),
	'an API key with a header in it': async () => await expectRefusal({ apiKey: 'SECRET\r\nX-Injected: yes' }, /^"API Key" contains a space, a line break or a special character/),
	'an API key with a line break': async () => await expectRefusal({ apiKey: 'SEC\nRET' }, /^"API Key" contains a space, a line break or a special character/),
	'an API key that no header can carry': async () => await expectRefusal({ apiKey: 'SECRET😀' }, /^"API Key" contains a space, a line break or a special character/),
	'an API key with space around it': async () => await withService({}, async ({ engine, apiKey }) => {
		engine.edit({ apiKey: `\t ${apiKey} \r\n` });
		return await expectClients(engine.run({ parameters: ALL }), 3);
	}),
	'a token with a header in it': async () => await withService({ token: () => json(rightToken('abc\r\nX-Injected: yes')) }, async ({ engine, host, asked }) => [
		...(await expectMessage(engine.run({ parameters: ALL }), new RegExp(`^${host} gave no access token for the API key`))),
		...(asked.list > 0 ? ['the list was asked with it'] : []),
	]),
	'messages that repeat the secrets': async () => await withService({ list: ({ secret }, { apiKey }) => json({ status_code: 409, message: `${secret} of ${apiKey}`, data: null }, 409) }, async ({ engine }) =>
		await expectMessage(engine.run({ parameters: ALL }), /did not accept the request: … of …$/)),
	'redirects of every kind from the token endpoint': async () => await followRedirects('token'),
	'redirects of every kind from the list': async () => await followRedirects('list'),
	'a right answer of 100 MB': async () => await withService({ list: () => sendPadded(JSON.stringify(rightList(3))) }, async ({ engine }) => await expectClients(engine.run({ parameters: ALL }), 3)),
	'100 MB of letters': async () => await withService({ list: () => sendPadded('x', 'x') }, async ({ engine, host }) =>
		await expectMessage(engine.run({ parameters: ALL }), new RegExp(`^There is no client onboarding service at ${host}: it answered with something else, status 200$`))),
	'an answer 10,000 levels deep': async () => await withService({ list: () => deepAnswer('{"status_code":200,"data":', '}') }, async ({ engine, host }) =>
		await expectMessage(engine.run({ parameters: ALL }), new RegExp(`^There is no client onboarding service at ${host}: its answer holds no list of clients$`))),
	'a field 10,000 levels deep': async () => await withService({ list: () => deepAnswer('{"status_code":200,"data":{"total_count":1,"results":[{"reference_id":"1","deep":', '}]}}') }, async ({ engine }) => {
		const { json: rows, error } = await engine.run({ parameters: ALL });
		return error || rows.length === 1 ? [] : ['neither the client nor a message'];
	}),
	'keys that mean something to JavaScript': async () => await withService({ list: () => PROTOTYPES }, async ({ engine }) => {
		const { json: rows } = await engine.run({ parameters: { ...ALL, options: { fields: ['reference_id', '__proto__', 'constructor'] } } });
		const isAsSent = JSON.stringify(rows) === '[{"reference_id":"1","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}]';
		return 'isAdmin' in {} || !isAsSent ? [`prototypes were touched, or the client is not as it was sent: ${JSON.stringify(rows)}`] : [];
	}),
	'fields that are no text': async () => await withService({ list: () => json(STRANGE) }, async ({ engine }) => {
		const filters = { clientEmail: 'x', groupName: { __rl: true, mode: 'name', value: 'x' }, clientType: 'company', requestStatus: ['pending'], createdAfter: '2025-01-01' };
		const runs = await Promise.all([
			expectClients(engine.run({ parameters: ALL }), 3),
			expectClients(engine.run({ parameters: { ...ALL, filters } }), 0),
			expectClients(engine.run({ parameters: { operation: 'count' } }), 1),
			expectClients(engine.run({ parameters: { operation: 'listGroups' } }), 1),
		]);
		return runs.flat();
	}),
	'garbage that is collected while it waits': async () => await withService({ list: ({ count }) => (count === 1 ? json({ status_code: 503, message: 'busy', data: null }, 503) : json(rightList(3))) }, async ({ engine }) => {
		const collect = setInterval(collectGarbage, 50);
		const over = sleep(30_000, undefined, { ref: false });
		const rows = await Promise.race([engine.run({ parameters: ALL }).then(({ json: clients }) => clients.length), over]);
		clearInterval(collect);
		return rows === 3 ? [] : [`${rows ?? 'no'} clients came`];
	}),
	'an answer of one byte a second': async () => await dribble('list', { ...ALL, options: { timeout: 2 } }),
	'a token of one byte a second': async () => await dribble('token', ALL),
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const STRANGE = rightList(3);
for (const client of STRANGE.data.results) for (const field of Object.keys(client).slice(1)) client[field] = { toString: 1, valueOf: [] };

const PROTOTYPES = {
	...json(''),
	body: Buffer.from('{"__proto__":{"isAdmin":true},"status_code":200,"data":{"__proto__":{"isAdmin":true},"total_count":1,"results":[{"reference_id":"1","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}]}}'),
};

/** Something a service or a credential might do on purpose: the one with this name, or each. */
export async function runHostile({ name }: Case): Promise<Outcome> {
	const names = name === '' ? Object.keys(HOSTILE) : [name];
	const findings = await Promise.all(names.map(async (each) => ({ name: each, broken: await HOSTILE[each]() })));
	const [culprit] = findings.filter(({ broken }) => broken.length > 0);
	const broken = findings.flatMap((finding) => finding.broken.map((text) => `${finding.name}: ${text}`));
	return { broken, clients: 0, requests: names.length, faults: names.length, culprit: culprit && { name: culprit.name } };
}

type Answers = Partial<Record<'token' | 'list', Parameters<typeof serveRaw>[0]>>;

async function withService(answers: Answers, work: (service: RawService) => Promise<string[]>): Promise<string[]> {
	const service = await serveRaw((request, self) => answers[request.endpoint]?.(request, self) ?? json(request.endpoint === 'token' ? rightToken(self.token) : rightList(3)));
	const broken = await work(service);
	return (await service.close()) > 0 ? [...broken, 'a connection is left open'] : broken;
}

/** A credential that cannot work is refused with a text that names the field; nothing is sent and nothing shown of it. */
async function expectRefusal(changes: Record<string, string>, text: RegExp): Promise<string[]> {
	const secret = randomUUID();
	rememberSecret(secret);
	const broken = await withService({}, async ({ engine, asked }) => {
		engine.edit(Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, value.replace('SECRET', secret)])));
		const run = await expectMessage(engine.run({ parameters: ALL }), text);
		const { status, message } = await engine.testCredential();
		const verdict = status === 'Error' && text.test(message) ? [] : [`the credential is judged ${status} "${message}"`];
		return [...run, ...verdict, ...(asked.list + asked.token > 0 ? ['a request was sent'] : [])];
	});
	forgetSecret(secret);
	return broken;
}

type Run = ReturnType<RawService['engine']['run']>;

async function expectMessage(running: Run, text: RegExp): Promise<string[]> {
	const { json: rows, error } = await running;
	return rows.length === 0 && error && text.test(error.message) ? [] : [`${rows.length} clients and the message "${error?.message}"`];
}

async function expectClients(running: Run, count: number): Promise<string[]> {
	const { json: rows, error } = await running;
	return rows.length === count && !error ? [] : [`${rows.length} clients and the message "${error?.message}"`];
}

/** A chain: each answer leads to another place here or, in the end, on another host. */
async function followRedirects(endpoint: 'token' | 'list'): Promise<string[]> {
	const place = randomUUID();
	const trap = await openTrap();
	const broken = await Promise.all(
		[301, 302, 303, 307, 308].map(async (status) => {
			const answer: Answers['list'] = ({ count }) => ({ status, headers: { location: count < 3 ? `/api/v1/${endpoint === 'token' ? 'generate-access-token' : 'clients-list'}/${count}` : `${trap}/${place}` }, body: Buffer.alloc(0) });
			return await withService({ [endpoint]: answer }, async ({ engine, asked }) => [
				...(await expectMessage(engine.run({ parameters: ALL }), /points to another address/)),
				...(asked[endpoint] > 1 ? [`${status} was followed`] : []),
			]);
		}),
	);
	return [...broken.flat(), ...(wasTrapped(place) ? ['the other host was asked'] : [])];
}

function deepAnswer(before: string, after: string) {
	return { ...json(''), body: Buffer.from(`${before}${'{"a":['.repeat(LEVELS / 2)}${']}'.repeat(LEVELS / 2)}${after}`) };
}

function sendPadded(end: string, padding = ' ') {
	return (response: ServerResponse) => {
		const megabyte = Buffer.alloc(MEGABYTE, padding);
		response.writeHead(200, { 'content-type': 'application/json' });
		for (let sent = 0; sent < 100; sent++) response.write(megabyte);
		response.end(end);
	};
}

/** The timeout holds for the whole answer: the run is over before a third of the bytes could have come. */
async function dribble(endpoint: 'token' | 'list', parameters: Record<string, never> | object): Promise<string[]> {
	const body = Buffer.from(JSON.stringify(endpoint === 'token' ? rightToken('x'.repeat(1_000)) : rightList(0)));
	const send = () => async (response: ServerResponse) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
		for (let sent = 0; sent < body.length && !response.destroyed; sent++) {
			response.write(body.subarray(sent, sent + 1));
			await sleep(1_000);
		}
	};
	return await withService({ [endpoint]: send }, async ({ engine }) => {
		const ended = expectMessage(engine.run({ parameters: parameters as never }), /no complete answer within \d+ s/);
		return await Promise.race([ended, sleep((body.length * 1_000) / 3, ['it waits for all bytes'], { ref: false })]);
	});
}
