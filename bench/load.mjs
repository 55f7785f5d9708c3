import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../build/tools/cluster/cluster.mjs';
import { obtainPrograms } from '../build/tools/cluster/programs.mjs';
import { N8nClient } from '../build/tools/n8n/client.mjs';
import { obtainN8n } from '../build/tools/n8n/install.mjs';
import { startN8n } from '../build/tools/n8n/server.mjs';
import { atEnd } from '../build/tools/process/lifetime.mjs';
import { placePackage } from '../build/tools/project/package.mjs';
import { showProgress } from '../build/tools/terminal/progress.mjs';
import { N8N_VERSION } from '../tools/n8n/versions.mjs';
import { EventLog } from './eventLog.mjs';
import { peakMemory } from './peakMemory.mjs';
import { startService } from './service.mjs';
import { activateWorkflow, createCredential, listClients } from './workflows.mjs';

export const LOAD = { executions: 200, atOnce: 10, clients: 10_000, workers: 2 };
/** Sometimes n8n's main process does not respond to a webhook although the execution has succeeded. */
const ANSWERED_WITHIN_MS = 60_000;
const OWNER = { email: 'owner@example.com', password: 'Bench1-for-this-run-only' };

/** The same load on one n8n and on a cluster, one after the other. */
export async function measureLoad(tarball) {
	const install = await obtainN8n(N8N_VERSION);
	await obtainPrograms();
	const folder = mkdtempSync(join(tmpdir(), 'n8n-bench-'));
	atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
	const service = await startService(LOAD.clients);
	const figures = { install };
	for (const [name, open] of Object.entries({ single: openSingle, cluster: openCluster })) {
		const n8n = await showProgress(`Starting n8n ${N8N_VERSION}, ${NAMES[name]}`, async () => {
			return await open(install, join(folder, name), tarball);
		});
		const what = `${LOAD.executions} executions, ${LOAD.atOnce} at a time, on ${NAMES[name]}`;
		figures[name] = await showProgress(what, async (report) => await putUnderLoad(n8n, service, report));
		await n8n.stop();
	}
	return figures;
}

const NAMES = { single: 'one process', cluster: `a main and ${LOAD.workers} workers` };

async function openSingle(install, userFolder, tarball) {
	await placePackage(tarball, userFolder);
	const { url, pid, stop } = await startN8n(install, { userFolder, log: join(userFolder, 'n8n.log') });
	return { url, stop, processes: [{ name: 'n8n', pid }], logs: [new EventLog(userFolder)] };
}

async function openCluster(install, folder, tarball) {
	const options = { folder, logs: join(folder, 'logs'), tarball, workers: LOAD.workers };
	const { main, workers, stop } = await startCluster(install, options);
	const processes = [{ name: 'main', pid: main.pid }, ...workers];
	return {
		url: main.url,
		stop,
		processes,
		logs: workers.map(({ name }) => new EventLog(join(folder, name), '-worker')),
	};
}

async function putUnderLoad({ url, processes, logs }, service, report) {
	const n8n = new N8nClient(url);
	await n8n.enter(OWNER);
	// With n8n's default settings, which save the output of every node.
	const workflow = await activateWorkflow(n8n, listClients(await createCredential(n8n, service), {}), { settings: {} });
	const waits = [];
	let begun = 0;
	let unanswered = 0;
	let lastAnswerMs = 0;
	const oneAfterTheOther = async () => {
		while (begun < LOAD.executions) {
			begun += 1;
			const startedMs = performance.now();
			const clients = await workflow.run(AbortSignal.timeout(ANSWERED_WITHIN_MS)).catch((error) => {
				if (error.name !== 'TimeoutError') throw error;
			});
			if (clients === undefined) unanswered += 1;
			else if (clients !== LOAD.clients) throw new Error(`An execution gave ${clients} of ${LOAD.clients} clients`);
			else waits.push((lastAnswerMs = performance.now()) - startedMs);
			report(`${waits.length + unanswered} done`);
		}
	};
	const beganMs = performance.now();
	const { tokenRequests } = await service.watch(async () => {
		await Promise.all(Array.from({ length: LOAD.atOnce }, oneAfterTheOther));
	});
	const tookMs = lastAnswerMs - beganMs;
	const listings = logs.map((log) => log.times(workflow));
	return {
		tookMs,
		tokenRequests,
		waits,
		listings: listings.flat(),
		memory: processes.map(({ name, pid }) => ({ name, peak: peakMemory(pid) })),
		shares: listings.map(({ length }) => length),
	};
}
