import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { N8nClient, type Credential } from '../tools/n8n/client.mts';
import { CREDENTIAL_TYPE, EXAMPLES } from '../tools/n8n/examples.mts';
import { obtainN8n } from '../tools/n8n/install.mts';
import { startN8n } from '../tools/n8n/server.mts';
import { placePackage } from '../tools/project/package.mts';
import { filesWith, startService, type Service } from './support/service.mts';
import { FOLDERS, OUTPUT, OWNER, TARBALL, VERSION } from './support/shared.mts';
import { listNode, runNodes } from './support/workflow.mts';

const written = { userFolder: join(FOLDERS, 'restarted'), log: join(OUTPUT, 'restarted-n8n.log') };
const CREDENTIAL_NAME = 'Credential that outlives a restart';

const EXAMPLE = resolve(EXAMPLES, 'declined-clients-to-a-chat.json');

/** The command waits for a running n8n's database for a second only, and then ends without a message: n8n has to be stopped. */
async function importOnCommandLine(): Promise<string> {
	const { node, script } = await obtainN8n(VERSION);
	const { stdout, stderr } = spawnSync(node, [script, 'import:workflow', `--input=${EXAMPLE}`], {
		env: {
			HOME: written.userFolder,
			PATH: process.env.PATH,
			N8N_USER_FOLDER: written.userFolder,
			N8N_DIAGNOSTICS_ENABLED: 'false',
		},
		encoding: 'utf8',
	});
	return `${stdout}${stderr}`;
}

/** Runs List Clients in an n8n that is started and stopped for it. */
async function listInNewProcess(provide: (n8n: N8nClient) => Promise<Credential>): Promise<number> {
	const n8n = await startN8n(await obtainN8n(VERSION), {
		...written,
		settings: { N8N_LOG_LEVEL: 'debug' },
	});
	const client = new N8nClient(n8n.url);
	await client.enter(OWNER);
	const run = await runNodes(client, listNode(await provide(client)));
	await n8n.stop();
	return run.items('Clients').length;
}

describe('The access token in n8n', () => {
	let service: Service;
	beforeAll(async () => {
		service = await startService({ clients: 40 });
		await placePackage(TARBALL, written.userFolder);
	});

	it('is kept over a restart of n8n, also if an example is imported on the command line meanwhile', async () => {
		const create = async (n8n: N8nClient) =>
			await n8n.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, service.credential);
		const find = async (n8n: N8nClient) =>
			(await n8n.credentials()).find(({ name }) => name === CREDENTIAL_NAME) as Credential;

		expect(await listInNewProcess(create)).toBe(40);
		expect(await importOnCommandLine()).toContain('Successfully imported 1 workflow');
		const { id, name } = JSON.parse(readFileSync(EXAMPLE, 'utf8'));
		const findBoth = async (n8n: N8nClient) => {
			expect((await n8n.workflow(id)).name).toBe(name);
			return await find(n8n);
		};
		expect(await listInNewProcess(findBoth)).toBe(40);
		expect(service.tokenRequestCount()).toBe(1);
		expect(new Set(service.listRequests().map(({ bearer }) => bearer)).size).toBe(1);
	}, 300_000);

	it("is not unencrypted in n8n's files or log, nor is the API key", () => {
		expect(filesWith(CREDENTIAL_NAME, written).join()).toContain('database.sqlite');
		expect(filesWith('Editor is now accessible', written)).toEqual([written.log]);
		expect(service.secrets.size).toBe(3);
		const found = [...service.secrets].flatMap((secret) => filesWith(secret, written));
		expect(found).toEqual([]);
	});
});
