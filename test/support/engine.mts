import 'reflect-metadata';
import { configureGlobalAxiosDefaults } from '@n8n/backend-network';
import { ExecutionLifecycleHooks, LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createRunExecutionData, NodeHelpers, Workflow } from 'n8n-workflow';
import { ClientOnboarding } from '../../nodes/ClientOnboarding/ClientOnboarding.node';
import { CredentialStore } from './credentialStore.mts';
import { testCredential } from './credentialTester.mts';
import { expectNoSecret } from './secrets.mts';

// n8n does this when it starts.
configureGlobalAxiosDefaults();

const CREDENTIAL = { id: 'credential-1', name: 'Client Onboarding account' };

/** A credential that points at the sandbox environment of a service. */
export function sandboxCredential(sandboxBaseUrl: string, apiKey: string) {
	return { environment: 'sandbox', sandboxBaseUrl, apiKey, accessToken: '', accessTokenFor: '' };
}

/** A node that sends the request of a test in the same way as n8n's HTTP Request node. */
class RequestNode extends ClientOnboarding {
	constructor(private readonly request: (context: IExecuteFunctions) => Promise<unknown>) {
		super();
		const { request: send } = this;
		this.execute = async function () {
			return [[{ json: { answer: (await send(this)) as never }, pairedItem: { item: 0 } }]];
		};
	}
}

export interface RunOptions {
	parameters?: INodeParameters;
	input?: Array<{ json: INodeExecutionData['json'] }>;
	continueOnFail?: boolean;
	timezone?: string;
	/** Runs the node as n8n runs it for an AI agent. */
	isTool?: boolean;
	/** Called with the running workflow's cancel function. */
	onStart?: (cancel: () => void) => void;
}

export interface RunResult {
	items: INodeExecutionData[];
	json: Array<INodeExecutionData['json']>;
	error?: { name: string; message: string; description?: string; httpCode?: string; context: { itemIndex?: number } };
	hints: string[];
	run: IRun;
}

/** One n8n: a store of credentials and n8n's own engine to run nodes on it. */
export class Engine {
	readonly credentials = new CredentialStore();

	/** Whether the user has chosen a credential in the node. */
	isCredentialChosen = true;

	constructor(credential: ICredentialDataDecryptedObject) {
		this.credentials.save(CREDENTIAL.id, credential);
	}

	/** Runs the Client Onboarding node through WorkflowExecute. */
	async run(options: RunOptions = {}): Promise<RunResult> {
		return await this.execute(new ClientOnboarding(), options);
	}

	/** Sends a request with the credential attached by n8n itself. */
	async send(request: (context: IExecuteFunctions) => Promise<unknown>): Promise<RunResult> {
		return await this.execute(new RequestNode(request), {});
	}

	async searchGroups(filter?: string, paginationToken?: string): Promise<INodeListSearchResult> {
		const node = makeNode({});
		if (!this.isCredentialChosen) delete node.credentials;
		const workflow = makeWorkflow(node, new ClientOnboarding());
		const context = new LoadOptionsContext(workflow, node, this.additionalData(), '');
		return await new ClientOnboarding().methods.listSearch.searchGroups.call(context, filter, paginationToken);
	}

	/** Tests the credential as n8n does on save, with these unsaved changes. */
	async testCredential(changes: ICredentialDataDecryptedObject = {}): Promise<INodeCredentialTestResult> {
		const result = await testCredential(CREDENTIAL, { ...this.stored(), ...changes }, this.additionalData());
		expectNoSecret(result, 'the verdict on the credential');
		return result;
	}

	stored(): ICredentialDataDecryptedObject {
		return this.credentials.load(CREDENTIAL.id);
	}

	edit(changes: ICredentialDataDecryptedObject): void {
		this.credentials.edit(CREDENTIAL.id, changes);
	}

	private async execute(type: INodeType, options: RunOptions): Promise<RunResult> {
		const node = makeNode({ operation: 'list', ...options.parameters }, options.continueOnFail);
		if (options.isTool) node.type += 'Tool';
		const workflow = makeWorkflow(node, type, { timezone: options.timezone });
		const additionalData = this.additionalData();
		additionalData.hooks = new ExecutionLifecycleHooks('trigger', '1', {
			id: 'workflow-1',
			name: 'Test',
			nodes: [node],
			connections: {},
		} as never);
		const runData = createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node, data: { main: [options.input ?? [{ json: {} }]] }, source: null }],
			},
		});
		const running = new WorkflowExecute(additionalData, 'trigger', runData).processRunExecutionData(workflow);
		options.onStart?.(() => running.cancel());
		const run = await running;
		expectNoSecret(run, 'the run data');
		expectNoSecret(workflow.staticData, 'the static data');

		const task = run.data.resultData.runData[node.name]?.[0] as ITaskData | undefined;
		const items = task?.data?.main[0] ?? [];
		return {
			items,
			json: items.map(({ json }) => json),
			error: run.data.resultData.error as RunResult['error'],
			hints: (task?.hints ?? []).map(({ message }) => message),
			run,
		};
	}

	/** The additional data that n8n passes to every execution. */
	additionalData(): IWorkflowExecuteAdditionalData {
		const base = 'http://127.0.0.1';
		return {
			credentialsHelper: this.credentials,
			executionId: '1',
			currentNodeExecutionIndex: 0,
			restApiUrl: `${base}/rest`,
			instanceBaseUrl: base,
			webhookBaseUrl: `${base}/webhook`,
			webhookTestBaseUrl: `${base}/webhook-test`,
			webhookWaitingBaseUrl: `${base}/webhook-waiting`,
			formWaitingBaseUrl: `${base}/form-waiting`,
			variables: {},
			setExecutionStatus() {},
			logAiEvent() {},
		} as unknown as IWorkflowExecuteAdditionalData;
	}
}

export function makeNode(parameters: INodeParameters, continueOnFail = false): INode {
	return {
		id: 'node-1',
		name: 'Client Onboarding',
		type: 'n8n-nodes-client-onboarding.clientOnboarding',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { clientOnboardingApi: CREDENTIAL },
		...(continueOnFail && { onError: 'continueRegularOutput' }),
	};
}

export function makeWorkflow(
	node: INode,
	type: INodeType,
	{ id = 'workflow-1', timezone = 'UTC', staticData = {} } = {},
): Workflow {
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: (_name, version) => NodeHelpers.getVersionedNodeType(type, version),
		getKnownTypes: () => ({}),
	};
	return new Workflow({
		id,
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		settings: { timezone },
		staticData,
	});
}
