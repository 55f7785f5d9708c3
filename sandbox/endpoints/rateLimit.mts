import type { Behavior } from './behavior.mts';
import { refuse, Refusal, type Answer } from './envelope.mts';

const MINUTE_MS = 60_000;

interface Rates {
	requestsPerSecond: number;
	/** 0: requestsPerSecond applies instead. */
	requestsPerMinute: number;
}

/** A token bucket that holds one second's worth of requests, or a fixed window of one minute. */
export class RateLimit {
	readonly #now: () => number;
	#tokens = Number.POSITIVE_INFINITY;
	#filledAtMs = 0;
	#windowStartMs = Number.NEGATIVE_INFINITY;
	#windowRequests = 0;

	constructor(now: () => number) {
		this.#now = now;
	}

	/** Counts one request. Above the rate, says how long until the next one is served. */
	take({ requestsPerSecond, requestsPerMinute }: Rates): { waitMs: number } {
		return requestsPerMinute > 0 ? this.#takeFromWindow(requestsPerMinute) : this.#takeFromBucket(requestsPerSecond);
	}

	#takeFromBucket(requestsPerSecond: number): { waitMs: number } {
		const nowMs = this.#now();
		const elapsedSeconds = Math.max(0, nowMs - this.#filledAtMs) / 1000;
		const capacity = Math.max(1, requestsPerSecond);
		this.#tokens = Math.min(capacity, this.#tokens + elapsedSeconds * requestsPerSecond);
		this.#filledAtMs = nowMs;
		if (this.#tokens < 1) return { waitMs: ((1 - this.#tokens) / requestsPerSecond) * 1000 };
		this.#tokens -= 1;
		return { waitMs: 0 };
	}

	/** A window starts with the first request after the last one ended. */
	#takeFromWindow(requestsPerMinute: number): { waitMs: number } {
		const nowMs = this.#now();
		if (nowMs >= this.#windowStartMs + MINUTE_MS) {
			this.#windowStartMs = nowMs;
			this.#windowRequests = 0;
		}
		this.#windowRequests += 1;
		return { waitMs: this.#windowRequests > requestsPerMinute ? this.#windowStartMs + MINUTE_MS - nowMs : 0 };
	}
}

const HOUR_MS = 3_600_000;

/** Headers have whole seconds. Rounded down, they would invite the client too early. */
function roundUpToSeconds(ms: number): number {
	return Math.ceil(ms / 1000);
}

function formatDate(ms: number): string {
	return new Date(roundUpToSeconds(ms) * 1000).toUTCString();
}

export function limitRate(waitMs: number, value: Exclude<Behavior['rateLimit'], 'none'>, nowMs: number): Answer {
	const headers: Record<string, string> = {
		seconds: { 'retry-after': String(roundUpToSeconds(waitMs)) },
		date: { 'retry-after': formatDate(nowMs + waitMs) },
		bare: {},
		past: { 'retry-after': formatDate(nowMs - HOUR_MS) },
		reset: { 'x-ratelimit-reset': String(roundUpToSeconds(nowMs + waitMs)) },
	}[value];
	return refuse(new Refusal(429, 'Too many requests.', headers));
}
