import { setTimeout as sleep } from 'node:timers/promises';

/** Up to three polls, a minute apart, on a busy machine. */
const PATIENCE_MS = 270_000;

/** Waits until the condition holds. Without an end, the worker of a failed test would go on. */
export async function until(holds: () => unknown, everyMs = 500): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (!(await holds())) {
		if (Date.now() > deadline) throw new Error(`This did not hold within ${PATIENCE_MS / 1000} seconds: ${holds}`);
		await sleep(everyMs);
	}
}
