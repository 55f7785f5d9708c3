import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../tools/n8n/cache.mts';
import type { DataTable, N8nClient, Owner, Workflow, WorkflowDraft, WorkflowNode } from '../tools/n8n/client.mts';
import {
	CREDENTIAL_TYPE,
	EXAMPLES,
	fillIn,
	readExample,
	STICKY_NOTE,
	TABLES,
	type Filling,
} from '../tools/n8n/examples.mts';
import { takeLock } from '../tools/process/lock.mjs';
import { Failure } from '../tools/terminal/failure.mjs';
import { USUAL_SANDBOX_PORT, workersOf, type Flags } from './flags.mjs';

const CREDENTIAL_NAME = 'Sandbox';
const MORE_HEIGHT = 80;

export interface DemoFolder {
	/** n8n's user folder. */
	path: string;
	log: string;
	/** File of the sandbox's clients. */
	clients: string;
	owner: Owner;
}

/** The folder that keeps the demo's n8n from one start to the next. Only one start can use it at a time. */
export async function openDemoFolder(flags: Flags): Promise<DemoFolder> {
	const { n8nVersion, sandboxPort, fresh: isFresh } = flags;
	// Workflows made for a sandbox on another port would send their messages there.
	const place = sandboxPort === USUAL_SANDBOX_PORT ? '' : `-at-${sandboxPort}`;
	const path = join(cacheFolder(), `demo-${workersOf(flags) > 0 ? 'queue-' : ''}${n8nVersion}${place}`);
	await takeLock(`${path}.lock`, (pid) => {
		throw new Failure(`The demo is already running (process ${pid}). Stop it first.`);
	});
	if (isFresh) rmSync(path, { recursive: true, force: true });
	mkdirSync(path, { recursive: true, mode: 0o700 });
	const log = join(path, 'n8n.log');
	rmSync(log, { force: true });
	return {
		path,
		log,
		clients: join(path, 'clients.json'),
		owner: { email: 'demo@example.com', password: keepPassword(join(path, 'password')) },
	};
}

function keepPassword(file: string): string {
	const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
	if (kept) return kept;
	// n8n requires a capital letter and a digit.
	const password = `Demo1-${randomBytes(9).toString('base64url')}`;
	writeFileSync(file, `${password}\n`, { mode: 0o600 });
	return password;
}

/** Creates or updates the demo's credential. */
export async function provideCredential(n8n: N8nClient, service: { url: string; apiKey: string }) {
	const data = { environment: 'sandbox', sandboxBaseUrl: service.url, apiKey: service.apiKey };
	const known = (await n8n.credentials()).find(
		({ name, type }) => name === CREDENTIAL_NAME && type === CREDENTIAL_TYPE,
	);
	return known
		? await n8n.updateCredential(known, data)
		: await n8n.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
}

/** The data tables of the examples, by the name of the example. Several may share one. */
async function provideTables(n8n: N8nClient): Promise<Record<string, DataTable>> {
	const known = await n8n.dataTables();
	const tables: Record<string, DataTable> = {};
	for (const [example, { name, columns }] of Object.entries(TABLES)) {
		const made = known.find((table) => table.name === name) ?? (await n8n.createDataTable(name, columns));
		known.push(made);
		tables[example] = made;
	}
	return tables;
}

/** The example workflows by name. Those of an earlier start stay unchanged. */
export async function provideWorkflows(
	n8n: N8nClient,
	filling: Required<Omit<Filling, 'dataTable'>>,
): Promise<Record<string, Workflow>> {
	const known = await n8n.workflows();
	const tables = await provideTables(n8n);
	const workflows: Record<string, Workflow> = {};
	for (const example of listExamples()) {
		const draft = addDemoNote(
			fillIn(readExample(example), { ...filling, dataTable: tables[example] }),
			filling.controlUrl,
			tables[example],
		);
		const made = known.find((workflow) => workflow.name === draft.name && !workflow.isArchived);
		workflows[example] = made ? await n8n.workflow(made.id) : await n8n.createWorkflow(draft);
	}
	return workflows;
}

/** Says in the note of an example what the demo has filled in already. */
function addDemoNote(draft: WorkflowDraft, controlUrl: string, table?: DataTable): WorkflowDraft {
	const text = JSON.stringify(draft);
	const lines = [
		'**In this demo:**',
		text.includes(CREDENTIAL_TYPE) && 'The Client Onboarding credential is selected.',
		table && `The table is called ${table.name}, under **Overview → Data tables**.`,
		text.includes('/messages"') &&
			`Messages go to the test inbox: see **Messages** in the [sandbox console](${controlUrl}).`,
		text.includes('emailSend') && 'There is no mail server: emails need an SMTP credential of yours.',
	];
	const more = `\n\n${lines.filter(Boolean).join(' ')}`;
	return {
		...draft,
		nodes: draft.nodes.map((node) => (node.type === STICKY_NOTE ? extendNote(node, more) : node)),
	};
}

/** Notes are above the other nodes, so they grow upward. */
function extendNote(node: WorkflowNode, more: string): WorkflowNode {
	const { content, height } = node.parameters;
	const [x, y] = node.position as [number, number];
	const parameters = { ...node.parameters, content: `${content}${more}`, height: Number(height) + MORE_HEIGHT };
	return { ...node, parameters, position: [x, y - MORE_HEIGHT] };
}

function listExamples(): string[] {
	const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
	return files.map((file) => file.replace('.json', ''));
}
