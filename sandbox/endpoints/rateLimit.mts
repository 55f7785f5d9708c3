import type { Dialect } from './dialect.mts';
import { refuse, Refusal, type Answer } from './envelope.mts';

/** A token bucket that holds one second's worth of requests. */
export class RateLimit {
	readonly #now: () => number;
	#tokens = Number.POSITIVE_INFINITY;
	#filledAtMs = 0;

	constructor(now: () => number) {
		this.#now = now;
	}

	/** Takes one request out of the bucket; where it is empty, says how long until the next fits. */
	take(requestsPerSecond: number): { waitMs: number } {
		const nowMs = this.#now();
		const elapsedSeconds = Math.max(0, nowMs - this.#filledAtMs) / 1000;
		const capacity = Math.max(1, requestsPerSecond);
		this.#tokens = Math.min(capacity, this.#tokens + elapsedSeconds * requestsPerSecond);
		this.#filledAtMs = nowMs;
		if (this.#tokens < 1) return { waitMs: ((1 - this.#tokens) / requestsPerSecond) * 1000 };
		this.#tokens -= 1;
		return { waitMs: 0 };
	}
}

const HOUR_MS = 3_600_000;

/** An HTTP date has whole seconds: rounded down it would invite the client too early. */
function formatDate(ms: number): string {
	return new Date(Math.ceil(ms / 1000) * 1000).toUTCString();
}

export function limitRate(waitMs: number, retryAfter: Exclude<Dialect['rateLimit'], 'none'>, nowMs: number): Answer {
	const written = {
		seconds: String(Math.ceil(waitMs / 1000)),
		date: formatDate(nowMs + waitMs),
		bare: undefined,
		zero: '0',
		past: formatDate(nowMs - HOUR_MS),
	}[retryAfter];
	const headers: Record<string, string> = written === undefined ? {} : { 'retry-after': written };
	return refuse(new Refusal(429, 'Too many requests.', headers));
}
