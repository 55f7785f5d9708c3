import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const CREDENTIAL_TYPE = 'clientOnboardingApi';
const RETRY_MS = 100;
const MAX_TRIES = 50;
const UNSAVED = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };

const SHEET = {
	name: 'Sheet',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.rows', options: {} },
};

export async function createCredential(n8n, { url, apiKey }) {
	const data = { environment: 'sandbox', sandboxBaseUrl: url, apiKey };
	return await n8n.createCredential(`Bench ${randomUUID()}`, CREDENTIAL_TYPE, data);
}

/** The node of this package; by default with Return All. */
export function listClients(credential, options, parameters = {}) {
	return [
		{
			name: 'Clients',
			type: 'n8n-nodes-client-onboarding.clientOnboarding',
			typeVersion: 1,
			parameters: { operation: 'list', returnAll: true, filters: {}, options, ...parameters },
			credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
		},
	];
}

/** Find Client of this package, for rows of IDs or of addresses. */
export function findById(credential) {
	return listClients(credential, {}, { operation: 'find', findBy: 'referenceId', referenceId: '={{ $json.id }}' });
}

export function findByEmail(credential) {
	return listClients(credential, {}, { operation: 'find', findBy: 'email', email: '={{ $json.email }}' });
}

/** What a user would do for rows of addresses without this package. */
export function httpByEmail(credential, { url }) {
	const query = [
		{ name: 'page_limit', value: '100' },
		{ name: 'client_email', value: '={{ $json.email }}' },
	];
	return requestAndSplit(credential, url, query, {});
}

/** What a user would do without this package: HTTP Request with as few requests as its pagination allows. */
export function httpRequest(credential, { url }, pageSize) {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [{ type: 'qs', name: 'page_no', value: '={{ $pageCount + 1 }}' }] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ $response.body.data.page_number >= $response.body.data.total_pages }}',
	};
	const query = [{ name: 'page_limit', value: String(pageSize) }];
	return requestAndSplit(credential, url, query, { pagination: { pagination } });
}

function requestAndSplit(credential, url, query, options) {
	return [
		{
			name: 'Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url: `${url}/api/v1/clients-list/`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
				sendQuery: true,
				queryParameters: { parameters: query },
				options,
			},
			credentials: { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } },
		},
		{
			name: 'Clients',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'data.results', options: {} },
		},
	];
}

/**
 * Creates and activates a workflow of these nodes, with these rows if there are any. `run` runs it and returns how many
 * different clients it returned.
 */
export async function activateWorkflow(n8n, nodes, { rows, settings = UNSAVED } = {}) {
	const path = randomUUID();
	const chain = [
		{
			name: 'Start',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
		},
		...(rows ? [SHEET] : []),
		...nodes,
		{
			name: 'Count',
			type: 'n8n-nodes-base.summarize',
			typeVersion: 1.1,
			parameters: {
				fieldsToSummarize: { values: [{ aggregation: 'countUnique', field: 'reference_id' }] },
				options: {},
			},
		},
	];
	const connections = Object.fromEntries(
		chain.slice(1).map(({ name }, index) => [chain[index].name, { main: [[{ node: name, type: 'main', index: 0 }]] }]),
	);
	const { id } = await n8n.createWorkflow({
		name: `Bench ${path}`,
		nodes: chain.map((node, index) => ({ id: randomUUID(), position: [220 * index, 0], ...node })),
		connections,
		settings: { executionOrder: 'v1', ...settings },
	});
	await n8n.activate(id);
	const url = `${n8n.url}/webhook/${path}`;
	await untilListening(url);
	const run = async (/** @type {AbortSignal | undefined} */ signal) => {
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ rows }), signal });
		const body = await response.json();
		if (!response.ok) throw new Error(`n8n responded with ${response.status}: ${body.message}`);
		return body.unique_count_reference_id;
	};
	return { id, nodes: nodes.map(({ name }) => name), run };
}

/** A webhook is registered a moment after its workflow is active. It accepts only POST, so this GET starts nothing. */
async function untilListening(url) {
	for (let tries = 1; ; tries++) {
		const { message } = await (await fetch(url)).json();
		if (/not registered for GET requests/.test(message)) return;
		if (tries === MAX_TRIES) throw new Error(`n8n has not registered the webhook: ${message}`);
		await sleep(RETRY_MS);
	}
}
