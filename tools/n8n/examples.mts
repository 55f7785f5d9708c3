import { PACKAGE_NAME } from '../project/package.mts';
import type { WorkflowDraft } from './client.mts';

export const CREDENTIAL_TYPE = 'clientOnboardingApi';

/** The workflow with this credential in all nodes of the package. */
export function withCredential(draft: WorkflowDraft, { id, name }: { id: string; name: string }): WorkflowDraft {
	const nodes = draft.nodes.map((node) =>
		node.type.startsWith(`${PACKAGE_NAME}.`) ? { ...node, credentials: { [CREDENTIAL_TYPE]: { id, name } } } : node,
	);
	return { ...draft, nodes };
}
