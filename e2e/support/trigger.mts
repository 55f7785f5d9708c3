import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Credential, N8nClient, Workflow, WorkflowNode } from '../../tools/n8n/client.mts';
import { CREDENTIAL_TYPE } from '../../tools/n8n/examples.mts';
import type { Host } from './hosts.mts';
import { VERSION } from './shared.mts';
import { until } from './until.mts';

/** n8n has no interval below a minute, but allows several times in a minute. */
export const OFTEN = {
	pollTimes: Array.from({ length: 10 }, (_, tenth) => ({
		mode: 'custom',
		cronExpression: `${tenth * 6} * * * * *`,
	})),
	pollsWithinMs: 10_000,
};

export function triggerNode(
	{ id, name }: Credential,
	pollTimes: object[],
	parameters: Record<string, unknown>,
): WorkflowNode {
	return {
		id: randomUUID(),
		name: 'Trigger',
		type: 'n8n-nodes-client-onboarding.clientOnboardingTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: { pollTimes: { item: pollTimes }, ...parameters },
		credentials: { [CREDENTIAL_TYPE]: { id, name } },
	};
}

/** Waits for the first poll of the trigger: n8n 2.x returns before that. */
export async function activateTrigger(n8n: N8nClient, { log }: Host, { id, name, nodes }: Workflow): Promise<void> {
	const isActive = `Activated trigger node "${nodes[0].name}" for workflow "${name}"`;
	const count = () => readFileSync(log, 'utf8').split(isActive).length;
	const before = count();
	await n8n.activate(id);
	if (!VERSION.startsWith('1.')) await until(() => count() > before);
}
