import { showProgress } from '../build/tools/terminal/progress.mjs';
import { startService } from './service.mjs';
import { median } from './times.mjs';
import { runTask, startWorker } from './worker.mjs';

const LOADS = 9;
const EFFORTS = 5;
const EVENTS = [['clientCreated'], ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged']];

/** All measurements without n8n: the code of the package, from the node to the request, in its own process. */
export async function measureInProcess(node) {
	const heap = [];
	const effort = [];
	let polls;
	for (const size of [10_000, 100_000, 1_000_000]) {
		const what = `${size.toLocaleString('en-US')} clients in a process without n8n`;
		await showProgress(what, async (report) => {
			report('generating clients');
			const { url, apiKey, ...service } = await startService(size);
			const input = { service: { url, apiKey }, queries: queriesFor(size) };
			report('memory');
			const parsed = await runTask(node, 'parsedBytes', { ...input, queries: input.queries.slice(1) });
			const listed = await runTask(node, 'listedBytes', input);
			heap.push({ clients: size, parsed: demand(parsed, size), listed: demand(listed, size) });
			if (size <= 100_000) {
				report('CPU time');
				const { ours, bare } = await runTask(node, 'effort', { ...input, repeats: EFFORTS });
				effort.push({ clients: size, oursMs: median(ours), bareMs: median(bare) });
			}
			if (size === 100_000) polls = await measurePolls(node, { ...service, url, apiKey }, report);
			await service.close();
		});
	}
	const loads = await showProgress('Loading the package', async () => {
		const times = [];
		for (let count = 0; count < LOADS; count++) times.push(await runTask(node, 'loadPackage'));
		return times;
	});
	return { heap, effort, polls, loadMs: median(loads) };
}

/** The queries that the node sends. */
function queriesFor(size) {
	const pages = Math.ceil(size / 10_000);
	const rest = Array.from({ length: pages }, (_, index) => ({
		page_no: index + 1,
		page_limit: Math.ceil((size + 1) / pages),
	}));
	return [{ page_no: 1, page_limit: 100 }, ...rest];
}

function demand({ bytes, clients }, size) {
	if (clients !== size) throw new Error(`${clients} of ${size} clients were returned`);
	return bytes;
}

async function measurePolls(node, service, report) {
	const rows = [];
	const { url, apiKey } = service;
	const worker = startWorker(node);
	for (const triggerOn of EVENTS) {
		for (const kind of ['first', 'idle', 'busy']) {
			report(`poll: ${kind}`);
			if (kind === 'busy') service.addClient();
			const { result, queries } = await service.watch(
				async () => await worker.ask('poll', { service: { url, apiKey }, triggerOn }),
			);
			if (result.events !== (kind === 'busy' ? 1 : 0)) throw new Error(`A ${kind} poll gave ${result.events} events`);
			rows.push({ triggerOn, kind, requests: queries.length, tookMs: result.tookMs });
		}
	}
	await worker.stop();
	return rows;
}
