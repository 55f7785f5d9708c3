import { sleep } from 'n8n-workflow';

/** Includes the first try. With a higher number, fewer of `MAX_REQUESTS_PER_PAGE` are left for smaller pages. */
export const MAX_TRIES = 5;
/** Large pages, and those that were reduced already, get fewer tries; then a smaller page is requested. See `triesForSize`. */
export const MAX_TRIES_BEFORE_SMALLER_PAGE = 2;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;

/** The delay before the next try: exponential, with jitter. Retry-After can make it longer, up to a minute, never shorter. */
export function retryDelayMs(tries: number, requestedMs = 0, random = Math.random()): number {
	const exponential = Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), MAX_DELAY_MS);
	return Math.max(exponential * (0.5 + random / 2), Math.min(requestedMs, MAX_DELAY_MS));
}

/** Retry-After in seconds or as a date; X-RateLimit-Reset as a time in seconds or as seconds from now. */
export function retryAfterMs(headers: Record<string, unknown>, nowMs: number): number | undefined {
	const text = String(headers['retry-after'] ?? headers['x-ratelimit-reset'] ?? '').trim();
	const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
	const isTime = seconds > 1e9;
	const dateMs = isTime ? seconds * 1000 : Number.isNaN(seconds) && /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	if (!Number.isNaN(dateMs)) return Math.max(0, dateMs - nowMs);
	return Number.isNaN(seconds) ? undefined : seconds * 1000;
}

/** Waits, at most until `stopped`. */
export async function pause(ms: number, stopped: AbortSignal): Promise<void> {
	if (stopped.aborted) return;
	let stop = () => {};
	const aborted = new Promise<void>((resolve) => (stop = resolve));
	stopped.addEventListener('abort', stop);
	await Promise.race([sleep(ms), aborted]);
	stopped.removeEventListener('abort', stop);
}
