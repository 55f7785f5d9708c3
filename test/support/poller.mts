import { randomUUID } from 'node:crypto';
import { PollContext } from 'n8n-core';
import type { IDataObject, INode, INodeParameters, Workflow, WorkflowActivateMode } from 'n8n-workflow';
import { deepCopy, NodeHelpers } from 'n8n-workflow';
import { ClientOnboardingTrigger } from '../../nodes/ClientOnboarding/ClientOnboardingTrigger.node';
import { makeNode, makeWorkflow, type Engine } from './engine.mts';
import { expectNoSecret } from './secrets.mts';

const type = new ClientOnboardingTrigger();

export interface PollerOptions {
	/** Keeps the state as n8n does with N8N_POLLER_DURABLE_CURSORS_ENABLED. */
	hasDurableCursors?: boolean;
	budgetMs?: number;
	alwaysOutputData?: boolean;
	/** As in n8n before 2.38, which gives a poll no time budget. */
	isOld?: boolean;
}

/** An active workflow with the trigger: polls as n8n does, and stores what n8n stores. */
export class Poller {
	/** The static data of the node in n8n's database. */
	saved?: string;

	emptyExecutions = 0;

	/** The failed executions that the trigger made outside of its polls. */
	readonly failures: Error[] = [];

	/** The results of polls that n8n threw away because the workflow was saved meanwhile. */
	readonly thrownAway: IDataObject[][] = [];

	/** The static data that the workflow's other nodes share. */
	global: IDataObject = {};

	private process = randomUUID();

	/** Saved with the workflow. A node that is deleted and added again gets another one. */
	nodeId = 'node-1';

	private name = 'Trigger';

	/** The node's name when its state was stored. Without durable cursors, n8n finds static data by this name. */
	private savedAs = this.name;

	private activation: WorkflowActivateMode = 'activate';

	private workflow!: Workflow;

	private node!: INode;

	/** Without durable cursors, n8n uses one object for all polls of an activation. */
	private context!: PollContext;

	constructor(
		private readonly engine: Engine,
		parameters: INodeParameters = {},
		private readonly options: PollerOptions = {},
	) {
		this.load(parameters);
	}

	/** The events of one poll. */
	async poll(): Promise<IDataObject[]> {
		return await this.pollOnce({ isActivation: false });
	}

	/** The poll that n8n makes when a workflow is activated, or when n8n starts. */
	async activate(): Promise<IDataObject[]> {
		this.load(this.node.parameters);
		const events = await this.pollOnce({ isActivation: true });
		if (!this.options.hasDurableCursors) this.save();
		return events;
	}

	/** The workflow is saved with other parameters, which activates it again. */
	async edit(parameters: INodeParameters): Promise<IDataObject[]> {
		this.load(parameters);
		return await this.activate();
	}

	/** The workflow is saved with another name for the node, which activates it again. */
	async rename(name: string): Promise<IDataObject[]> {
		this.name = name;
		return await this.activate();
	}

	/** Loses what is only in memory. n8n restarts with the stored state, or with this one. */
	async restart(saved = this.saved): Promise<IDataObject[]> {
		this.saved = saved;
		this.process = randomUUID();
		this.activation = 'init';
		this.load(this.node.parameters);
		return this.options.hasDurableCursors ? await this.poll() : await this.activate();
	}

	/** n8n ends, or the workflow is deactivated, during a poll: its result is lost. */
	async pollForNobody(): Promise<void> {
		const snapshot = JSON.parse(this.memory()) as IDataObject;
		await this.call(this.makeContext('trigger', () => snapshot));
		this.failures.length = 0;
	}

	/** The workflow is loaded from the database, as when it is saved, or when this process becomes the leader again. */
	async reload(): Promise<IDataObject[]> {
		this.load(this.node.parameters);
		return this.options.hasDurableCursors ? await this.poll() : await this.activate();
	}

	/** The workflow is saved while a poll is under way, which n8n 1.x lets finish. The saved workflow goes on from the older state. */
	async pollAcrossSave(): Promise<IDataObject[]> {
		const { saved } = this;
		const events = await this.poll();
		if (!this.options.hasDurableCursors) {
			const later = this.saved;
			this.saved = saved;
			this.load(this.node.parameters);
			this.saved = later;
		}
		return events;
	}

