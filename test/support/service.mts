import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach } from '@jest/globals';
import type { RequestInfo } from '../../sandbox/endpoints/endpoints.mts';
import type { Sandbox, SandboxOptions } from '../../sandbox/server.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { Engine, sandboxCredential } from './engine.mts';
import { forgetSecret, trackSecret } from './secrets.mts';

export { sandboxCredential };

type End = () => Promise<void>;

/** How to end the services of the test, and those that several tests of the file share. */
let [own, shared]: [End[], End[]] = [[], []];

const endAll = async (ends: End[]) => void (await Promise.all(ends.map(async (end) => await end())));

beforeEach(() => {
	shared.push(...own);
	own = [];
});
afterEach(async () => await endAll(own.splice(0)));
afterAll(async () => await endAll([...own, ...shared]));

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

/** A running sandbox service with keys of its own, and an n8n that uses it. Both end with the test, or else with the file. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
	const requests: RequestInfo[] = [];
	const apiKey = randomUUID();
	const productionApiKey = randomUUID();
	const secrets = new Set<string>();
	const keepSecret = (secret?: string) => {
		if (!secret) return;
		secrets.add(secret);
		trackSecret(secret);
	};
	const sandbox = await startSandbox({
		control: false,
		apiKey,
		productionApiKey,
		...options,
		onRequest: async (info) => {
			requests.push(info);
			keepSecret(info.bearer);
			await options.onRequest?.(info);
		},
		onAnswer: (info, answer) => {
			const { data } = Object(answer.body) as { data?: { access_token?: string } };
			keepSecret(data?.access_token);
			options.onAnswer?.(info, answer);
		},
	});
	[apiKey, productionApiKey].forEach(keepSecret);
	own.push(async () => {
		await sandbox.close();
		secrets.forEach(forgetSecret);
	});
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
