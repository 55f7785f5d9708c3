import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nClient } from '../build/tools/n8n/client.mjs';
import { obtainN8n } from '../build/tools/n8n/install.mjs';
import { startN8n } from '../build/tools/n8n/server.mjs';
import { atEnd } from '../build/tools/process/lifetime.mjs';
import { placePackage } from '../build/tools/project/package.mjs';
import { showProgress } from '../build/tools/terminal/progress.mjs';
import { N8N_VERSION } from '../tools/n8n/versions.mjs';
import { EventLog } from './eventLog.mjs';
import { measureManyItems } from './manyItems.mjs';
import { peakMemory } from './peakMemory.mjs';
import { startService } from './service.mjs';
import { Times } from './times.mjs';
import { LATENCIES_MS, SIZES } from './wording.mjs';
import { startWorker } from './worker.mjs';
import { activateWorkflow, createCredential, httpRequest, listClients } from './workflows.mjs';

const OWNER = { email: 'owner@example.com', password: 'Bench1-for-this-run-only' };
const PARALLEL = [1, 5, 10, 20];
const DEFAULT_PARALLEL = 5;
const FAST_PARALLEL = [5, 20];
const TARGET = { clients: 10_000, latencyMs: 50 };
const TARGET_REPEATS = 5;
const AT_ONCE = 50;
const ONE_AT_A_TIME_MS = 20;
/** A contender that would take longer than the first is left out. One that takes longer than the second runs once. */
const LONGEST_MS = 70_000;
const LONG_MS = 2_000;
/** Rough estimates for a request and for a client. */
const REQUEST_MS = 5;
const CLIENT_MS = 0.02;
const REPEATS = 3;

/** All measurements in a real n8n, and undici alone for comparison. */
export async function measureInN8n(tarball, isCheck) {
	const install = await obtainN8n(N8N_VERSION);
	const folder = mkdtempSync(join(tmpdir(), 'n8n-bench-'));
	atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
	const load = loadavg()[0];
	const process = await showProgress(`Starting n8n ${N8N_VERSION}`, async () => {
		await placePackage(tarball, folder);
		return await startN8n(install, { userFolder: folder, log: join(folder, 'n8n.log') });
	});
	const n8n = new N8nClient(process.url);
	await n8n.enter(OWNER);
	const bench = { n8n, log: new EventLog(folder), worker: startWorker(install.node), times: new Times() };

	const [small, middle, large] = await startServices(SIZES, { isCapped: false });
	// A hundred thousand more clients in this process would slow all services down.
	const capped = await startServices(isCheck ? [TARGET.clients] : SIZES, { isCapped: true });
	const cappedMiddle = capped.find(({ size }) => size === TARGET.clients);
	// First, before other work makes the process grow.
	const memory = await showProgress(
		'100,000 clients, everything saved',
		async () => await measureMemory(bench, large, process.pid),
	);
	const tokenRequests = await showProgress(
		`${AT_ONCE} executions at once`,
		async () => await countTokenRequests(bench, small),
	);
	const inTurn = await showProgress(
		'A service that serves one request at a time',
		async () => await measureInTurn(bench, cappedMiddle),
	);
	const manyItems = await showProgress(
		'Sheets of many rows',
		async (report) => await measureManyItems(bench, middle, process.pid, report),
	);
	for (const scenario of isCheck
		? checkScenarios(middle, cappedMiddle, large)
		: allScenarios([small, middle, large, ...capped]))
		await measureTimes(bench, scenario);
	await bench.worker.stop();
	await process.stop();
	return {
		install,
		runtime: describeRuntime(install.node),
		load,
		times: bench.times,
		memory,
		tokenRequests,
		inTurn,
		manyItems,
	};
}

async function startServices(sizes, options) {
	const services = [];
	for (const size of sizes) services.push(await startService(size, options));
	return services;
}

function describeRuntime(node) {
	const script =
		'JSON.stringify({ version: process.versions.node, heapLimit: v8.getHeapStatistics().heap_size_limit })';
	return JSON.parse(execFileSync(node, ['-p', script], { encoding: 'utf8' }));
}

function checkScenarios(middle, cappedMiddle, large) {
	const { latencyMs } = TARGET;
	return [
		{ service: middle, latencyMs },
		{ service: cappedMiddle, latencyMs },
		{ service: large, latencyMs, only: [`node${DEFAULT_PARALLEL}`] },
	];
}

function allScenarios(services) {
	return LATENCIES_MS.flatMap((latencyMs) => services.map((service) => ({ service, latencyMs })));
}

