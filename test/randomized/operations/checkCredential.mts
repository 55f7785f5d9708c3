import type { Case } from './cases.mts';
import { readFault } from './messages.mts';
import { Clock } from './clock.mts';
import { openWorld } from './world.mts';

/** A token request by GET and one by POST, and one for the list. */
const MAX_REQUESTS = 3;

/** The broken promises. A credential test succeeds only if key and list work. Otherwise it shows a message of the package. */
export async function checkCredential(testCase: Case): Promise<string[]> {
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
	// If the connection breaks during n8n's own request, n8n shows its own message.
	const isReset = faults.some(({ kind, endpoint }) => kind.startsWith('reset') && endpoint === 'list');
	if (status !== 'OK' && !isOurs && !isReset)
		broken.push(`the credential is red with a text that names no host: ${message}`);
	const requests = world.requests.list + world.requests.token;
	if (requests > MAX_REQUESTS) broken.push(`${requests} requests for one test`);
	return broken;
}
