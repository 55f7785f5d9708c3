import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { saveClients, loadClients } from '../../demo/clients.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';

const folder = mkdtempSync(join(tmpdir(), 'kept-'));
const file = join(folder, 'clients.json');
const running: Sandbox[] = [];
afterAll(async () => {
	await Promise.all(running.map((sandbox) => sandbox.close()));
	rmSync(folder, { recursive: true, force: true });
});

/** Starts the sandbox of the demo with the saved clients. `end` saves them. */
async function start(clients: number) {
	const recalled = loadClients(file, clients);
	const sandbox = await startSandbox(recalled);
	running.push(sandbox);
	const keep = saveClients(file, sandbox, recalled);
	const { clients: store } = sandbox.app.environment('sandbox');
	return { store, listed: () => [...store.all()], end: keep };
}

describe('The clients of npm start', () => {
	it('are the same at the next start in both environments', async () => {
		const first = await start(60);
		first.store.add({ client_name: 'Ada' });
		first.store.remove(first.store.ids()[7]);
		first.store.setStatus(first.store.ids()[9], 'declined');
		const production = running[0].app.environment('production').clients;
		production.remove(production.ids()[0]);
		first.end();
		const next = await start(60);
		expect(next.listed()).toEqual(first.listed());
		expect([...running[1].app.environment('production').clients.all()]).toEqual([...production.all()]);
	});

	it('are as many as chosen, also after a start with another number', async () => {
		expect((await start(61)).listed()).toHaveLength(61);
	});

	it.each(['', '{', '{}', 'null', '{"clients": 60, "createdUntilMs": 1, "edits": {}}'])(
		'are reported as unreadable with the flag --fresh if their file contains %j',
		(text) => {
			writeFileSync(file, text);
			expect(() => loadClients(file, 60)).toThrow(/cannot be read from .*clients\.json.*--fresh/);
		},
	);
});
