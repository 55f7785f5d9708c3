import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';
import { byDepth } from '../../../support/depth.mts';
import { Engine, sandboxCredential } from '../../../support/engine.mts';
import { Poller } from '../../../support/poller.mts';

const MINUTE_MS = 60_000;
const HOURS = byDepth({ quick: 1, deep: 24, long: 24 });
/** Ten an hour. */
const MINUTES_BETWEEN_CHANGES = 6;
/** Ten million bytes in a day, and one that was left from the time before. */
const MOST_BYTES = 11_000_000;
const PATIENCE_MS = 1_200_000;

const sandboxes: Sandbox[] = [];

afterEach(() => {
	jest.restoreAllMocks();
});

afterAll(async () => {
	for (const sandbox of sandboxes) await sandbox.close();
});

/** To read 50,000 clients 1,440 times takes long, and what is learnt of them is stored less than once an hour. */
const minutesBetweenPolls = (count: number) => (count > 1_000 ? 30 : 1);

/** Polls while clients change of whom nobody wants to know: what n8n has to store of it. */
async function liveThroughTheDay(count: number) {
	const startMs = Date.now();
	let minute = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => startMs + minute * MINUTE_MS);
	const sandbox = await startSandbox({
		control: false,
		clients: count,
		productionClients: 0,
		requestsPerSecond: 1e6,
		now: () => Date.now(),
	});
	sandboxes.push(sandbox);
	const { url, apiKey } = sandbox.environments.sandbox;
	const poller = new Poller(new Engine(sandboxCredential(url, apiKey)), {
		triggerOn: ['requestStatusChanged'],
		statusBecomes: ['declined'],
	});
	await poller.activate();
	poller.emptyExecutions = 0;
	const { clients } = sandbox.app.environment('sandbox');
	const ids = clients.ids();
	let bytes = 0;
	let changes = 0;
	for (minute = 1; minute <= HOURS * 60; minute++) {
		if (minute % MINUTES_BETWEEN_CHANGES === 0) {
			const id = ids[changes % ids.length];
			clients.setStatus(id, clients.get(id)?.request_status === 'Accepted' ? 'completed' : 'accepted');
			changes += 1;
		}
		if (minute % minutesBetweenPolls(count) > 0) continue;
		const before = poller.emptyExecutions;
		expect(await poller.poll()).toEqual([]);
		if (poller.emptyExecutions > before) bytes += String(poller.saved).length;
	}
	return { changes, executions: poller.emptyExecutions, bytes };
}

describe(`${HOURS} hours of polls, with ten changes an hour that nobody is told,`, () => {
	it.each(byDepth({ quick: [1_000], deep: [1_000, 50_000], long: [1_000, 50_000] }))(
		'fill the database of n8n with no more than they may, on %i clients',
		async (count) => {
			const { changes, executions, bytes } = await liveThroughTheDay(count);
			console.log(`${count} clients: ${changes} changes, ${executions} executions, ${(bytes / 1e6).toFixed(1)} MB`);
			expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
			expect(executions).toBeLessThanOrEqual(changes);
			expect(executions).toBeGreaterThanOrEqual(count > 1_000 ? HOURS / 2 : changes);
		},
		PATIENCE_MS,
	);
});
