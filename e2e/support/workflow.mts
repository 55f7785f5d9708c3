import { randomUUID } from 'node:crypto';
import type { Credential, N8nClient, Run, WorkflowDraft, WorkflowNode } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../tools/n8n/examples.mts';

const TRIGGER: WorkflowNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };

/** A node of the package; by default List Clients with Return All. */
export function listNode(
	credential: Credential,
	parameters: Record<string, unknown> = {},
	settings: Record<string, unknown> = {},
): WorkflowNode {
	return {
		name: 'Clients',
		type: 'n8n-nodes-client-onboarding.clientOnboarding',
		typeVersion: 1,
		parameters: { operation: 'list', returnAll: true, filters: {}, options: {}, ...parameters },
		credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
		...settings,
	};
}

/** These nodes one after the other behind a manual trigger. */
export function chain(...nodes: WorkflowNode[]): WorkflowDraft {
	return chainFrom(TRIGGER, ...nodes);
}

/** These nodes one after the other, the first of which is a trigger. */
export function chainFrom(...nodes: WorkflowNode[]): WorkflowDraft {
	return {
		name: `Test ${randomUUID()}`,
		nodes: nodes.map((node, index) => ({ id: randomUUID(), position: [220 * index, 0], ...node })),
		connections: Object.fromEntries(
			nodes
				.slice(1)
				.map(({ name }, index) => [nodes[index].name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	};
}

/** Runs these nodes one after the other behind a manual trigger. */
export async function runNodes(n8n: N8nClient, ...nodes: WorkflowNode[]): Promise<Run> {
	return await n8n.run(await n8n.createWorkflow(chain(...nodes)), TRIGGER.name);
}
