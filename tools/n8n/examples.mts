import { readFileSync } from 'node:fs';
import { PACKAGE_NAME } from '../project/package.mts';
import type { Credential, DataTable, WorkflowDraft, WorkflowNode } from './client.mts';

export const CREDENTIAL_TYPE = 'clientOnboardingApi';
export const EXAMPLES = 'examples';

/** Columns of the table in which the examples store clients. */
export const CRM_COLUMNS = ['reference_id', 'client_name', 'email', 'request_status'];

const SANDBOX_CONTROL = 'http://localhost:4012';
const CREDENTIAL_TYPES: Record<string, string> = {
	'n8n-nodes-base.emailSend': 'smtp',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'@n8n/n8n-nodes-langchain.mcpTrigger': 'httpBearerAuth',
};

/** What a user fills in after an import. */
export interface Filling {
	/** One of a type at most. */
	credentials: Credential[];
	dataTable?: DataTable;
	/** Control interface of the sandbox, which also receives messages. */
	controlUrl?: string;
}

export function readExample(name: string): WorkflowDraft {
	// Only n8n's command line needs the id.
	const { id: _, ...draft } = JSON.parse(readFileSync(`${EXAMPLES}/${name}.json`, 'utf8')) as WorkflowDraft & {
		id: string;
	};
	return draft;
}

export function fillIn(draft: WorkflowDraft, filling: Filling): WorkflowDraft {
	return { ...draft, nodes: draft.nodes.map((node) => fillInNode(node, filling)) };
}

function fillInNode(node: WorkflowNode, { credentials, dataTable, controlUrl }: Filling): WorkflowNode {
	const wanted = node.type.startsWith(`${PACKAGE_NAME}.`) ? CREDENTIAL_TYPE : CREDENTIAL_TYPES[node.type];
	const credential = credentials.find(({ type }) => type === wanted);
	const { url, dataTableId } = node.parameters;
	return {
		...node,
		parameters: {
			...node.parameters,
			...(controlUrl && typeof url === 'string' && { url: url.replace(SANDBOX_CONTROL, controlUrl) }),
			...(dataTable && dataTableId !== undefined && { dataTableId: locate(dataTable) }),
		},
		...(credential && { credentials: { [credential.type]: { id: credential.id, name: credential.name } } }),
	};
}

/** As n8n stores what was chosen from its list. */
function locate({ id, name }: DataTable) {
	return { __rl: true, mode: 'list', value: id, cachedResultName: name };
}
