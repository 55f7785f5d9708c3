import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { openWorld } from '../world/world.mts';

const MOST_REQUESTS = 3;

/** Tests a credential: green only where key and list work, otherwise red with a text of our own. */
export async function runCredential(testCase: Case): Promise<Outcome> {
	const world = await openWorld({
		...testCase,
		faults: testCase.faults.filter((fault) => !fault.startsWith('latency')),
	});
	const { status, message } = await world.engine.testCredential();
	const { troubles, revocations } = world.met();
	const broken = await world.close();
	const met = troubles + revocations;
	const isGood = met === 0 || isHarmless(testCase, met);
	if ((status === 'OK') !== isGood)
		broken.push(`the credential was judged ${status} ("${message}") after ${troubles} troubles`);
	const isOurs = /\d:\d|^The API key works, but/.test(message);
	// Where the connection breaks in its own request, n8n has a text of its own and asks nobody for a better one.
	const isBroken = testCase.faults.some((fault) => fault.startsWith('reset') && fault.includes('endpoint=list'));
	if (status !== 'OK' && !isOurs && !isBroken)
		broken.push(`the credential is red with a text that names no host: ${message}`);
	const requests = world.asked.list + world.asked.token;
	if (requests > MOST_REQUESTS) broken.push(`${requests} requests for one test`);
	return { broken, clients: 0, requests, faults: met };
}

/**
 * That a method is not allowed is told by the status alone, unless that is in the envelope, however little of the answer comes; and what is not found with
 * GET may be there with POST.
 */
function isHarmless({ dialect: { tokenMethod, wrongMethod = '405' }, faults }: Case, met: number): boolean {
	const ofFirstRequest = faults.find((fault) => /^(?!latency).*endpoint=(token|any),skip=0/.test(fault)) ?? '';
	const cutsAnswer = /^truncated:.*times=1$/.test(ofFirstRequest) && !wrongMethod.startsWith('envelope');
	const hidesGet = /^status:code=404,.*times=1$/.test(ofFirstRequest);
	return met === 1 && ((cutsAnswer && tokenMethod === 'POST') || (hidesGet && tokenMethod !== 'GET'));
}
