import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { pauses } from '../support/haste.mts';
import { forgetSecret, trackSecret } from '../support/secrets.mts';
import { change, changes } from './attacks/changedResponse.mts';
import { json, rightList, rightToken, text, withService, type Answer, type Endpoint } from './attacks/rawService.mts';
import { randomly } from './randomly.mts';
import { openTrap, wasTrapped } from './sockets.mts';

const MEGABYTE = 1024 * 1024;
const MAX_REQUESTS = 200;
const ENDPOINTS: Endpoint[] = ['token', 'list'];
const ALL = { returnAll: true };
const DEEP = '{"a":['.repeat(5_000) + ']}'.repeat(5_000);

pauses.divisor = 100;

/** How many items the run returns, or the message that it ends with. */
async function runWith(answers: Partial<Record<Endpoint, Answer>>, parameters: INodeParameters = ALL) {
	let outcome: number | string = '';
	await withService(answers, async ({ engine, host }) => {
		const { json: items, error } = await engine.run({ parameters });
		if (error) expect(items).toEqual([]);
		outcome = error?.message.replace(host, '<host>') ?? items.length;
	});
	return outcome;
}

// Whether a secret is visible in the run or its message is checked after every run.
describe('A list response', () => {
	const strange = rightList(3);
	for (const client of strange.data.results)
		for (const field of Object.keys(client).slice(1)) client[field] = { toString: 1, valueOf: [] };
	const filters = { clientEmail: 'x', clientType: 'company', requestStatus: ['pending'], createdAfter: '2025-01-01' };
	const send = (start: string, end: string) => () => (response: ServerResponse) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		for (let sent = 0; sent < 5; sent++) response.write(Buffer.alloc(MEGABYTE, start));
		response.end(end);
	};
	it.each<{ attack: string; list: Answer; outcome: number | RegExp; parameters?: INodeParameters }>([
		{
			attack: 'that repeats key and token in its message leads to a message without them',
			list: ({ secret }, { apiKey }) => json({ status_code: 409, message: `${secret} of ${apiKey}`, data: null }, 409),
			outcome: /^<host> rejected the request \(status 409\): … of …$/,
		},
		{ attack: 'of 5 MB is read', list: send(' ', JSON.stringify(rightList(3))), outcome: 3 },
		{
			attack: 'of 5 MB that is no JSON leads to a message',
			list: send('x', 'x'),
			outcome: /^<host> returned unexpected data \(status 200\) instead of clients$/,
		},
		{
			attack: '10,000 levels deep is an empty list',
			list: () => text(`{"status_code":200,"data":${DEEP}}`),
			outcome: 0,
		},
		{
			attack: 'with a field 10,000 levels deep is read',
			list: () => text(`{"status_code":200,"data":{"total_count":1,"results":[{"reference_id":"1","deep":${DEEP}}]}}`),
			outcome: 1,
		},
		{
			attack: 'with a client that is null leads to a message',
			list: () => json({ ...strange, data: { ...strange.data, results: [null] } }),
			outcome: /^<host> returned unexpected data/,
		},
		{ attack: 'with fields that are no text is listed', list: () => json(strange), outcome: 3 },
		{
			attack: 'with fields that are no text is filtered',
			list: () => json(strange),
			outcome: 0,
			parameters: { ...ALL, filters },
		},
		{
			attack: 'with fields that are no text is counted',
			list: () => json(strange),
			outcome: 1,
			parameters: { operation: 'count' },
		},
		{
			attack: 'with fields that are no text is grouped',
			list: () => json(strange),
			outcome: 1,
			parameters: { operation: 'listGroups' },
		},
	])('$attack', async ({ list, outcome, parameters }) => {
		const actual = await runWith({ list }, parameters);
		if (typeof outcome === 'number') expect(actual).toBe(outcome);
		else expect(actual).toMatch(outcome);
	});

	it('with keys that mean something to JavaScript is returned as it was sent', async () => {
		const keys = '"__proto__":{"isAdmin":true}';
		const client = `{"reference_id":"1",${keys},"constructor":{"prototype":{"isAdmin":true}}}`;
		const list = () => text(`{${keys},"status_code":200,"data":{${keys},"total_count":1,"results":[${client}]}}`);
		await withService({ list }, async ({ engine }) => {
			const options = { fields: ['reference_id', '__proto__', 'constructor'] };
			const { json: items } = await engine.run({ parameters: { ...ALL, options } });
			expect(JSON.stringify(items)).toBe(`[${client}]`);
			expect('isAdmin' in {}).toBe(false);
		});
	});
});

it('A token with a line break in it is refused and not sent', async () => {
	const token = () => json(rightToken('abc\r\nX-Injected: yes'));
	await withService({ token }, async ({ engine, host, asked }) => {
		const { error } = await engine.run({ parameters: ALL });
		expect(error?.message).toMatch(`${host} returned no access token (status 200). Check the API key`);
		expect(asked.list).toBe(0);
	});
});

