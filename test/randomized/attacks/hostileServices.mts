import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { json } from '../world/rawService.mts';
import { openTrap, wasTrapped } from '../world/sockets.mts';
import { ALL, expectMessage, expectRows, withService, type Answers } from './expectations.mts';
import { rightList, rightToken } from './rightResponses.mts';

const MEGABYTES = 5;
const LEVELS = 10_000;

const PROTOTYPE_KEYS = '"__proto__":{"isAdmin":true}';
const PROTOTYPE_CLIENT = `{"reference_id":"1",${PROTOTYPE_KEYS},"constructor":{"prototype":{"isAdmin":true}}}`;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Each returns the broken promises. */
export const HOSTILE_SERVICES: Record<string, () => Promise<string[]>> = {
	'a token with a header in it': async () =>
		await withService({ token: () => json(rightToken('abc\r\nX-Injected: yes')) }, async ({ engine, host, asked }) => [
			...(await expectMessage(
				engine.run({ parameters: ALL }),
				new RegExp(`^${host} returned no access token \\(status 200\\)\\. Check the API key`),
			)),
			...(asked.list > 0 ? ['it was used'] : []),
		]),
	'messages that repeat the secrets': async () => {
		const list: Answers['list'] = ({ secret }, { apiKey }) =>
			json({ status_code: 409, message: `${secret} of ${apiKey}`, data: null }, 409);
		return await withService(
			{ list },
			async ({ engine }) =>
				await expectMessage(engine.run({ parameters: ALL }), /rejected the request \(status 409\): … of …$/),
		);
	},
	'redirects of every kind from the token endpoint': async () => await redirect('token'),
	'redirects of every kind from the list': async () => await redirect('list'),
	'a right response of 5 MB': async () =>
		await withService(
			{ list: () => sendPadded(' ', JSON.stringify(rightList(3))) },
			async ({ engine }) => await expectRows(engine.run({ parameters: ALL }), 3),
		),
	'5 MB of letters': async () =>
		await withService({ list: () => sendPadded('x', 'x') }, async ({ engine, host }) => {
			const text = new RegExp(`^${host} returned unexpected data \\(status 200\\) instead of clients$`);
			return await expectMessage(engine.run({ parameters: ALL }), text);
		}),
	'a response 10,000 levels deep': async () =>
		await withService(
			{ list: () => text(`{"status_code":200,"data":${nested()}}`) },
			async ({ engine }) => await expectRows(engine.run({ parameters: ALL }), 0),
		),
	'a field 10,000 levels deep': async () => {
		const list = () =>
			text(`{"status_code":200,"data":{"total_count":1,"results":[{"reference_id":"1","deep":${nested()}}]}}`);
		return await withService({ list }, async ({ engine }) => await expectRows(engine.run({ parameters: ALL }), 1));
	},
	'keys that mean something to JavaScript': async () => {
		const list = () =>
			text(
				`{${PROTOTYPE_KEYS},"status_code":200,"data":{${PROTOTYPE_KEYS},"total_count":1,"results":[${PROTOTYPE_CLIENT}]}}`,
			);
		return await withService({ list }, async ({ engine }) => {
			const { json: rows } = await engine.run({
				parameters: { ...ALL, options: { fields: ['reference_id', '__proto__', 'constructor'] } },
			});
			const isAsSent = JSON.stringify(rows) === `[${PROTOTYPE_CLIENT}]`;
			return 'isAdmin' in {} || !isAsSent
				? [`prototypes were touched, or the client is not as it was sent: ${JSON.stringify(rows)}`]
				: [];
		});
	},
	'fields that are no text': async () => {
		const strange = rightList(3);
		for (const client of strange.data.results)
			for (const field of Object.keys(client).slice(1)) client[field] = { toString: 1, valueOf: [] };
		const filters = { clientEmail: 'x', clientType: 'company', requestStatus: ['pending'], createdAfter: '2025-01-01' };
		return await withService({ list: () => json(strange) }, async ({ engine }) => {
			const runs = await Promise.all([
				expectRows(engine.run({ parameters: ALL }), 3),
				expectRows(engine.run({ parameters: { ...ALL, filters } }), 0),
				expectRows(engine.run({ parameters: { operation: 'count' } }), 1),
				expectRows(engine.run({ parameters: { operation: 'listGroups' } }), 1),
			]);
			return runs.flat();
		});
	},
	'garbage that is collected while it waits': async () => {
		const list: Answers['list'] = ({ count }) =>
			count === 1 ? json({ status_code: 503, message: 'busy', data: null }, 503) : json(rightList(3));
		return await withService({ list }, async ({ engine }) => {
			const collect = setInterval(collectGarbage, 50);
			const ended = expectRows(engine.run({ parameters: ALL }), 3);
			const broken = await Promise.race([ended, sleep(30_000, ['it waits for ever'], { ref: false })]);
			clearInterval(collect);
			return broken;
		});
	},
	'a response of one byte a second': async () =>
		await dribble('list', /^Timeout: no complete response from \S+ within 1 second/),
	'a token of one byte a second': async () =>
		await dribble('token', /^Could not get an access token from \S+: no complete response in time \(timeout\)/),
};

/** A chain of redirects to paths of this host and, at the end, to another host. */
async function redirect(endpoint: 'token' | 'list'): Promise<string[]> {
	const place = randomUUID();
	const trap = await openTrap();
	const path = endpoint === 'token' ? 'generate-access-token' : 'clients-list';
	const follow = async (status: number) => {
		const answer: Answers['list'] = ({ count }) => ({
			status,
			headers: { location: count < 3 ? `/api/v1/${path}/${count}` : `${trap}/${place}` },
			body: Buffer.alloc(0),
		});
		return await withService({ [endpoint]: answer }, async ({ engine, asked }) => [
			...(await expectMessage(
				engine.run({ parameters: ALL }),
				/returned a redirect to another address \(status 30\d\)/,
			)),
			...(asked[endpoint] > 2 ? [`${status} was followed`] : []),
		]);
	};
	const broken = await Promise.all([301, 302, 303, 307, 308].map(follow));
	return [...broken.flat(), ...(wasTrapped(place) ? ['the other host was asked'] : [])];
}

/** The timeout limits the whole response: the run ends before half of the bytes could be sent. */
async function dribble(endpoint: 'token' | 'list', message: RegExp): Promise<string[]> {
	const body = JSON.stringify(endpoint === 'token' ? rightToken('x') : rightList(0));
	const send = () => async (response: ServerResponse) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
		for (let sent = 0; sent < body.length && !response.destroyed; sent++) {
			response.write(body[sent]);
			await sleep(1_000);
		}
	};
	return await withService({ [endpoint]: send }, async ({ engine }) => {
		const ended = expectMessage(engine.run({ parameters: { ...ALL, options: { timeout: 1 } } }), message);
		return await Promise.race([ended, sleep((body.length * 1_000) / 2, ['it waits for all bytes'], { ref: false })]);
	});
}

function nested(): string {
	return '{"a":['.repeat(LEVELS / 2) + ']}'.repeat(LEVELS / 2);
}

function text(body: string) {
	return { ...json(''), body: Buffer.from(body) };
}

function sendPadded(padding: string, end: string) {
	return (response: ServerResponse) => {
		const megabyte = Buffer.alloc(1024 * 1024, padding);
		response.writeHead(200, { 'content-type': 'application/json' });
		for (let sent = 0; sent < MEGABYTES; sent++) response.write(megabyte);
		response.end(end);
	};
}
