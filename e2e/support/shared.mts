import { resolve } from 'node:path';
import { N8nClient, type Owner } from '../../tools/n8n/client.mts';

export const VERSION = process.env.N8N_VERSION as string;
export const TARBALL = process.env.E2E_TARBALL as string;
/** Logs and screenshots of this run. */
export const OUTPUT = resolve(process.env.E2E_OUTPUT as string);
/** For n8n's own folders. Outside of the project, since they are large and the linter would read them. */
export const FOLDERS = process.env.E2E_FOLDERS as string;
export const OWNER: Owner = { email: 'owner@example.com', password: 'Test1-for-this-run-only' };

/** What the tests need to know of the n8n they share. */
export interface SharedN8n {
	url: string;
	session: string;
	userFolder: string;
	log: string;
	/** For 127.0.0.1; n8n trusts it. */
	certificate: { key: string; cert: string };
}

export function shareN8n(shared: SharedN8n): void {
	process.env.E2E_SHARED_N8N = JSON.stringify(shared);
}

/** A certificate that the shared n8n trusts; tests in queue mode have no shared one. */
export function trustedCertificate(): SharedN8n['certificate'] | undefined {
	return process.env.E2E_SHARED_N8N ? sharedN8n().certificate : undefined;
}

/** The n8n that all tests share, logged in. */
export function sharedN8n(): SharedN8n & { client: N8nClient } {
	const shared = JSON.parse(process.env.E2E_SHARED_N8N as string) as SharedN8n;
	return { ...shared, client: new N8nClient(shared.url, shared.session) };
}
