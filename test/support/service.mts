import { randomUUID } from 'node:crypto';
import { afterAll } from '@jest/globals';
import type { RequestInfo } from '../../sandbox/endpoints/endpoints.mts';
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { Engine, sandboxCredential } from './engine.mts';
import { trackSecret } from './secrets.mts';

export { sandboxCredential };

const running = new Set<Sandbox>();

afterAll(async () => {
	await Promise.all([...running].map(async (sandbox) => await sandbox.close()));
});

export interface Service extends Sandbox {
	/** An n8n whose credential points at the sandbox environment. */
	engine: Engine;
	/** Every request so far, oldest first. */
	requests: RequestInfo[];
	listRequests(): RequestInfo[];
	tokenRequests(): RequestInfo[];
	/** Ids of all clients of the sandbox environment, sorted. */
	ids(): string[];
}

/** A running sandbox service with keys of its own, and an n8n that uses it. Both end with the test file. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
	const requests: RequestInfo[] = [];
	const apiKey = randomUUID();
	const productionApiKey = randomUUID();
	const sandbox = await startSandbox({
		control: false,
		apiKey,
		productionApiKey,
		...options,
		onRequest: async (info) => {
			requests.push(info);
			trackSecret(info.bearer);
			await options.onRequest?.(info);
		},
		onAnswer: (info, answer) => {
			const { data } = Object(answer.body) as { data?: { access_token?: string } };
			trackSecret(data?.access_token);
			options.onAnswer?.(info, answer);
		},
	});
	running.add(sandbox);
	trackSecret(apiKey);
	trackSecret(productionApiKey);
	return {
		...sandbox,
		engine: new Engine(sandboxCredential(sandbox.environments.sandbox.url, apiKey)),
		requests,
		listRequests: () => requests.filter(({ endpoint }) => endpoint === 'list'),
		tokenRequests: () => requests.filter(({ endpoint }) => endpoint === 'token'),
		ids: () => [...sandbox.app.environment('sandbox').clients.ids()].sort(),
	};
}

/** The IDs of listed clients, sorted. A client that is listed twice is in it twice. */
export function idsOf(clients: Array<{ reference_id?: unknown }>): string[] {
	return clients.map(({ reference_id: id }) => String(id)).sort();
}
