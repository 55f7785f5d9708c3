import { readFileSync } from 'node:fs';
import { startSandbox, type Sandbox } from '../sandbox/server.mts';
import { N8nClient } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE, fillIn, readExample } from '../tools/n8n/examples.mts';
import type { N8nInstall } from '../tools/n8n/install.mts';
import { startN8n } from '../tools/n8n/server.mts';
import { inTemporaryFolder } from '../tools/process/temporary.mts';
import { PACKAGE_NAME, placePackage } from '../tools/project/package.mts';
import { Failure } from '../tools/terminal/failure.mjs';

const NODES = ['clientOnboarding', 'clientOnboardingTool', 'clientOnboardingTrigger'];
const CLIENTS = 250;
const OWNER = { email: 'release@example.com', password: 'Release1-for-this-run-only' };

/** Loads the tarball in a new n8n, checks its nodes and credential, and lists all clients of a sandbox. */
export async function tryPackage(
	install: N8nInstall,
	tarball: string,
	log: string,
	report: (detail: string) => void,
): Promise<void> {
	await inTemporaryFolder('release', async (userFolder) => {
		report('starting');
		await placePackage(tarball, userFolder);
		const n8n = await startN8n(install, { userFolder, log });
		try {
			const client = new N8nClient(n8n.url);
			await client.enter(OWNER);
			report('looking for its nodes');
			await demandTypes(client, install.version, log);
			report('listing clients');
			await demandClients(client, install.version, log);
		} finally {
			await n8n.stop();
		}
	});
}

/** n8n also starts if it cannot load a package, and at most logs it. */
async function demandTypes(n8n: N8nClient, version: string, log: string): Promise<void> {
	const offered = [...(await n8n.types('nodes')), ...(await n8n.types('credentials'))].map(({ name }) => name);
	const wanted = [...NODES.map((name) => `${PACKAGE_NAME}.${name}`), CREDENTIAL_TYPE];
	const missing = wanted.filter((name) => !offered.includes(name));
	if (missing.length === 0) return;
	const what = missing.length === wanted.length ? 'this tarball' : `${missing.join(', ')} of this tarball`;
	throw new Failure(`n8n ${version} cannot load ${what}${firstComplaint(log)}. See ${log}`);
}

/** The first message of n8n's log while it loads packages, if there is one. */
function firstComplaint(log: string): string {
	const [, loading = ''] = /^Initializing n8n process\n(.*?)^n8n ready/ms.exec(readFileSync(log, 'utf8')) ?? [];
	const reason = loading.split('\n').find((line) => line && !line.startsWith('Failed to load package'));
	return reason === undefined ? '' : `: ${reason}`;
}

async function demandClients(n8n: N8nClient, version: string, log: string): Promise<void> {
	const sandbox = await startSandbox({ clients: CLIENTS, createdUntilMs: Date.now() });
	try {
		const listed = await listClients(n8n, sandbox).catch((error: Error) => {
			throw new Failure(`List Clients did not work in n8n ${version}: ${error.message}. See ${log}`);
		});
		const there = [...sandbox.app.environment('sandbox').clients.all()].map((client) => client.reference_id);
		if (listed.sort().join() !== there.sort().join()) {
			throw new Failure(
				`In n8n ${version}, List Clients returned ${listed.length} clients that differ from the ${there.length} in the sandbox.`,
			);
		}
	} finally {
		await sandbox.close();
	}
}

async function listClients(n8n: N8nClient, { environments }: Sandbox): Promise<string[]> {
	const { url: sandboxBaseUrl, apiKey } = environments.sandbox;
	const data = { environment: 'sandbox', sandboxBaseUrl, apiKey };
	const credential = await n8n.createCredential('Sandbox', CREDENTIAL_TYPE, data);
	const workflow = await n8n.createWorkflow(fillIn(readExample('list-clients'), { credentials: [credential] }));
	const [trigger, node] = workflow.nodes;
	const run = await n8n.run(workflow, trigger.name);
	if (run.status !== 'success') throw new Error(run.error?.message ?? `the workflow ended with ${run.status}`);
	return run.items(node.name).map((client) => String(client.reference_id));
}
