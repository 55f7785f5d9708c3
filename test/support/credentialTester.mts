import { ExecuteContext, RoutingNode } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequestData,
	INode,
	INodeCredentialTestResult,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createEmptyRunExecutionData, NodeConnectionTypes, NodeHelpers, Workflow } from 'n8n-workflow';
import { ClientOnboardingApi } from '../../credentials/ClientOnboardingApi.credentials';

const { name, test } = new ClientOnboardingApi();

/** Tests a credential as n8n's server does: its routing engine sends the request, then the rules are checked. */
export async function testCredential(
	details: { id: string; name: string },
	data: ICredentialDataDecryptedObject,
	additionalData: IWorkflowExecuteAdditionalData,
): Promise<INodeCredentialTestResult> {
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: 'noOp',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [name]: details },
	};
	const type: INodeType = {
		description: {
			displayName: 'No Operation',
			name: 'noOp',
			group: ['organization'],
			version: 1,
			description: '',
			defaults: {},
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name, required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request: test.request }, default: '' },
			],
		},
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: (_name, version) => NodeHelpers.getVersionedNodeType(type, version),
			getKnownTypes: () => ({}),
		},
	});
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	try {
		const answer = await new RoutingNode(context, type, { ...details, type: name, data }).runNode();
		return applyRules(test.rules, answer?.[0][0].json);
	} catch (error) {
		const { message, cause } = error as { message: string; cause?: { response?: unknown; code?: string } };
		if (cause?.response) return { status: 'Error', message: 'A text n8n made up from the HTTP status' };
		return { status: 'Error', message: cause?.code ?? message };
	}
}

function applyRules(
	rules: ICredentialTestRequestData['testRequest']['rules'],
	body: unknown,
): INodeCredentialTestResult {
	for (const { type, properties } of rules ?? []) {
		if (type !== 'responseSuccessBody') continue;
		const value = properties.key
			.split('.')
			.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], body);
		if (value === properties.value) return { status: 'Error', message: properties.message };
	}
	return { status: 'OK', message: 'Connection successful!' };
}
