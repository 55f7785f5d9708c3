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
import { startWorker } from './worker.mjs';
import { activateWorkflow, createCredential, httpRequest, listClients } from './workflows.mjs';

const OWNER = { email: 'owner@example.com', password: 'Bench1-for-this-run-only' };
const PARALLEL = [1, 5, 20];
const DEFAULT_PARALLEL = 5;
const CLIENTS = 10_000;
const MANY_CLIENTS = 100_000;
const LATENCY_MS = 50;
const REPEATS = 5;
const AT_ONCE = 50;
const ONE_AT_A_TIME_MS = 20;

/** All measurements in a real n8n, and undici alone for comparison. */
export async function measureInN8n(tarball) {
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

	const middle = await startService(CLIENTS, { isCapped: false });
	const capped = await startService(CLIENTS, { isCapped: true });
	const large = await startService(MANY_CLIENTS, { isCapped: false });
	// First, before other work makes the process grow.
	const memory = await showProgress(
		'100,000 clients, everything saved',
		async () => await measureMemory(bench, large, process.pid),
	);
	const tokenRequests = await showProgress(
		`${AT_ONCE} executions at once`,
		async () => await countTokenRequests(bench, middle),
	);
	const inTurn = await showProgress(
		'A service that serves one request at a time',
		async () => await measureInTurn(bench, capped),
	);
	const manyItems = await showProgress(
		'Sheets of many rows',
		async (report) => await measureManyItems(bench, middle, process.pid, report),
	);
	await measureTimes(bench, middle);
	await measureTimes(bench, capped);
	await measureTimes(bench, large, [`node${DEFAULT_PARALLEL}`]);
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

function describeRuntime(node) {
	const script =
		'JSON.stringify({ version: process.versions.node, heapLimit: v8.getHeapStatistics().heap_size_limit })';
	return JSON.parse(execFileSync(node, ['-p', script], { encoding: 'utf8' }));
}

async function createContenders({ n8n }, service) {
	const credential = await createCredential(n8n, service);
	const contenders = [];
	for (const pageSize of service.isCapped ? [100] : [100, 1_000]) {
		const workflow = await activateWorkflow(n8n, httpRequest(credential, service, pageSize));
		contenders.push({ name: `http${pageSize}`, workflow });
	}
	for (const parallel of PARALLEL) {
		const options = parallel === DEFAULT_PARALLEL ? {} : { parallelRequests: parallel };
		const workflow = await activateWorkflow(n8n, listClients(credential, options));
		contenders.push({ name: `node${parallel}`, workflow, parallel, readsTwice: true });
	}
	for (const parallel of PARALLEL) {
		const options = { consistency: 'fast', parallelRequests: parallel };
		contenders.push({
			name: `fast${parallel}`,
			workflow: await activateWorkflow(n8n, listClients(credential, options)),
		});
	}
	return contenders;
}

/** All contenders in turn, several times, so that a disturbance of the machine affects all of them. */
async function measureTimes(bench, service, only) {
	const { size, isCapped } = service;
	service.contenders ??= await createContenders(bench, service);
	service.configure({ latencyMs: LATENCY_MS });
	const what = `${size.toLocaleString('en-US')} clients${isCapped ? ', pages of 100 at most' : ''}`;
	await showProgress(what, async (report) => {
		for (let count = 1; count <= REPEATS; count++) {
			for (const { name, workflow, parallel } of service.contenders) {
				if (only && !only.includes(name)) continue;
				report(`${name}, run ${count} of ${REPEATS}`);
				const { result, queries } = await service.watch(async () => await bench.log.time(workflow));
				if (result.clients !== size) throw new Error(`${name} gave ${result.clients} of ${size} clients`);
				bench.times.add({ clients: size, isCapped, name }, result.tookMs, queries.length);
				if (parallel !== DEFAULT_PARALLEL) continue;
				const { url, apiKey } = service;
				const tookMs = await bench.worker.ask('wire', { service: { url, apiKey }, queries, parallel });
				bench.times.add({ clients: size, isCapped, name: `wire${parallel}` }, tookMs, queries.length);
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
	for (const { name, workflow } of service.contenders.filter(({ readsTwice }) => readsTwice)) {
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
