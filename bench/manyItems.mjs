import { peakMemory, resetPeak } from './peakMemory.mjs';
import { median } from './times.mjs';
import { activateWorkflow, createCredential, findByEmail, findById, httpByEmail, listClients } from './workflows.mjs';

const LATENCY_MS = 50;
const REPEATS = 5;
const FEW = 20;
const SOME = 100;
const MANY = 1_000;

/** Many rows, compared with one read of the list and with HTTP Request, which sends a request for each row. */
export async function measureManyItems({ n8n, log }, service, guardPid, report) {
	service.configure({ latencyMs: LATENCY_MS });
	const credential = await createCredential(n8n, service);
	const byId = (count) => ({ rows: service.everyNth(service.size / count).map(({ reference_id: id }) => ({ id })) });
	const byEmail = (count) => ({ rows: service.everyNth(service.size / count).map(({ email }) => ({ email })) });
	const filters = { clientEmail: '={{ $json.email }}' };
	const contenders = {
		oneRead: { nodes: listClients(credential, {}), input: {}, items: 1 },
		findSome: { nodes: findById(credential), input: byId(SOME), items: SOME },
		findMany: { nodes: findById(credential), input: byId(MANY), items: MANY },
		findEmails: { nodes: findByEmail(credential), input: byEmail(MANY), items: MANY },
		httpEmails: { nodes: httpByEmail(credential, service), input: byEmail(MANY), items: MANY },
		sameList: { nodes: listClients(credential, {}), input: byEmail(FEW), items: FEW },
		oneFilter: { nodes: listClients(credential, {}, { filters }), input: byEmail(1), items: 1 },
		fewFilters: { nodes: listClients(credential, {}, { filters }), input: byEmail(FEW), items: FEW },
	};
	const measured = {};
	for (const [name, { nodes, input, items }] of Object.entries(contenders)) {
		measured[name] = { items, all: [], workflow: await activateWorkflow(n8n, nodes, input) };
	}
	for (let count = 0; count < REPEATS; count++) {
		for (const [name, row] of Object.entries(measured)) {
			report(`${name}, run ${count + 1}`);
			resetPeak(guardPid);
			const { result, queries } = await service.watch(async () => await log.time(row.workflow));
			Object.assign(row, { clients: result.clients, requests: queries.length, peak: peakMemory(guardPid) });
			row.all.push(result.tookMs);
		}
	}
	for (const name of ['oneRead', 'sameList']) demand(name, measured[name].clients, service.size);
	for (const name of ['findSome', 'findMany']) demand(name, measured[name].clients, measured[name].items);
	demand('findEmails', measured.findEmails.clients, measured.httpEmails.clients);
	return Object.fromEntries(Object.entries(measured).map(([name, row]) => [name, { ...row, tookMs: median(row.all) }]));
}

function demand(name, count, expected) {
	if (count !== expected) throw new Error(`${name} returned ${count} clients instead of ${expected}`);
}
