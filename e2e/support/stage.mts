import { randomUUID } from 'node:crypto';
import type { Client } from '../../sandbox/data/client.mts';
import type { Credential, N8nClient, Run, Workflow } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE, fillIn, readExample, type Filling } from '../../tools/n8n/examples.mts';
import { startService, type Service } from './service.mts';
import { OFTEN } from './trigger.mts';
import { until } from './until.mts';

/** Parameters to change, by the name of the node. */
type Changes = Record<string, Record<string, unknown>>;

/** What the test of an example uses: an n8n, and a service without clients and its test inbox. */
export class Stage {
	readonly #active: string[] = [];

	private constructor(
		readonly n8n: N8nClient,
		readonly service: Service,
		private readonly credential: Credential,
	) {}

	static async open(n8n: N8nClient): Promise<Stage> {
		const service = await startService({ clients: 0, control: true });
		const credential = await n8n.createCredential(`Stage ${randomUUID()}`, CREDENTIAL_TYPE, service.credential);
		return new Stage(n8n, service, credential);
	}

	/** Imports an example and fills in what a user has to fill in. */
	async create(
		example: string,
		changes: Changes = {},
		{ credentials = [], ...filling }: Partial<Filling> = {},
		settings: Record<string, unknown> = {},
	): Promise<Workflow> {
		const draft = readExample(example);
		for (const node of draft.nodes) Object.assign(node.parameters, changes[node.name]);
		Object.assign(draft.settings ?? {}, settings);
		const { controlUrl } = this.service;
		const filled = fillIn(draft, { credentials: [this.credential, ...credentials], controlUrl, ...filling });
		return await this.n8n.createWorkflow(filled);
	}

	/** A workflow with the trigger of the package, which polls often and has made its first poll. */
	async createActive(...[example, changes = {}, ...more]: Parameters<Stage['create']>): Promise<Workflow> {
		const trigger = { ...changes['Client Onboarding Trigger'], pollTimes: { item: OFTEN.pollTimes } };
		const workflow = await this.create(example, { ...changes, 'Client Onboarding Trigger': trigger }, ...more);
		await this.activate(workflow);
		// The baseline is saved by an execution, with or without items.
		await until(async () => (await this.n8n.runIds(workflow.id)).length > 0);
		return workflow;
	}

	async activate({ id }: Workflow): Promise<void> {
		await this.n8n.activate(id);
		this.#active.push(id);
	}

	/** Deactivates all workflows, so that they stop polling. */
	async close(): Promise<void> {
		for (const id of this.#active) await this.n8n.deactivate(id);
	}

	/** The failed executions, as soon as there is one. */
	async failedOnce({ id }: Workflow): Promise<Run[]> {
		const failed = async () => (await this.n8n.runs(id)).filter(({ error }) => error);
		await until(async () => (await failed()).length > 0);
		return await failed();
	}

	async add(fields: Partial<Client>): Promise<Client> {
		return await this.service.control('POST', '/clients', fields);
	}

	async change({ reference_id: id }: Client, fields: Partial<Client>): Promise<void> {
		await this.service.control('PATCH', `/clients/${id}`, fields);
	}

	/** The messages in the test inbox, sorted. */
	async messages(): Promise<string[]> {
		const answer = await fetch(`${this.service.controlUrl}/messages`);
		return ((await answer.json()) as Array<{ text: string }>).map(({ text }) => text).sort();
	}

	/** The messages, as soon as there are this many. */
	async messagesOnce(count: number): Promise<string[]> {
		await until(async () => (await this.messages()).length >= count);
		return await this.messages();
	}
}

export const ada = { client_name: 'Ada', group_name: 'Retail', email: 'ada@example.com' };
export const bob = { client_name: 'Bob', group_name: 'Retail', email: 'bob@example.com' };
