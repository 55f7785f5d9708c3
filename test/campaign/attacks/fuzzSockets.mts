import { Random } from '../../support/random.mts';
import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { json, serveRaw } from '../world/rawService.mts';
import { mutate } from './mutation.mts';
import { echoing, isRightList, rightList, rightToken } from './rightAnswers.mts';

const AT_ONCE = 25;
/** Where one client comes again and again and the total speaks of more, forty pages and those asked for ahead, in two readings, prove it. */
const MOST_REQUESTS = 200;
const LISTS = [
	{ returnAll: true },
	{ returnAll: true, filters: { clientType: 'company', requestStatus: ['pending'], createdAfter: '2025-01-01' } },
	{ returnAll: true, filters: { clientEmail: 'client-1' }, options: { textMatch: 'part' } },
];
const OTHERS = [
	{ operation: 'count' },
	{ operation: 'listGroups' },
	{ operation: 'find', findBy: 'email', email: 'client-1@example.com' },
	{ operation: 'find', referenceId: 'ID 2' },
];

/** Changed answers over real sockets, read by the whole node: the first answer of an endpoint is changed, or all are. */
export async function runFuzzSockets({ seed, count }: Case): Promise<Outcome> {
	const outcome: Outcome = { broken: [], clients: 0, requests: 0, faults: count };
	let next = 0;
	const work = async () => {
		while (next < count && outcome.broken.length === 0) {
			const culprit = { seed: seed + next++, count: 1 };
			const { broken, clients, requests } = await runOne(culprit.seed);
			outcome.clients += clients;
			outcome.requests += requests;
			if (broken.length > 0) Object.assign(outcome, { broken, culprit });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return outcome;
}

async function runOne(seed: number): Promise<Outcome> {
	const random = new Random(seed);
	const clients = random.below(4);
	const target = random.chance(0.6) ? 'list' : 'token';
	const isLasting = random.chance(0.05);
	const isList = random.chance(0.6);
	const { options, ...parameters } = { options: {}, ...random.one<object>(isList ? LISTS : OTHERS) };
	const changed: string[] = [];
	let isChangedList = false;
	const service = await serveRaw(({ endpoint, secret, count }, { token }) => {
		const right = endpoint === 'token' ? rightToken(token) : rightList(clients);
		if (endpoint !== target || (count > 1 && !isLasting)) return json(right);
		const answer = mutate(echoing(right, [secret], new Random(seed)), new Random(seed));
		changed.push(answer.body.toString());
		isChangedList ||= endpoint === 'list' && isRightList(answer.status, parse(answer.body.toString()));
		return answer;
	});
	const broken: string[] = [];
	try {
		const { json: rows, error } = await service.engine.run({
			parameters: { ...parameters, options: { ...options, timeout: 20 } },
		});
		const known = new Set(rightList(clients).data.results.map((client) => JSON.stringify(client)));
		const foreign = rows.filter(
			(row) => !known.has(JSON.stringify(row)) && !changed.some((text) => text.includes(JSON.stringify(row))),
		);
		if (!error && isList && foreign.length > 0)
			broken.push(`clients nobody sent: ${JSON.stringify(foreign[0]).slice(0, 300)}`);
		if (!error && rows.length === 0 && clients > 2 && !isChangedList)
			broken.push('an empty list where there are clients');
		if (error && !['NodeApiError', 'NodeOperationError'].includes(error.name))
			broken.push(`a raw ${error.name}: ${error.message}`);
		if (error && !error.message.includes(service.host))
			broken.push(`a message that does not name ${service.host}: ${error.message}`);
	} catch (error) {
		broken.push((error as Error).message);
	}
	const requests = service.asked.list + service.asked.token;
	if (requests > MOST_REQUESTS) broken.push(`${requests} requests for ${clients} clients`);
	if ((await service.close()) > 0) broken.push('a connection is left open');
	return { broken: broken.map((text) => `${text} after ${changed[0]?.slice(0, 400)}`), clients, requests, faults: 1 };
}

/** As n8n reads it, which skips a mark of the byte order. */
function parse(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\ufeff/, ''));
	} catch {
		return undefined;
	}
}
