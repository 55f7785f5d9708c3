import { randomUUID } from 'node:crypto';
import type { Client } from '../../../sandbox/data/client.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { Engine, sandboxCredential } from '../../support/engine.mts';
import { forgetSecret, trackSecret } from '../../support/secrets.mts';
import { TRAP, type Case } from './cases.mts';
import { disguise, makeClients, type Sent } from './clients.mts';
import type { Clock } from './clock.mts';
import { countLeftOpen, openTrap, wasTrapped } from '../sockets.mts';

const MOVES = 3;
/** A run with more requests counts as endless. */
const ENDLESS = 5_000;

let worlds = 0;

/** The package keeps what it learned about an address for an hour. Ports are reused sooner, so each case has its own host. */
function nextHost(): string {
	worlds += 1;
	return `127.1.${Math.floor(worlds / 250)}.${1 + (worlds % 250)}`;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The service of a case, an n8n that uses it, and a record of the requests. */
export async function openWorld(testCase: Case, clock: Clock) {
	const id = randomUUID();
	const secrets = [`key-${id}`];
	const requests = { list: 0, token: 0, other: 0 };
	const changed = new Map<string, Sent[]>();
	const met = { spoiled: 0, rateLimited: 0, revoked: 0, beforeFirstPage: 0 };
	let pages = 0;

	const sandbox = await startSandbox({
		control: false,
		host: nextHost(),
		productionClients: 0,
		apiKey: secrets[0],
		clients: makeClients(testCase),
		seed: testCase.seed,
		now: () => clock.now(),
		behavior: testCase.behavior,
		maxPageLimit: testCase.maxPageLimit,
		requestsPerMinute: testCase.requestsPerMinute,
		singleToken: testCase.isSingleToken,
		tokenRequests: testCase.tokenRequests,
		tokenLifetimeSeconds: testCase.tokenLifetimeMs / 1000,
		faults: await Promise.all(testCase.faults.map(async (fault) => fault.replace(TRAP, `${await openTrap()}/${id}`))),
		onRequest({ endpoint, count }) {
			requests[endpoint] += 1;
			if (requests.list + requests.token > ENDLESS * (1 + testCase.rivals)) throw new Error('This never ends');
			if (endpoint !== 'list') return;
			if (testCase.revokeAt === count) {
				tokens.revokeAll();
				met.revoked += 1;
			}
			if (testCase.moves !== 'none' && count > 1 && count < 2 + MOVES) noteChanges(makeMoves(testCase.moves, count));
		},
		onAnswer(_info, { status, body, spoiledBy = [] }) {
			if (status === 429) met.rateLimited += 1;
			if (spoiledBy.length > 0) met.spoiled += 1;
			if (spoiledBy.length > 0 && pages === 0) met.beforeFirstPage += 1;
			const { data } = Object(body) as { data?: { access_token?: string; results?: Client[] } };
			if (data?.access_token) track(data.access_token);
			if (!data?.results) return;
			if (spoiledBy.length === 0) pages += 1;
			Object.assign(data, { results: data.results.map((client) => disguise(client, testCase)) });
		},
	});
	const { clients, tokens, served } = sandbox.app.environment('sandbox');
	const { url, apiKey } = sandbox.environments.sandbox;
	const { host } = new URL(url);
	trackSecret(apiKey);

	function track(token: string): void {
		secrets.push(token);
		trackSecret(token);
	}

	/** Changes the list at its nth request; returns the IDs of all clients that are different then. */
	function makeMoves(move: Exclude<Case['moves'], 'none'>, count: number): string[] {
		const add = (name: number | string) => clients.add({ reference_id: `added ${name}` });
		const [one] = count % 2 ? clients.ids().slice(count - 2) : clients.ids().slice(-2);
		const moves: Record<typeof move, () => Client[]> = {
			added: () => [add(count)],
			removed: () => [clients.remove(one)],
			swapped: () => [clients.remove(one), add(count)],
			changed: () => [clients.setStatus(one, 'Accepted')],
			imported: () =>
				Array.from({ length: (count * testCase.maxPageLimit) / 4 }, (_, index) => add(`${count} ${index}`)),
			overtaken: overtake,
		};
		return moves[move]().map(({ reference_id }) => reference_id);
	}

	/** In the order of statuses, a client moves from the end of the list to its beginning, and another one there is removed. */
	function overtake(): Client[] {
		const has = (status: string) => (client: Client) => client.request_status === status;
		const all = [...clients.all()];
		const [leaving, moving] = [all.find(has('Accepted')), all.filter(has('Requested')).at(-1)];
		return [
			...(leaving ? [clients.remove(leaving.reference_id)] : []),
			...(moving ? [clients.setStatus(moving.reference_id, 'Accepted')] : []),
		];
	}

	function noteChanges(ids: string[]): void {
		for (const each of ids) if (!changed.has(each)) changed.set(each, []);
		for (const client of served()) changed.get(client.reference_id)?.push(disguise(client, testCase));
	}

	return {
		host,
		engine: new Engine(sandboxCredential(url, apiKey)),
		requests,
		/** All clients as they are sent now. */
		sent: (): Sent[] => Array.from(served(), (client) => disguise(client, testCase)),
		/** By ID, the records of clients that were added, removed or changed during the run. */
		changed,
		met,
		/** The faults that hit a request. */
		faultsMet: () => testCase.faults.filter((_, index) => sandbox.app.faults()[index].hits > 0),
		/** Ends the service and returns what was left behind. */
		async close(): Promise<string[]> {
			const leftOpen = await countLeftOpen(host);
			await sandbox.close();
			secrets.forEach(forgetSecret);
			return [
				...(leftOpen > 0 ? [`${leftOpen} connections are left open`] : []),
				...(wasTrapped(id) ? ['a redirect was followed'] : []),
			];
		},
	};
}
