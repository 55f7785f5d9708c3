import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { N8nClient } from '../../tools/n8n/client.mts';
import { obtainN8n } from '../../tools/n8n/install.mts';
import { startN8n, type N8nProcess } from '../../tools/n8n/server.mts';
import { createSelfSigned } from '../../tools/network/certificate.mts';
import { placePackage } from '../../tools/project/package.mts';
import { FOLDERS, OUTPUT, OWNER, shareN8n, TARBALL, VERSION } from './shared.mts';

declare global {
	var sharedN8nProcess: N8nProcess;
}

export default async function start(): Promise<void> {
	const userFolder = join(FOLDERS, 'shared');
	const log = join(OUTPUT, 'shared-n8n.log');
	mkdirSync(userFolder, { recursive: true });
	await placePackage(TARBALL, userFolder);
	const certificate = await createSelfSigned();
	const trusted = join(FOLDERS, 'trusted.pem');
	writeFileSync(trusted, certificate.cert);

	globalThis.sharedN8nProcess = await startN8n(await obtainN8n(VERSION), {
		userFolder,
		log,
		settings: { NODE_EXTRA_CA_CERTS: trusted, N8N_LOG_LEVEL: 'debug' },
	});
	const client = new N8nClient(globalThis.sharedN8nProcess.url);
	await client.enter(OWNER);
	shareN8n({ url: client.url, session: client.session, userFolder, log, certificate });
}