	/** The output when a user runs the node by hand. */
	async runByHand(): Promise<IDataObject[]> {
		const before = JSON.stringify(this.workflow.staticData);
		const { events } = await this.call(
			this.makeContext('manual', () => this.workflow.getStaticData('node', this.node)),
		);
		if (JSON.stringify(this.workflow.staticData) !== before) throw new Error('A run by hand changed the static data');
		return events;
	}

	/** The static data of the node, as text, as the running n8n has it in memory. */
	memory(): string {
		return this.options.hasDurableCursors
			? (this.saved ?? '{}')
			: JSON.stringify(this.workflow.getStaticData('node', this.node));
	}

	/** Overwrites the saved state of the trigger. */
	overwrite(state: unknown): void {
		this.saved = JSON.stringify({ state });
		this.load(this.node.parameters);
	}

	private load(parameters: INodeParameters): void {
		const node = {
			...makeNode(parameters),
			id: this.nodeId,
			name: this.name,
			alwaysOutputData: this.options.alwaysOutputData,
			type: 'n8n-nodes-client-onboarding.clientOnboardingTrigger',
		};
		node.parameters =
			NodeHelpers.getNodeParameters(type.description.properties, parameters, true, false, node, type.description) ?? {};
		this.node = node;
		const own =
			this.saved && !this.options.hasDurableCursors ? { [`node:${this.savedAs}`]: JSON.parse(this.saved) } : {};
		const staticData = { global: this.global, ...own };
		this.workflow = makeWorkflow(node, type, { id: this.process, staticData });
		const { workflow } = this;
		this.context = this.makeContext('trigger', () => workflow.getStaticData('node', node));
	}

	private save(): void {
		this.saved = JSON.stringify(this.workflow.getStaticData('node', this.node));
		this.savedAs = this.name;
	}

	private async pollOnce({ isActivation }: { isActivation: boolean }): Promise<IDataObject[]> {
		if (!this.options.hasDurableCursors) {
			const { context } = this;
			const { events, isNull } = await this.call(context);
			// n8n 2.x throws away the result of a poll if the workflow was saved meanwhile.
			if (this.context !== context) {
				this.thrownAway.push(events);
				return [];
			}
			if (!isNull) this.save();
			this.countIfEmpty(events, isNull);
			return events;
		}
		const seed = this.saved ?? '{}';
		const snapshot = JSON.parse(seed) as IDataObject;
		const { events, isNull } = await this.call(this.makeContext('trigger', () => snapshot));
		const text = JSON.stringify(snapshot);
		if (text !== seed && !(isNull && isActivation)) this.saved = text;
		this.countIfEmpty(events, isNull);
		return events;
	}

	private countIfEmpty(events: IDataObject[], isNull: boolean): void {
		if (!isNull && events.length === 0) this.emptyExecutions += 1;
	}

	private makeContext(mode: 'manual' | 'trigger', staticData: () => IDataObject): PollContext {
		const unused = () => {
			throw new Error('The node must not call this');
		};
		const emitError = (error: Error) => this.failures.push(error);
		const context = new PollContext(
			this.workflow,
			this.node,
			this.engine.additionalData(),
			mode,
			this.activation,
			unused,
			emitError,
			async () => {},
			async (poll) => await poll(),
			staticData,
			() => this.options.budgetMs ?? 60_000,
		);
		if (this.options.isOld) Object.assign(context, { getPollBudgetMs: undefined });
		return context;
	}

	private async call(context: PollContext) {
		const result = await type.poll.call(context).catch((error: unknown) => {
			expectNoSecret(error, 'the error of the poll');
			throw error;
		});
		expectNoSecret(result, 'the events');
		expectNoSecret(this.workflow.staticData, 'the static data');
		expectNoSecret(this.failures, 'what failed executions say');
		if (result && result.length !== 1) throw new Error('A trigger has one output');
		return { events: deepCopy(result?.[0] ?? []).map(({ json }) => json), isNull: result === null };
	}
}
