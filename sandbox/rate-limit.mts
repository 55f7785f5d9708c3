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
