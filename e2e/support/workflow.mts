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

/** These nodes one after the other behind a trigger. */
export function chainFrom(trigger: WorkflowNode, ...nodes: WorkflowNode[]): WorkflowDraft {
	return rowsFrom(trigger, [nodes]);
}

/** Several rows of nodes behind one manual trigger. */
export function rows(...nodes: WorkflowNode[][]): WorkflowDraft {
	return rowsFrom(TRIGGER, nodes);
}

function rowsFrom(trigger: WorkflowNode, rows: WorkflowNode[][]): WorkflowDraft {
	const place = (node: WorkflowNode, x: number, y: number) => ({
		id: randomUUID(),
		position: [220 * x, 160 * y],
		...node,
	});
	const to = ({ name }: WorkflowNode) => ({ node: name, type: 'main', index: 0 });
	const steps = rows.flatMap((row) => row.slice(1).map((node, index) => [row[index].name, { main: [[to(node)]] }]));
	return {
		name: `Test ${randomUUID()}`,
		nodes: [place(trigger, 0, 0), ...rows.flatMap((row, y) => row.map((node, x) => place(node, x + 1, y)))],
		connections: { [trigger.name]: { main: [rows.map(([first]) => to(first))] }, ...Object.fromEntries(steps) },
		settings: { executionOrder: 'v1' },
	};
}

/** Runs these nodes one after the other behind a manual trigger. */
export async function runNodes(n8n: N8nClient, ...nodes: WorkflowNode[]): Promise<Run> {
	return await n8n.run(await n8n.createWorkflow(chain(...nodes)), TRIGGER.name);
}
