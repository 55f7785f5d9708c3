import { join } from 'node:path';
import { showAsLocalhost } from '../sandbox/localhost.mts';
import { startSandbox, type Sandbox } from '../sandbox/server.mts';
import { startCluster } from '../tools/cluster/cluster.mts';
import { obtainPrograms } from '../tools/cluster/programs.mts';
import { N8nClient } from '../tools/n8n/client.mts';
import { cacheFolder } from '../tools/n8n/cache.mts';
import { fillIn, readExample } from '../tools/n8n/examples.mts';
import { obtainN8n, type N8nInstall } from '../tools/n8n/install.mts';
import { startN8n } from '../tools/n8n/server.mts';
import { isFree } from '../tools/network/ports.mts';
import { atEnd, end, endOnSignals, isEnding } from '../tools/process/lifetime.mjs';
import { packPackage, placePackage } from '../tools/project/package.mts';
import { Failure, report } from '../tools/terminal/failure.mjs';
import { showProgress } from '../tools/terminal/progress.mjs';
import { formatTable, type Column } from '../tools/terminal/table.mts';
import { saveClients, loadClients } from './clients.mts';
import { openDemoFolder, provideCredential, provideWorkflows, type DemoFolder } from './data.mts';
import { workersOf, type Flags } from './flags.mjs';

const SHOWN_CLIENTS = 10;
const COLUMNS: Column[] = [
	{ title: 'Name', atMost: 28, read: (client) => String(client.client_name) },
	{ title: 'Type', atMost: 10, read: (client) => String(client.client_type) },
	{ title: 'Group', atMost: 24, read: (client) => String(client.group_name) },
	{ title: 'Status', atMost: 12, read: (client) => String(client.request_status) },
	{ title: 'Created (UTC)', atMost: 16, read: (client) => String(client.created_at).slice(0, 16).replace('T', ' ') },
];

/** npm start. */
export async function main(flags: Flags): Promise<void> {
	let isServing = false;
	endOnSignals(() => {
		if (!isEnding()) console.log('\nStopping…');
		return isServing ? 0 : 130;
	});
	atEnd(() => isServing && console.log('Stopped.'));
	try {
		const folder = await openDemoFolder(flags);
		const sandbox = await openSandbox(flags, folder);
		await demandPort(flags.port);
		console.log(`Sandbox console, ready while n8n starts: ${showAsLocalhost(sandbox.controlUrl)}`);
		const n8n = await openN8n(flags, folder);
		const workflows = await listClients(n8n, sandbox, folder);
		if (flags.once) return await end(0);

		printAddresses(flags, sandbox, folder, workflows, n8n.logs);
		isServing = true;
		const who = await n8n.ended;
		if (!isEnding()) throw new Failure(`${who} stopped, so the demo stops too. See ${n8n.logs}`);
	} catch (error) {
		await end(isEnding() ? 1 : report(error));
	}
}

async function openSandbox({ sandboxPort: port, clients }: Flags, folder: DemoFolder): Promise<Sandbox> {
	try {
		const ports = { port, productionPort: port + 1, controlPort: port + 2 };
		const loaded = loadClients(folder.clients, clients);
		const sandbox = await startSandbox({ ...ports, ...loaded });
		atEnd(() => sandbox.close());
		atEnd(saveClients(folder.clients, sandbox, loaded));
		return sandbox;
	} catch (error) {
		const { code, port: taken } = error as NodeJS.ErrnoException & { port?: number };
		if (code === 'EACCES') {
			throw new Failure(`Port ${taken} requires root privileges. Choose one above 1023 with --sandbox-port.`);
		}
		if (code !== 'EADDRINUSE') throw error;
		throw new Failure(
			`Port ${taken} is in use. The sandbox needs ${port} to ${port + 2}. Choose others, for example: npm start -- --sandbox-port ${port + 10}`,
		);
	}
}

async function demandPort(port: number): Promise<void> {
	if (await isFree(port)) return;
	throw new Failure(
		`Port ${port} is in use, and n8n's editor needs it. Choose another, for example: npm start -- --port ${port + 1}`,
	);
}

/** n8n as one process or several. */
interface Demo {
	url: string;
	/** A file, or a folder of them. */
	logs: string;
	/** Resolves with the name of the process that stopped. */
	ended: Promise<string>;
	/** For the user. */
	whoRan(executionId: string): string;
}

async function openN8n(flags: Flags, folder: DemoFolder): Promise<Demo> {
	const install = await obtainN8n(flags.n8nVersion);
	const isQueue = workersOf(flags) > 0;
	if (isQueue) await obtainPrograms();
	const tarball = await showProgress('Building and packing the package', packPackage);
	return await (isQueue ? openCluster : openOne)(flags, folder, install, tarball);
}

async function openOne(
	{ n8nVersion, port }: Flags,
	{ path, log }: DemoFolder,
	install: N8nInstall,
	tarball: string,
): Promise<Demo> {
	await placePackage(tarball, path);
	const options = { userFolder: path, log, port };
	const { url, ended } = await showProgress(`Starting n8n ${n8nVersion}`, async () => await startN8n(install, options));
	return { url, logs: log, ended: ended.then(() => 'n8n'), whoRan: () => 'n8n' };
}

