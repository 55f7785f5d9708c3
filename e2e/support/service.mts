import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Client } from '../../sandbox/data/client.mts';
import type { RequestInfo } from '../../sandbox/endpoints/endpoints.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { trustedCertificate } from './shared.mts';

export interface Service extends Sandbox {
	/** Every request so far, oldest first. */
	requests: RequestInfo[];
	tokenRequestCount(): number;
	listRequests(): RequestInfo[];
	/** Changes clients through the control interface, as curl does. */
	control(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Client>;
	/** All keys and tokens that were used. */
	secrets: Set<string>;
	/** The data of a credential for the sandbox environment. */
	credential: { environment: string; sandboxBaseUrl: string; productionBaseUrl: string; apiKey: string };
}

const running: Sandbox[] = [];
afterAll(async () => {
	await Promise.all(running.map((sandbox) => sandbox.close()));
});

/** A service in this process with its own keys. Production uses https if n8n trusts the certificate. Ends with the test file. */
export async function startService(options: SandboxOptions = {}): Promise<Service> {
	const requests: RequestInfo[] = [];
	const apiKey = `key-${randomUUID()}`;
	const productionApiKey = `key-${randomUUID()}`;
	const secrets = new Set([apiKey, productionApiKey]);
	const sandbox = await startSandbox({
		control: false,
		tls: trustedCertificate(),
		apiKey,
		productionApiKey,
		...options,
		onRequest: async (info) => {
			requests.push(info);
			if (info.bearer) secrets.add(info.bearer);
			await options.onRequest?.(info);
		},
	});
	running.push(sandbox);
	const { environments, controlUrl } = sandbox;
	return {
		...sandbox,
		requests,
		tokenRequestCount: () => requests.filter(({ endpoint }) => endpoint === 'token').length,
		listRequests: () => requests.filter(({ endpoint }) => endpoint === 'list'),
		async control(method, path, body) {
			const answer = await fetch(`${controlUrl}${path}`, { method, body: body && JSON.stringify(body) });
			if (!answer.ok) throw new Error(`The sandbox refused ${method} ${path}: ${await answer.text()}`);
			return (await answer.json()) as Client;
		},
		secrets,
		credential: {
			environment: 'sandbox',
			sandboxBaseUrl: environments.sandbox.url,
			productionBaseUrl: environments.production.url,
			apiKey,
		},
	};
}

/** The files of an n8n, including its log, that contain this text. */
export function filesWith(text: string, { userFolder, log }: { userFolder: string; log: string }): string[] {
	const entries = readdirSync(userFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const files = [log, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
	return files.filter((file) => holds(file, text));
}

function holds(file: string, text: string): boolean {
	try {
		return readFileSync(file).includes(text);
	} catch (error) {
		// The journal of the database may be deleted at any time.
		if ((error as NodeJS.ErrnoException).code === 'ENOENT' && file.endsWith('-journal')) return false;
		throw error;
	}
}
