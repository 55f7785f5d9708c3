const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

/** How long to wait before the next try: as the service asks, or longer each time with some chance in it. */
export function waitMs(tries: number, askedMs?: number): number {
	if (askedMs !== undefined) return Math.min(askedMs, MAX_WAIT_MS);
	const growing = FIRST_WAIT_MS * 2 ** (tries - 1);
	return growing / 2 + (Math.random() * growing) / 2;
}

/** Waits, but no longer than until `stopped`. */
export async function pause(ms: number, stopped: AbortSignal): Promise<void> {
	const over = AbortSignal.any([stopped, AbortSignal.timeout(Math.ceil(ms))]);
	if (over.aborted) return;
	await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
}
