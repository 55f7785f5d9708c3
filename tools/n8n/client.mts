import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';

const RUN_WITHIN_MS = 120_000;
const READY_WITHIN_MS = 30_000;
const ASK_EVERY_MS = 150;

export interface Owner {
	email: string;
	password: string;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface DataTable {
	id: string;
	name: string;
}

export interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[key: string]: unknown;
}

export interface WorkflowDraft {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
}

export interface Workflow extends WorkflowDraft {
	id: string;
	/** What n8n 2.x publishes; 1.x has it too, but activates the workflow as it is. */
	versionId: string;
	/** Its triggers are on. */
	active: boolean;
	isArchived?: boolean;
}

type Json = Record<string, unknown>;

interface NodeRun {
	data?: { main?: Array<Array<{ json: Json }> | null> };
	hints?: Array<{ message: string }>;
}

interface RunData {
	resultData: {
		error?: { message: string; description?: string; node?: { name: string }; [key: string]: unknown };
		runData: Record<string, NodeRun[]>;
	};
}

export interface Run {
	id: string;
	status: string;
	error?: RunData['resultData']['error'];
	/** Items of a node, as the output panel shows them. Default: its first output. */
	items(node: string, output?: number): Json[];
	hints(node: string): string[];
	/** The run data as stored. */
	text: string;
}

export interface Verdict {
	status: 'OK' | 'Error';
	message: string;
}

/** A type of nodes or credentials, as n8n offers it in the editor. */
export interface OfferedType {
	name: string;
	displayName: string;
	iconUrl?: { light: string; dark: string };
	credentials?: Array<{ name: string }>;
}

/** n8n's own interface, the one its editor uses; the same calls for 1.x and 2.x. */
export class N8nClient {
	/** Tests read runs repeatedly, and a finished run does not change. */
	readonly #finished = new Map<string, Run>();

	/** `session` is the cookie of an earlier login. */
	constructor(
		readonly url: string,
		public session = '',
	) {}