/** The contenders: name, workflow, number of parallel requests and rows per page. */
async function createContenders({ n8n }, service) {
	const credential = await createCredential(n8n, service);
	const contenders = [];
	for (const pageSize of [100, 1_000]) {
		const workflow = await activateWorkflow(n8n, httpRequest(credential, service, pageSize));
		contenders.push({ name: `http${pageSize}`, workflow, parallel: 1, pageSize });
	}
	for (const parallel of PARALLEL) {
		const options = parallel === DEFAULT_PARALLEL ? {} : { parallelRequests: parallel };
		const workflow = await activateWorkflow(n8n, listClients(credential, options));
		contenders.push({ name: `node${parallel}`, workflow, parallel, pageSize: 1_000, isOurs: true });
	}
	for (const parallel of FAST_PARALLEL) {
		const options = { consistency: 'fast', parallelRequests: parallel };
		const workflow = await activateWorkflow(n8n, listClients(credential, options));
		contenders.push({ name: `fast${parallel}`, workflow, parallel, pageSize: 1_000 });
	}
	return contenders;
}

/** All contenders in turn, several times, so that a disturbance of the machine affects all of them. */
async function measureTimes(bench, { service, latencyMs, only }) {
	const { size, isCapped } = service;
	service.contenders ??= await createContenders(bench, service);
	service.configure({ latencyMs });
	const isTarget = size === TARGET.clients && latencyMs === TARGET.latencyMs;
	const runs = service.contenders
		.filter(({ name, pageSize }) =>
			only ? only.includes(name) : !(isCapped && name.startsWith('http') && pageSize > 100),
		)
		.map((contender) => {
			const requests = size / (isCapped ? 100 : contender.pageSize);
			const expectedMs = (Math.ceil(requests / contender.parallel) + 1) * (latencyMs + REQUEST_MS) + size * CLIENT_MS;
			return {
				...contender,
				expectedMs,
				repeats: isTarget ? TARGET_REPEATS : expectedMs > LONG_MS && !only ? 1 : REPEATS,
			};
		})
		.filter(({ expectedMs }) => expectedMs <= LONGEST_MS);

	const what = `${size.toLocaleString('en-US')} clients, ${latencyMs} ms${isCapped ? ', pages of 100 at most' : ''}`;
	await showProgress(what, async (report) => {
		for (let count = 0; count < TARGET_REPEATS; count++) {
			for (const { name, workflow, parallel, isOurs } of runs.filter(({ repeats }) => count < repeats)) {
				report(`${name}, run ${count + 1}`);
				const { result, queries } = await service.watch(async () => await bench.log.time(workflow));
				if (result.clients !== size) throw new Error(`${name} gave ${result.clients} of ${size} clients`);
				const circumstances = { clients: size, latencyMs, isCapped };
				bench.times.add({ ...circumstances, name }, result.tookMs, queries.length);
				if (!isOurs) continue;
				const { url, apiKey } = service;
				const tookMs = await bench.worker.ask('wire', { service: { url, apiKey }, queries, parallel });
				bench.times.add({ ...circumstances, name: `wire${parallel}` }, tookMs, queries.length);
			}
		}
	});
}

/** With n8n's default settings, which save the output of every node. */
async function measureMemory({ n8n }, service, pid) {
	service.configure({});
	const before = peakMemory(pid);
	const workflow = await activateWorkflow(n8n, listClients(await createCredential(n8n, service), {}), { settings: {} });
	const clients = await workflow.run();
	return { clients, before, peak: peakMemory(pid) };
}

async function countTokenRequests({ n8n }, service) {
	service.configure({});
	const workflow = await activateWorkflow(
		n8n,
		listClients(await createCredential(n8n, service), {}, { returnAll: false, limit: 1 }),
	);
	const { tokenRequests } = await service.watch(
		async () => await Promise.all(Array.from({ length: AT_ONCE }, workflow.run)),
	);
	return { executions: AT_ONCE, tokenRequests };
}

async function measureInTurn(bench, service) {
	service.contenders ??= await createContenders(bench, service);
	service.configure({ oneAtATimeMs: ONE_AT_A_TIME_MS });
	const rows = [];
	for (const { name, workflow } of service.contenders.filter(({ isOurs }) => isOurs)) {
		const { result, line } = await service.watch(async () => await bench.log.time(workflow));
		rows.push({
			name,
			tookMs: result.tookMs,
			mostInLine: Math.max(...line),
			laterInLine: Math.max(...line.slice(line.length / 2)),
		});
	}
	return rows;
}
