import { Random } from '../../support/random.mts';
import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { json, serveRaw } from '../world/rawService.mts';
import { mutate } from './mutation.mts';
import { rightList, rightToken } from './rightResponses.mts';

const AT_ONCE = 10;
const MAX_REQUESTS = 200;
const RUNS = [
	{ returnAll: true },
	{ returnAll: true, filters: { clientType: 'company', requestStatus: ['pending'], createdAfter: '2025-01-01' } },
	{ returnAll: true, filters: { clientEmail: 'client-1' }, options: { textMatch: 'part' } },
	{ operation: 'count' },
	{ operation: 'listGroups' },
	{ operation: 'find', findBy: 'email', email: 'client-1@example.com' },
	{ operation: 'find', referenceId: 'ID 2' },
];

/** Changed responses over real sockets: either the first response of an endpoint is changed, or all of them. */
export async function runFuzz({ seed, count }: Case): Promise<Outcome> {
	const outcome: Outcome = { broken: [], clients: 0, requests: 0, faults: count };
	let next = 0;
	const work = async () => {
		while (next < count && outcome.broken.length === 0) {
			const culprit = { seed: seed + next++, count: 1 };
			const { broken, requests } = await runOne(culprit.seed);
			outcome.requests += requests;
			if (broken.length > 0) Object.assign(outcome, { broken, culprit });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return outcome;
}

/** The node returns items, or one message that names the host. It does not crash, hang or leak secrets. */
async function runOne(seed: number): Promise<{ broken: string[]; requests: number }> {
	const random = new Random(seed);
	const clients = random.below(4);
	const target = random.chance(0.6) ? 'list' : 'token';
	const isLasting = random.chance(0.05);
	const isEchoing = random.chance(0.3);
	const parameters = { options: {}, ...random.one(RUNS) };
	let changed = '';
	const service = await serveRaw(({ endpoint, secret, count }, { token }) => {
		const right = endpoint === 'token' ? rightToken(token) : rightList(clients);
		if (endpoint !== target || (count > 1 && !isLasting)) return json(right);
		const echo = { ...right, message: `You sent ${secret}`, debug: secret };
		const response = mutate(isEchoing ? echo : right, new Random(seed), !isEchoing);
		changed ||= `${response.status} ${response.body.toString().slice(0, 400)}`;
		return response;
	});
	const broken: string[] = [];
	try {
		const { error } = await service.engine.run({ parameters });
		if (error && !['NodeApiError', 'NodeOperationError'].includes(error.name))
			broken.push(`a raw ${error.name}: ${error.message}`);
		if (error && !error.message.includes(service.host))
			broken.push(`a message that does not name ${service.host}: ${error.message}`);
	} catch (error) {
		broken.push((error as Error).message);
	}
	const requests = service.asked.list + service.asked.token;
	if (requests > MAX_REQUESTS) broken.push(`${requests} requests for ${clients} clients`);
	if ((await service.close()) > 0) broken.push('a connection is left open');
	return { broken: broken.map((text) => `${text} after ${changed}`), requests };
}
