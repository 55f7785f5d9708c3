import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { readFault } from '../promises/texts.mts';
import { Clock } from '../world/clock.mts';
import { openWorld } from '../world/world.mts';

/** A token under both methods, and the list. */
const MAX_REQUESTS = 3;

/** Tests a credential: green only if key and list work, otherwise red with a text of ours. */
export async function runCredential(testCase: Case): Promise<Outcome> {
	const clock = new Clock();
	const world = await openWorld(testCase, clock);
	const { status, message } = await clock.run(async () => await world.engine.testCredential());
	const { spoiled, rateLimited, revoked } = world.met;
	const met = spoiled + rateLimited + revoked;
	const faults = world.faultsMet().map(readFault);
	const broken = await world.close();
	const isHopeless = faults.some(({ kind, times }) => kind !== 'latency' && times === Infinity);
	if (status === 'OK' ? isHopeless : met === 0)
		broken.push(`the credential was judged ${status} ("${message}") after ${met} faults`);
	const isOurs = /\d:\d|^The API key works, but/.test(message);
	// If the connection breaks in its own request, n8n has a text of its own.
	const isReset = faults.some(({ kind, endpoint }) => kind.startsWith('reset') && endpoint === 'list');
	if (status !== 'OK' && !isOurs && !isReset)
		broken.push(`the credential is red with a text that names no host: ${message}`);
	const requests = world.requests.list + world.requests.token;
	if (requests > MAX_REQUESTS) broken.push(`${requests} requests for one test`);
	return { broken, clients: 0, requests, faults: met };
}
