// What a worker can be asked to do; see worker.mjs.
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { fetchToken, readBare } from './wire.mjs';

const load = createRequire(import.meta.url);
const DIST = '../dist/nodes/ClientOnboarding';
const PARALLEL = 5;
/** A forced collection takes long where there is much to keep. */
const LOOKS_AT_HEAP = 12;

const LIST = { operation: 'list', returnAll: true, filters: {}, options: { parallelRequests: PARALLEL } };
/** Each page once, as undici requests them: by default, a list of several pages is read twice. */
const LIST_FAST = { ...LIST, options: { ...LIST.options, consistency: 'fast' } };
const TRIGGER = {
	filters: {},
	options: {},
	statusBecomes: [],
	stalledStatuses: ['pending'],
	stalledAfterDays: 7,
	firstActivation: 'fromNow',
};
/** By their events: what each was handed at its last poll. */
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

/** Milliseconds the processor was at work for this, on all its cores. */
async function cpuMs(work) {
	global.gc();
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

async function liveBytes() {
	// What the last step left on the stack counts no more.
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

	/** The processor's time with our code around the requests and without it. */
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

	/** What the parsed clients take, with nothing around them. */
	async parsedBytes({ service, queries }) {
		const before = await idleBytes(service);
		const pages = await listBare(service, queries);
		const bytes = (await liveBytes()) - before;
		return { bytes, clients: pages.flat().length };
	},

	/** The most that is alive while our code lists the clients. */
	async listedBytes({ service, queries }) {
		const before = await idleBytes(service);
		const every = Math.ceil(queries.length / LOOKS_AT_HEAP);
		let [pages, bytes] = [0, 0];
		const look = async () => (bytes = Math.max(bytes, (await liveBytes()) - before));
		const [items] = await listClients(service, LIST, async () => {
			pages += 1;
			if (pages % every === 0 || pages === queries.length) await look();
		});
		await look();
		return { bytes, clients: items.length };
	},

	/** n8n has its own part in memory long before it loads a package. */
	async loadPackage() {
		load('n8n-workflow');
		const startedMs = performance.now();
		for (const file of [`${DIST}/ClientOnboarding.node.js`, `${DIST}/ClientOnboardingTrigger.node.js`]) load(file);
		load('../dist/credentials/ClientOnboardingApi.credentials.js');
		return performance.now() - startedMs;
	},

	/** One poll of the trigger for these events; the next one knows what this one saw. */
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
