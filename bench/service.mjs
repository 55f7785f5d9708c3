import { setTimeout as sleep } from 'node:timers/promises';
import { Clients } from '../build/sandbox/data/clients.mjs';
import { startSandbox } from '../build/sandbox/server.mjs';
import { atEnd } from '../build/tools/process/lifetime.mjs';

const PAGE_CAP = 100;
const SEED = 'bench';

/**
 * A sandbox with so many clients, in this process: whoever asks it runs in another one. One that caps its pages has an
 * address of its own, since the package remembers for an hour how large an address lets its pages be.
 */
export async function startService(size, { isCapped = false } = {}) {
	let turn = Promise.resolve();
	let turnMs = 0;
	let waiting = 0;
	let seen = [];
	const sandbox = await startSandbox({
		clients: size <= 100_000 ? [...new Clients({ clients: size, seed: SEED, now: Date.now }).all()] : size,
		productionClients: 0,
		control: false,
		maxPageLimit: PAGE_CAP,
		behavior: { overLimit: isCapped ? 'capped' : 'granted' },
		tokenLifetimeSeconds: 24 * 60 * 60,
		onRequest: async ({ endpoint, query }) => {
			seen.push({ endpoint, query, waiting: ++waiting });
			if (turnMs > 0) turn = turn.then(() => sleep(turnMs));
			await turn;
			waiting -= 1;
		},
	});
	const forget = atEnd(() => sandbox.close());
	const { url, apiKey } = sandbox.environments.sandbox;
	return {
		size,
		isCapped,
		url,
		apiKey,
		async close() {
			forget();
			await sandbox.close();
		},
		/** Every so many-th of the clients. */
		everyNth: (step) => [...sandbox.app.environment('sandbox').served()].filter((_, index) => index % step === 0),
		addClient: () => sandbox.app.environment('sandbox').clients.add(),
		/** What the service is like from now on; with `oneAtATimeMs` it gives each request its undivided attention for so long. */
		become({ latencyMs = 0, oneAtATimeMs = 0 }) {
			sandbox.app.clearFaults();
			if (latencyMs > 0) sandbox.app.schedule({ kind: 'latency', ms: latencyMs });
			turnMs = oneAtATimeMs;
		},
		/** What the work asked for, and how many requests stood in line when each page was asked for. */
		async watch(work) {
			seen = [];
			const result = await work();
			const pages = seen.filter(({ endpoint }) => endpoint === 'list');
			const exchanges = seen.filter(({ endpoint }) => endpoint === 'token').length;
			return { result, queries: pages.map(({ query }) => query), line: pages.map((page) => page.waiting), exchanges };
		},
	};
}
