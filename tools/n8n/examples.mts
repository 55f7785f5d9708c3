import { readFileSync } from 'node:fs';
import { PACKAGE_NAME } from '../project/package.mts';
import type { Credential, DataTable, WorkflowDraft, WorkflowNode } from './client.mts';

export const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
export const CREDENTIAL_TYPE = 'clientOnboardingApi';
export const EXAMPLES = 'examples';

interface Table {
	name: string;
	columns: string[];
}

const CRM = { name: 'CRM', columns: ['reference_id', 'client_name', 'email', 'request_status'] };

/** The data table of each example that has one. */
export const TABLES: Record<string, Table> = {
	'change-log': {
		name: 'Change log',
		columns: ['changed_at', 'reference_id', 'client', 'field', 'before', 'after', 'event_id'],
	},
	'clients-to-a-crm': CRM,
	'compare-with-the-crm': CRM,
	'completed-without-duplicates': { name: 'Processed events', columns: ['event_id', 'client'] },
};

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
