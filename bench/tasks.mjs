// The tasks of a worker, see worker.mjs.
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { fetchToken, readBare } from './wire.mjs';

const load = createRequire(import.meta.url);
const DIST = '../dist/nodes/ClientOnboarding';
const PARALLEL = 5;
/** Few, since a forced garbage collection of a large heap takes long. */
const HEAP_SAMPLES = 12;

const LIST = { operation: 'list', returnAll: true, filters: {}, options: { parallelRequests: PARALLEL } };
/** Reads each page once, as undici does. By default, a list of several pages is read twice. */
const LIST_FAST = { ...LIST, options: { ...LIST.options, consistency: 'fast' } };
const TRIGGER = {
	filters: {},
	options: {},
	statusBecomes: [],
	stalledStatuses: ['pending'],
	stalledAfterDays: 7,
	firstActivation: 'fromNow',
};
/** The contexts of triggers by their events, with the state of the last poll. */
const pollers = new Map();

async function open(service, parameters, onPage) {
	const { createContext } = await import('./n8nContext.mjs');
	return createContext({ ...service, token: await fetchToken(service) }, parameters, onPage);
}

async function listClients(service, parameters, onPage) {
	const { ClientOnboarding } = load(`${DIST}/ClientOnboarding.node.js`);
	const context = await open(service, parameters, onPage);
	return await new ClientOnboarding().execute.call(context);
}

async function listBare(service, queries) {
	const token = await fetchToken(service);
	const { pages } = await readBare({ url: service.url, token, queries, parallel: PARALLEL });
	return pages;
}

/** CPU time in milliseconds, on all cores. */
async function cpuMs(work) {
	global.gc();
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

async function liveBytes() {
	// Values on the stack of the last step must not count.
	await setImmediate();
	global.gc();
	return process.memoryUsage().heapUsed;
}

async function idleBytes(service) {
	load(`${DIST}/ClientOnboarding.node.js`);
	await open(service, LIST);
	return await liveBytes();
}

const tasks = {
	async wire({ service, queries, parallel }) {
		const { tookMs } = await readBare({ url: service.url, token: await fetchToken(service), queries, parallel });
		return tookMs;
	},

	/** CPU time with the code of the package and with undici alone. */
	async effort({ service, queries, repeats }) {
		const all = { ours: [], bare: [] };
		for (let count = 0; count <= repeats; count++) {
			const ours = await cpuMs(async () => await listClients(service, LIST_FAST));
			const bare = await cpuMs(async () => await listBare(service, queries));
			// The first time, the code is still being compiled.
			if (count > 0) (all.ours.push(ours), all.bare.push(bare));
		}
		return all;
	},

	/** The memory of the parsed clients alone. */
	async parsedBytes({ service, queries }) {
		const before = await idleBytes(service);
		const pages = await listBare(service, queries);
		const bytes = (await liveBytes()) - before;
		return { bytes, clients: pages.flat().length };
	},

	/** The peak heap while the package lists the clients. */
	async listedBytes({ service, queries }) {
		const before = await idleBytes(service);
		const every = Math.ceil(queries.length / HEAP_SAMPLES);
		let [pages, bytes] = [0, 0];
		const sample = async () => (bytes = Math.max(bytes, (await liveBytes()) - before));
		const [items] = await listClients(service, LIST, async () => {
			pages += 1;
			if (pages % every === 0 || pages === queries.length) await sample();
		});
		await sample();
		return { bytes, clients: items.length };
	},

	/** Without n8n-workflow, which n8n has loaded before any package. */
	async loadPackage() {
		load('n8n-workflow');
		const startedMs = performance.now();
		for (const file of [`${DIST}/ClientOnboarding.node.js`, `${DIST}/ClientOnboardingTrigger.node.js`]) load(file);
		load('../dist/credentials/ClientOnboardingApi.credentials.js');
		return performance.now() - startedMs;
	},

	/** One poll of the trigger for these events. The next poll uses its state. */
	async poll({ service, triggerOn }) {
		const { ClientOnboardingTrigger } = load(`${DIST}/ClientOnboardingTrigger.node.js`);
		const key = triggerOn.join();
		if (!pollers.has(key)) pollers.set(key, await open(service, { ...TRIGGER, triggerOn }));
		const startedMs = performance.now();
		const output = await new ClientOnboardingTrigger().poll.call(pollers.get(key));
		return { tookMs: performance.now() - startedMs, events: output?.[0].length ?? 0 };
	},
};

process.on('message', async ({ task, input }) => {
	try {
		process.send({ result: await tasks[task](input) });
	} catch (error) {
		process.send({ message: error.stack });
	}
});
