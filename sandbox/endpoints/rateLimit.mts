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

export function limitRate(waitMs: number, retryAfter: 'seconds' | 'date' | 'bare', nowMs: number): Answer {
	const seconds = Math.ceil(waitMs / 1000);
	// An HTTP date has whole seconds: rounded down it would invite the client too early.
	const date = new Date(Math.ceil((nowMs + waitMs) / 1000) * 1000).toUTCString();
	const headers: Record<string, string> =
		retryAfter === 'bare' ? {} : { 'retry-after': retryAfter === 'date' ? date : String(seconds) };
	return refuse(new Refusal(429, 'Too many requests.', headers));
}