async function openCluster(flags: Flags, { path }: DemoFolder, install: N8nInstall, tarball: string): Promise<Demo> {
	const { n8nVersion, port } = flags;
	const logs = join(path, 'logs');
	const start = async (report: (detail: string) => void) =>
		await startCluster(install, { folder: path, logs, tarball, workers: workersOf(flags), port, report });
	const { main, ended, workerOf } = await showProgress(`Starting n8n ${n8nVersion} in queue mode`, start);
	return { url: main.url, logs, ended, whoRan: (executionId) => workerOf(executionId) ?? 'n8n' };
}

/** Addresses in the editor. */
interface Examples {
	list: string;
	trigger: string;
	/** It was published at an earlier start. */
	isTriggerOn: boolean;
}

/** Runs the first example from its file, so that edits in n8n do not matter, and prints the listed clients. */
async function listClients({ url, whoRan }: Demo, sandbox: Sandbox, { owner }: DemoFolder): Promise<Examples> {
	const n8n = new N8nClient(url);
	const { list, declined, run } = await showProgress('Listing clients with n8n', async () => {
		await n8n.enter(owner).catch((error: Error) => {
			throw new Failure(
				`The demo's login no longer works (${error.message}). To start over, run the same command with --fresh added. It deletes the demo's credentials, workflows and clients.`,
			);
		});
		const { url: address, apiKey } = sandbox.environments.sandbox;
		const credential = await provideCredential(n8n, { url: showAsLocalhost(address), apiKey });
		const filling = {
			credentials: [credential],
			controlUrl: showAsLocalhost(sandbox.controlUrl),
		};
		const workflows = await provideWorkflows(n8n, filling);
		const { 'list-clients': list, 'declined-clients-to-a-chat': declined } = workflows;
		const draft = { ...fillIn(readExample('list-clients'), filling), name: 'npm start lists clients' };
		const own = await n8n.createWorkflow(draft);
		const run = await n8n.run(own, 'When clicking ‘Execute workflow’').finally(() => n8n.removeWorkflow(own.id));
		return { list, declined, run };
	});
	if (run.status !== 'success') {
		throw new Failure(
			`n8n did not list the clients: ${run.error?.message ?? run.status}. To start over, run the same command with --fresh added. It deletes the demo's credentials, workflows and clients.`,
		);
	}
	printClients(run.items('List Clients'), whoRan(run.id));
	return {
		list: `${url}/workflow/${list.id}`,
		trigger: `${url}/workflow/${declined.id}`,
		isTriggerOn: declined.active,
	};
}

function printClients(clients: Array<Record<string, unknown>>, who: string): void {
	const newest = [...clients].sort((a, b) => String(b.created_at).localeCompare(String(a.created_at)));
	const lines = formatTable(COLUMNS, newest.slice(0, SHOWN_CLIENTS));
	const more = clients.length - SHOWN_CLIENTS;
	if (more > 0) lines.push(`… and ${more.toLocaleString('en-US')} more`);
	const count = `${clients.length.toLocaleString('en-US')} client${clients.length === 1 ? '' : 's'}`;
	console.log(`\nListed by ${who}: ${count}, newest first\n\n${lines.join('\n')}\n`);
}

function printAddresses(
	{ port, n8nVersion }: Flags,
	sandbox: Sandbox,
	{ owner }: DemoFolder,
	{ list, trigger, isTriggerOn }: Examples,
	logs: string,
): void {
	const { url, apiKey } = sandbox.environments.sandbox;
	const publish = n8nVersion.startsWith('1.') ? 'activate' : 'publish';
	console.log(`See the clients in n8n
  open      ${showAsLocalhost(list)}
  log in    ${owner.email}  ${owner.password}
  click     Execute workflow
  then      double-click List Clients to see the clients

Trigger a workflow
  ${publish.padEnd(8)}  ${showAsLocalhost(trigger)}${isTriggerOn ? '  (already done)' : ''}
  decline   a client at ${showAsLocalhost(sandbox.controlUrl)}
  see       the message there under Messages, and in n8n under Executions, within a minute

More
  ready-made workflows      http://localhost:${port}/home/workflows
  what they do              examples/README.md
  their credential          http://localhost:${port}/home/credentials
  help                      docs/troubleshooting.md
  n8n log                   ${logs}
  sandbox base URL          ${showAsLocalhost(url)}  API key: ${apiKey}
  start over                ${startOverCommand()}
  delete demo and downloads
                            rm -rf ${cacheFolder()}

Clients and workflows are kept for the next start. Messages are not. Press Ctrl-C to stop.`);
}

/** With the same ports, since each sandbox port has data of its own. */
function startOverCommand(): string {
	const flags = process.argv.slice(2).filter((flag) => flag !== '--fresh');
	return ['npm start --', ...flags, '--fresh'].join(' ');
}