describe.each(ENDPOINTS)('The %s endpoint', (endpoint) => {
	it.each([301, 302, 303, 307, 308])('that redirects with status %i is not followed', async (status) => {
		const place = randomUUID();
		const path = endpoint === 'token' ? 'generate-access-token' : 'clients-list';
		const locations = [`/api/v1/${path}/other`, `${await openTrap()}/${place}`];
		for (const location of locations) {
			const outcome = await runWith({ [endpoint]: () => ({ status, headers: { location }, body: Buffer.alloc(0) }) });
			expect(outcome).toMatch(/returned a redirect to another address \(status 30\d\)/);
		}
		expect(wasTrapped(place)).toBe(false);
	});

	it('that sends five bytes a second leads to a timeout', async () => {
		const body = JSON.stringify(endpoint === 'token' ? rightToken('x') : rightList(0));
		const drip = () => async (response: ServerResponse) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
			for (let sent = 0; sent < body.length && !response.destroyed; sent++) {
				response.write(body[sent]);
				await sleep(200);
			}
		};
		const outcome = await runWith({ [endpoint]: drip }, { ...ALL, options: { timeout: 1 } });
		expect(outcome).toMatch(
			endpoint === 'token'
				? /^Could not get an access token from <host>: no complete response in time \(timeout\)/
				: /^Timeout: no complete response from <host> within 1 second/,
		);
	});
});

describe('A credential', () => {
	const NO_KEY = /^"API Key" contains a space, a line break or a character that API keys cannot have/;

	it.each<[changes: Record<string, string>, message: RegExp]>([
		[{ sandboxBaseUrl: 'http://someone:SECRET@127.0.0.1:1' }, /must not contain a username or password$/],
		[{ sandboxBaseUrl: 'http://127.0.0.1:1/?key=SECRET' }, /must not contain "\?" or "#"$/],
		[{ sandboxBaseUrl: 'http://127.0.0.1:1/#SECRET' }, /must not contain "\?" or "#"$/],
		[{ sandboxBaseUrl: 'http://127.0.0.1:1/\r\nX-Injected: yes' }, /is not a valid URL/],
		[{ sandboxBaseUrl: 'file:///etc/passwd' }, /must start with/],
		[{ sandboxBaseUrl: 'javascript:alert(1)' }, /must start with/],
		[{ environment: 'production', productionBaseUrl: 'http://127.0.0.1:1' }, /must start with https:/],
		[{ apiKey: 'SECRET\r\nX-Injected: yes' }, NO_KEY],
		[{ apiKey: 'SECRET😀' }, NO_KEY],
	])('with %j is refused, and nothing of it is sent or shown', async (invalid, message) => {
		const secret = randomUUID();
		trackSecret(secret);
		const entries = Object.entries(invalid).map(([field, value]) => [field, value.replace('SECRET', secret)]);
		await withService({}, async ({ engine, asked }) => {
			engine.edit(Object.fromEntries(entries));
			expect((await engine.run({ parameters: ALL })).error?.message).toMatch(message);
			expect(await engine.testCredential()).toEqual({ status: 'Error', message: expect.stringMatching(message) });
			expect(asked).toEqual({ token: 0, list: 0 });
		});
		forgetSecret(secret);
	});
});

randomly('Changed responses lead to items or to one message that names the host, without secrets', {
	draw: fc.record({
		clients: fc.nat(3),
		endpoint: fc.constantFrom(...ENDPOINTS),
		/** All responses of the endpoint, or the first. */
		isLasting: fc.nat(19).map((chance) => chance === 19),
		isEcho: fc.boolean(),
		changes,
		parameters: fc.constantFrom<INodeParameters>(
			ALL,
			{ ...ALL, filters: { clientType: 'company', requestStatus: ['pending'], createdAfter: '2025-01-01' } },
			{ ...ALL, filters: { clientEmail: 'client-1' }, options: { textMatch: 'part' } },
			{ operation: 'count' },
			{ operation: 'listGroups' },
			{ operation: 'find', findBy: 'email', email: 'client-1@example.com' },
			{ operation: 'find', referenceId: 'ID 2' },
		),
	}),
	runs: { quick: 60, deep: 2_000, long: 30_000 },
	block: 500,
	check: async ({ clients, endpoint, isLasting, isEcho, changes, parameters }) => {
		const list: Answer = () => json(rightList(clients));
		const answer: Answer = ({ secret, count }, { token }) => {
			const right = endpoint === 'token' ? rightToken(token) : rightList(clients);
			if (count > 1 && !isLasting) return json(right);
			// Damaged bytes may cut a secret in two, which is then not found.
			return isEcho
				? change({ ...right, message: `You sent ${secret}`, debug: secret }, { ...changes, damage: undefined })
				: change(right, changes);
		};
		await withService({ list, [endpoint]: answer }, async ({ engine, host, asked }) => {
			const { error } = await engine.run({ parameters });
			if (error) expect(error.name).toMatch(/^Node(Api|Operation)Error$/);
			if (error) expect(error.message).toContain(host);
			expect(asked.list + asked.token).toBeLessThanOrEqual(MAX_REQUESTS);
		});
	},
});