	/** Logs in; makes the owner's account first where there is none yet. */
	async enter({ email, password }: Owner): Promise<void> {
		if ((await this.settings()).userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/owner/setup', { email, password, firstName: 'Demo', lastName: 'Owner' });
		}
		await this.request('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	async types(kind: 'nodes' | 'credentials'): Promise<OfferedType[]> {
		const answer = await fetch(`${this.url}/types/${kind}.json`, {
			headers: { cookie: this.session, connection: 'close' },
		});
		return (await answer.json()) as OfferedType[];
	}

	async credentials(): Promise<Credential[]> {
		return await this.request('GET', '/credentials');
	}

	async createCredential(name: string, type: string, data: Json): Promise<Credential> {
		return await this.request('POST', '/credentials', { name, type, data });
	}

	async updateCredential({ id, name, type }: Credential, data: Json): Promise<Credential> {
		return await this.request('PATCH', `/credentials/${id}`, { id, name, type, data });
	}

	/** What the credential's dialog shows after it was saved with this data. */
	async testCredential({ id, name, type }: Credential, data: Json): Promise<Verdict> {
		return await this.request('POST', '/credentials/test', { credentials: { id, name, type, data } });
	}

	async dataTables(): Promise<DataTable[]> {
		return (await this.request<{ data: DataTable[] }>('GET', await this.dataTablesPath())).data;
	}

	/** A table whose columns hold text, unless they are in `numbers`. */
	async createDataTable(name: string, columns: string[], numbers: string[] = []): Promise<DataTable> {
		const typed = columns.map((column) => ({ name: column, type: numbers.includes(column) ? 'number' : 'string' }));
		return await this.request('POST', await this.dataTablesPath(), { name, columns: typed });
	}

	async rowsOf({ id }: DataTable): Promise<Json[]> {
		return (await this.request<{ data: Json[] }>('GET', `${await this.dataTablesPath()}/${id}/rows?take=250`)).data;
	}

	async insertRows({ id }: DataTable, data: Json[]): Promise<void> {
		await this.request('POST', `${await this.dataTablesPath()}/${id}/insert`, { data, returnType: 'count' });
	}

	private async dataTablesPath(): Promise<string> {
		const { id } = await this.request<{ id: string }>('GET', '/projects/personal');
		return `/projects/${id}/data-tables`;
	}

	async workflows(): Promise<Workflow[]> {
		return await this.request('GET', '/workflows');
	}

	async workflow(id: string): Promise<Workflow> {
		return await this.request('GET', `/workflows/${id}`);
	}

	async createWorkflow(draft: WorkflowDraft): Promise<Workflow> {
		return await this.request('POST', '/workflows', { ...draft, active: false });
	}

	/** Saves the workflow with these nodes. One that is active goes on as it was until it is activated again. */
	async updateWorkflow(id: string, nodes: WorkflowNode[]): Promise<Workflow> {
		const { name, connections, settings, versionId } = await this.workflow(id);
		return await this.request('PATCH', `/workflows/${id}`, { name, nodes, connections, settings, versionId });
	}

	/** Lets a node give these items whenever the workflow is run by hand, as the editor's pin does. */
	async pin(id: string, node: string, items: Json[]): Promise<Workflow> {
		const { name, nodes, connections, settings, versionId } = await this.workflow(id);
		const pinData = { [node]: items.map((json) => ({ json })) };
		return await this.request('PATCH', `/workflows/${id}`, { name, nodes, connections, settings, versionId, pinData });
	}

	/** Together with its executions. */
	async removeWorkflow(id: string): Promise<void> {
		await this.request('POST', `/workflows/${id}/archive`, {});
		await this.request('DELETE', `/workflows/${id}`);
	}

	/** Makes the workflow run by its triggers, as it is saved now. */
	async activate(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.switch(id, 'activate', { versionId });
	}

	async deactivate(id: string): Promise<void> {
		await this.switch(id, 'deactivate', {});
	}

	/** n8n 1.x has a field where 2.x has an action. */
	private async switch(id: string, action: 'activate' | 'deactivate', body: Json): Promise<void> {
		const isOld = (await this.settings()).versionCli.startsWith('1.');
		if (!isOld) await this.request('POST', `/workflows/${id}/${action}`, body);
		else await this.request('PATCH', `/workflows/${id}`, { active: action === 'activate', ...body });
	}

	private async settings(): Promise<{ versionCli: string; userManagement: { showSetupOnFirstLoad: boolean } }> {
		return await this.request('GET', '/settings');
	}

	/** Everything the workflow has run so far, oldest first; waits for what is still under way. */
	async runs(workflowId: string): Promise<Run[]> {
		const ids = await this.runIds(workflowId);
		return await Promise.all(ids.map(async (id) => await this.finishedRun(id)));
	}

	/** Of everything the workflow has run or runs, oldest first. */
	async runIds(workflowId: string): Promise<string[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.request<{ results: Array<{ id: string }> }>(
			'GET',
			`/executions?limit=100&filter=${filter}`,
		);
		return results.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
	}

	/** Runs a workflow as the editor's button does, and waits for its end. */
	async run(workflow: Workflow, trigger: string): Promise<Run> {
		return await this.finishedRun(await this.startRun(workflow, trigger));
	}

	async startRun(workflow: Workflow, trigger: string): Promise<string> {
		const { executionId } = await this.request<{ executionId: string }>('POST', `/workflows/${workflow.id}/run`, {
			workflowData: workflow,
			triggerToStartFrom: { name: trigger },
		});
		return executionId;
	}

	async finishedRun(executionId: string): Promise<Run> {
		const known = this.#finished.get(executionId);
		if (known) return known;
		const deadline = Date.now() + RUN_WITHIN_MS;
		for (;;) {
			const { status, data } = await this.request<{ status: string; data: string }>(
				'GET',
				`/executions/${executionId}`,
			);
			const isOver = !['new', 'running', 'waiting'].includes(status);
			// The status is written a moment before the data.
			if (isOver && data !== '[]') {
				const run = readRun(executionId, status, data);
				this.#finished.set(executionId, run);
				return run;
			}
			if (Date.now() > deadline) throw new Error(`The workflow is still running after ${RUN_WITHIN_MS / 1000} s`);
			await sleep(ASK_EVERY_MS);
		}
	}

	async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const deadline = Date.now() + READY_WITHIN_MS;
		let answer = await this.send(method, path, body);
		// On a busy machine, n8n may be late to ping its database. Until then it refuses requests without handling them.
		while (answer.status === 503 && Date.now() < deadline) {
			await sleep(ASK_EVERY_MS);
			answer = await this.send(method, path, body);
		}
		const { data, message } = (await answer.json()) as { data: T; message?: string };
		if (!answer.ok) throw new Error(`n8n responded to ${method} ${path} with ${answer.status}: ${message}`);
		return data;
	}

	private async send(method: string, path: string, body: unknown): Promise<Response> {
		const answer = await fetch(`${this.url}/rest${path}`, {
			method,
			// n8n may close a kept connection just when it is used again.
			headers: { cookie: this.session, 'content-type': 'application/json', connection: 'close' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
		if (cookies.length > 0) this.session = cookies.join('; ');
		return answer;
	}
}

function readRun(id: string, status: string, text: string): Run {
	const { error, runData } = (parse(text) as RunData).resultData;
	const last = (node: string) => runData[node]?.at(-1);
	return {
		id,
		status,
		error,
		items: (node, output = 0) => (last(node)?.data?.main?.[output] ?? []).map(({ json }) => json),
		hints: (node) => (last(node)?.hints ?? []).map(({ message }) => message),
		text,
	};
}
