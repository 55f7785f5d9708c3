import { setTimeout as sleep } from 'node:timers/promises';
import { Clients } from '../build/sandbox/data/clients.mjs';
import { startSandbox } from '../build/sandbox/server.mjs';
import { atEnd } from '../build/tools/process/lifetime.mjs';

const PAGE_CAP = 100;
const SEED = 'bench';

/**
 * A sandbox with this many clients in this process; n8n runs in another one. A sandbox that caps its pages has its own
 * address, since the package keeps for an hour how large the pages of an address may be.
 */
export async function startService(size, { isCapped = false } = {}) {
	let queue = Promise.resolve();
	let busyMs = 0;
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
			if (busyMs > 0) queue = queue.then(() => sleep(busyMs));
			await queue;
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
		everyNth: (step) => [...sandbox.app.environment('sandbox').served()].filter((_, index) => index % step === 0),
		addClient: () => sandbox.app.environment('sandbox').clients.add(),
		/** With `oneAtATimeMs`, the service handles one request at a time and takes this long for each. */
		configure({ latencyMs = 0, oneAtATimeMs = 0 }) {
			sandbox.app.clearFaults();
			if (latencyMs > 0) sandbox.app.schedule({ kind: 'latency', ms: latencyMs });
			busyMs = oneAtATimeMs;
		},
		/** The requests during the work, and how many were waiting when each page was requested. */
		async watch(work) {
			seen = [];
			const result = await work();
			const pages = seen.filter(({ endpoint }) => endpoint === 'list');
			const tokenRequests = seen.filter(({ endpoint }) => endpoint === 'token').length;
			return {
				result,
				queries: pages.map(({ query }) => query),
				line: pages.map((page) => page.waiting),
				tokenRequests,
			};
		},
	};
}
