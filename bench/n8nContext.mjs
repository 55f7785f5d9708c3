import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import baseUrl from '../dist/nodes/ClientOnboarding/api/baseUrl.js';

const { fingerprint } = baseUrl;

/**
 * The context that n8n passes to a node, with undici as HTTP client: the code of this package runs without n8n's server.
 * `onPage` is called with every page.
 */
export function createContext({ url, apiKey, token }, parameters, onPage = () => {}) {
	const credentials = { environment: 'sandbox', sandboxBaseUrl: url, apiKey, accessToken: token };
	credentials.accessTokenFor = fingerprint(credentials);
	const node = {
		id: randomUUID(),
		name: 'Clients',
		type: 'clientOnboarding',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const staticData = {};
	return {
		getNode: () => node,
		getMode: () => 'trigger',
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: (type) => (type === 'node' ? staticData : {}),
		getActivationMode: () => 'activate',
		getInputData: () => [{ json: {} }],
		getNodeParameter: (name) => parameters[name],
		getTimezone: () => 'UTC',
		getCredentials: async () => ({ ...credentials }),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => false,
		addExecutionHints(...hints) {
			for (const { message } of hints) throw new Error(message);
		},
		helpers: {
			async httpRequestWithAuthentication(_type, { url: path, qs: query, abortSignal: signal }) {
				const headers = { authorization: `Bearer ${token}` };
				const { statusCode, headers: received, body } = await request(`${url}${path}`, { query, headers, signal });
				const answer = { statusCode, headers: received, body: await body.json() };
				await onPage();
				return answer;
			},
		},
	};
}
