import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';
import { byDepth } from '../../../support/depth.mts';
import { Engine, sandboxCredential } from '../../../support/engine.mts';
import { Poller } from '../../../support/poller.mts';

const POLLS = byDepth({ quick: 2_500, deep: 2_500, long: 10_000 });
const PATIENCE_MS = 600_000;
const CLIENTS = 60;
const STATUSES = ['pending', 'accepted', 'declined'];

let sandbox: Sandbox | undefined;

afterAll(async () => {
	await sandbox?.close();
});

function heapUsed(): number {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	collect();
	collect();
	return process.memoryUsage().heapUsed;
}

describe('A trigger that polls many times', () => {
	it(
		`takes at most 10 % more memory after ${POLLS.toLocaleString('en-US')} polls than after a tenth of them`,
		async () => {
			sandbox = await startSandbox({ control: false, clients: CLIENTS, productionClients: 0, requestsPerSecond: 1e6 });
			const { clients } = sandbox.app.environment('sandbox');
			const ids = clients.ids();
			const engine = new Engine(
				sandboxCredential(sandbox.environments.sandbox.url, sandbox.environments.sandbox.apiKey),
			);
			const poller = new Poller(engine, { triggerOn: ['clientCreated', 'clientStalled', 'requestStatusChanged'] });
			await poller.activate();
			let [early, emitted] = [0, 0];
			for (let count = 1; count <= POLLS; count++) {
				if (count % 3 === 0)
					clients.setStatus(ids[count % CLIENTS], STATUSES[Math.floor(count / CLIENTS) % STATUSES.length]);
				emitted += (await poller.poll()).length;
				if (count === POLLS / 10) early = heapUsed();
			}
			const late = heapUsed();
			console.log(`${emitted} events; heap ${Math.round(early / 1e6)} MB, then ${Math.round(late / 1e6)} MB`);
			expect(emitted).toBeGreaterThan(POLLS / 10);
			expect(late).toBeLessThan(1.1 * early);
		},
		PATIENCE_MS,
	);
});
