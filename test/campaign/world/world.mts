import { randomUUID } from 'node:crypto';
import type { Client } from '../../../sandbox/data/client.mts';
import { startSandbox } from '../../../sandbox/server.mts';
import { Engine, sandboxCredential } from '../../support/engine.mts';
import { forgetSecret, rememberSecret } from '../../support/secrets.mts';
import { TRAP, type Case } from '../cases/cases.mts';
import { disguise, makeClients, type Sent } from '../cases/data.mts';
import type { Met } from '../promises/bounds.mts';
import { countLeftOpen, openTrap, wasTrapped } from './sockets.mts';

const MOVES = 3;
/** A run that asks more than this never ends. */
const ENDLESS = 5_000;
/** Tests wait a tenth of the usual time: a service with a lower rate would have refused five tries by then. */
export const REQUESTS_PER_SECOND = 120;

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A service as a case wants it, an n8n that uses it, and a record of what happens. */
export async function openWorld(testCase: Case) {
	const id = randomUUID();
	const secrets = [`key-${id}`];
	const asked = { list: 0, token: 0, other: 0 };
	const changed = new Map<string, Sent[]>();
	let throttled = 0;

	const sandbox = await startSandbox({
		control: false,
		productionClients: 0,
		apiKey: secrets[0],
		clients: makeClients(testCase),
		seed: testCase.seed,
		dialect: testCase.dialect,
		maxPageLimit: testCase.maxPageLimit,
		requestsPerSecond: REQUESTS_PER_SECOND,
		singleToken: testCase.isSingleToken,
		tokenRequests: testCase.tokenRequests,
		tokenLifetimeSeconds: testCase.tokenLifetimeMs / 1000,
		faults: await Promise.all(testCase.faults.map(async (fault) => fault.replace(TRAP, `${await openTrap()}/${id}`))),
		onRequest({ endpoint, count }) {
			asked[endpoint] += 1;
			if (asked.list + asked.token > ENDLESS * (1 + testCase.rivals)) throw new Error('This never ends');
			if (endpoint !== 'list') return;
			if (testCase.revokeAt.includes(count)) tokens.revokeAll();
			if (count > 1 && count < 2 + MOVES) noteChanges(makeMoves(count));
		},
		onAnswer(_info, answer) {
			if (answer.status === 429) throttled += 1;
			const { data } = Object(answer.body) as { data?: { access_token?: string; results?: Client[] } };
			if (data?.access_token) remember(data.access_token);
			if (data?.results) Object.assign(data, { results: data.results.map((client) => disguise(client, testCase)) });
		},
	});
	const { clients, tokens, served } = sandbox.app.environment('sandbox');
	const { url, apiKey } = sandbox.environments.sandbox;
	rememberSecret(apiKey);

	function remember(token: string): void {
		secrets.push(token);
		rememberSecret(token);
	}

	/** What happens to the list before it is asked for the nth time; who is different then. */
	function makeMoves(count: number): string[] {
		const add = (name: number | string) => clients.add({ reference_id: `added ${name}` });
		const [one] = count % 2 ? clients.ids().slice(count - 2) : clients.ids().slice(-2);
		const moves: Record<Case['moves'], () => Client[]> = {
			none: () => [],
			added: () => [add(count)],
			removed: () => [clients.remove(one)],
			swapped: () => [clients.remove(one), add(count)],
			changed: () => [clients.setStatus(one, 'Accepted')],
			imported: () =>
				Array.from({ length: (count * testCase.maxPageLimit) / 4 }, (_, index) => add(`${count} ${index}`)),
			overtaken: overtake,
		};
		return moves[testCase.moves]().map(({ reference_id: id }) => id);
	}

	/** In the order of statuses, one goes from the end of the list to its beginning, where another leaves. */
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
		for (const id of ids) if (!changed.has(id)) changed.set(id, []);
		for (const client of served()) changed.get(client.reference_id)?.push(disguise(client, testCase));
	}

	return {
		url,
		host: new URL(url).host,
		engine: new Engine(sandboxCredential(url, apiKey)),
		asked,
		/** Every client as it is sent now. */
		sent: (): Sent[] => Array.from(served(), (client) => disguise(client, testCase)),
		/** What was sent, by their ids, of clients that were there, or as they are, for a part of the time only. */
		changed,
		/** The faults that hit a request. */
		faultsMet: () => testCase.faults.filter((_, index) => sandbox.app.faults()[index].hits > 0),
		met(): Met {
			const hits = sandbox.app.faults().map((fault, index) => ({ hits: fault.hits, text: testCase.faults[index] }));
			const sum = (list: typeof hits) => list.reduce((total, fault) => total + fault.hits, 0);
			return {
				troubles: sum(hits) + throttled,
				endings: sum(hits.filter(({ text }) => /^status:code=4(00|04|22)/.test(text))),
				revocations: testCase.revokeAt.filter((count) => count <= asked.list).length,
			};
		},
		/** Ends the service and tells what was left behind. */
		async close(): Promise<string[]> {
			const leftOpen = await countLeftOpen(url);
			await sandbox.close();
			secrets.forEach(forgetSecret);
			return [
				...(leftOpen > 0 ? [`${leftOpen} connections are left open`] : []),
				...(wasTrapped(id) ? ['a redirect was followed'] : []),
			];
		},
		secrets,
	};
}
