import { STATUS_CODES } from 'node:http';
import { redirect, refuse, Refusal, showLogin, type Answer } from '../endpoints/envelope.mts';
import { limitRate } from '../endpoints/rateLimit.mts';
import type { CompleteFault, FaultKind } from './faults.mts';

/** How the socket delays the response or breaks it off. */
export interface Delivery {
	latencyMs: number;
	manner?: 'reset-before' | 'reset-during' | 'hang' | 'dribble';
	dribbleMs?: number;
}

export type ServiceAnswer = Answer & { fault?: Delivery; spoiledBy?: FaultKind[] };

const SILENCE: Answer = { status: 200, headers: {}, body: '' };

const REPLACEMENTS: Partial<Record<FaultKind, (fault: CompleteFault, nowMs: number) => Answer>> = {
	status: ({ code }) => refuse(new Refusal(code, `${STATUS_CODES[code] ?? 'Out of order'}.`)),
	'rate-limit-seconds': ({ seconds }, nowMs) => limitRate(seconds * 1000, 'seconds', nowMs),
	'rate-limit-date': ({ seconds }, nowMs) => limitRate(seconds * 1000, 'date', nowMs),
	'rate-limit-bare': (_, nowMs) => limitRate(0, 'bare', nowMs),
	html: ({ code }) => showLogin(code),
	empty: ({ code }) => ({ ...SILENCE, status: code }),
	'wrong-envelope': ({ code }) => ({ status: code, headers: {}, body: { ok: true, items: [] } }),
	redirect: ({ location }) => redirect(location),
	'reset-before': () => SILENCE,
	hang: () => SILENCE,
};

/** The response of a service whose backend returned nothing. */
function takeRows({ body }: Answer) {
	const { data } = Object(body) as { data?: { results?: unknown } };
	if (!Array.isArray(data?.results)) return;
	const totals = ['total_count', 'total_pages'].filter((name) => name in data);
	Object.assign(data, { results: [] }, ...totals.map((name) => ({ [name]: 0 })));
}

const MANNERS = ['reset-before', 'reset-during', 'hang', 'dribble'] as const;

/** The response with this fault. `compute` is called only if the service still handles the request. */
export function spoil(
	{ fault, latencyMs }: { fault?: CompleteFault; latencyMs: number },
	compute: () => Answer,
	nowMs: number,
): ServiceAnswer {
	const answer = (fault && REPLACEMENTS[fault.kind]?.(fault, nowMs)) ?? compute();
	if (fault?.kind === 'no-rows') takeRows(answer);
	if (fault?.kind === 'truncated') {
		const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
		answer.body = text.slice(0, Math.floor(text.length / 2));
		answer.headers = { 'content-type': 'application/json', ...answer.headers };
	}
	const kind = answer.isWithheld ? 'hang' : fault?.kind;
	if (latencyMs === 0 && kind === undefined) return answer;
	const spoiledBy: FaultKind[] = [...(latencyMs > 0 ? ['latency' as const] : []), ...(kind ? [kind] : [])];
	const manner = MANNERS.find((candidate) => candidate === kind);
	if (latencyMs === 0 && manner === undefined) return { ...answer, spoiledBy };
	return { ...answer, spoiledBy, fault: { latencyMs, manner, dribbleMs: fault?.ms } };
}
