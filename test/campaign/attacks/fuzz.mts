import { randomUUID } from 'node:crypto';
import { readAnswer } from '../../../nodes/ClientOnboarding/service/response';
import { obtainToken } from '../../../nodes/ClientOnboarding/service/tokens';
import { Random } from '../../support/random.mts';
import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import type { RawAnswer } from '../world/rawService.mts';
import { mutate } from './mutation.mts';
import { echoing, isRightList, isRightToken, rightList, rightToken } from './rightAnswers.mts';

const HOST = 'service.example:443';
const CANARY = 'canary-7f3a';
const KINDS = ['page', 'tokenRefused', 'busy', 'tooSlow', 'refused', 'notThisService'];

/** Hands changed answers of both endpoints straight to the code that reads them: most of what n8n can make of them. */
export async function runFuzz({ seed, count }: Case): Promise<Outcome> {
	for (let index = 0; index < count; index++) {
		const random = new Random(seed + index);
		const broken = random.chance(0.8) ? judgeList(random) : await judgeToken(random);
		if (broken.length > 0)
			return { broken, clients: 0, requests: index + 1, faults: index + 1, culprit: { seed: seed + index, count: 1 } };
	}
	return { broken: [], clients: 0, requests: count, faults: count };
}

function judgeList(random: Random): string[] {
	const answer = receive(mutate(echoing(rightList(random.below(4)), [CANARY], random), random));
	const outcome = readAnswer(answer, { host: HOST, nowMs: Date.now(), isProven: false }) as {
		kind: string;
		reason?: string;
		what?: string;
		retryAfterMs?: number;
		page?: { clients: unknown[] };
	};
	const broken: string[] = [];
	const told = `${outcome.reason} ${outcome.what}`;
	if (!KINDS.includes(outcome.kind)) broken.push(`an outcome nobody knows: ${outcome.kind}`);
	if ((outcome.kind === 'page') !== isRightList(answer.statusCode, answer.body))
		broken.push(`${outcome.kind} for ${show(answer)}`);
	if (outcome.page && outcome.page.clients.length !== (Object(answer.body).data.results ?? []).length)
		broken.push(`not all clients of ${show(answer)}`);
	if (told.includes(CANARY)) broken.push(`a secret in "${told}"`);
	if (outcome.retryAfterMs !== undefined && !(outcome.retryAfterMs >= 0))
		broken.push(`a wait of ${outcome.retryAfterMs} ms for ${show(answer)}`);
	return broken;
}

async function judgeToken(random: Random): Promise<string[]> {
	const apiKey = randomUUID();
	const raw = mutate(echoing(rightToken(CANARY), [apiKey, CANARY], random), random);
	const answer = receive(raw);
	const handedOver = { ...answer, body: raw.body.toString() };
	const credentials = { environment: 'sandbox', sandboxBaseUrl: `https://${HOST}`, apiKey, accessToken: '' };
	const helper = { helpers: { httpRequest: async () => handedOver } } as unknown as Parameters<typeof obtainToken>[0];
	const isRight = isRightToken(answer.statusCode, answer.body);
	try {
		const token = await obtainToken(helper, credentials);
		return isRight && token === String(Object(answer.body).data.access_token)
			? []
			: [`the token "${token}" from ${show(answer)}`];
	} catch (error) {
		const { message } = error as Error;
		const isTold = message.includes('service.example') && !message.includes(CANARY) && !message.includes(apiKey);
		return isRight || !isTold ? [`"${message}" for ${show(answer)}`] : [];
	}
}

/** What is made of what n8n hands over: JSON where it is JSON, otherwise text. */
function receive({ status, headers, body }: RawAnswer) {
	const text = body.toString();
	try {
		return { statusCode: status, headers, body: JSON.parse(text) as unknown };
	} catch {
		return { statusCode: status, headers, body: text as unknown };
	}
}

function show({ statusCode, body }: { statusCode: number; body: unknown }): string {
	return `${statusCode} ${JSON.stringify(body).slice(0, 300)}`;
}
