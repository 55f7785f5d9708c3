import { describe, expect, it } from '@jest/globals';
import { RunSignal } from '../../../../nodes/ClientOnboarding/api/runSignal';

describe('The signal of a run', () => {
	it('aborts all work that is running, and work that starts later', async () => {
		const canceled = new AbortController();
		const runSignal = new RunSignal(undefined, canceled.signal);
		const states: boolean[] = [];
		const work = async (signal: AbortSignal) => {
			await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
			states.push(signal.aborted);
		};
		const running = [runSignal.during(work), runSignal.during(work)];
		canceled.abort();
		await Promise.all(running);
		await runSignal.during(async (signal) => void states.push(signal.aborted));
		expect(states).toEqual([true, true, true]);
		expect(runSignal.aborted).toBe(true);
	});

	it('leaves no listener behind, and uses one for work at the same time', async () => {
		const { signal } = new AbortController();
		const listeners = { added: 0, removed: 0 };
		signal.addEventListener = () => void (listeners.added += 1);
		signal.removeEventListener = () => void (listeners.removed += 1);
		const runSignal = new RunSignal(signal);
		await Promise.all(Array.from({ length: 20 }, async () => await runSignal.during(async () => {})));
		expect(listeners).toEqual({ added: 1, removed: 1 });
	});
});
