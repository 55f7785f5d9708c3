import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { backOff, pause, waitMs, withFirstOf } from '../../../../nodes/ClientOnboarding/service/waiting';

describe('The wait before another try', () => {
	it('is what the service asks for, up to a minute', () => {
		expect([1500, 60_000, 3_600_000].map((askedMs) => waitMs(1, askedMs))).toEqual([1500, 60_000, 60_000]);
	});

	it('is not shorter than usual where the service asks for none, or for a time that is over', () => {
		expect(Math.min(...Array.from({ length: 200 }, () => waitMs(3, 0)))).toBeGreaterThanOrEqual(2 * backOff.firstMs);
	});

	it.each([1, 2, 3, 4])('grows with every try otherwise (try %j), and is never the same for all', (tries) => {
		const longestMs = backOff.firstMs * 2 ** (tries - 1);
		const waits = Array.from({ length: 200 }, () => waitMs(tries));
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(longestMs / 2);
		expect(Math.max(...waits)).toBeLessThanOrEqual(longestMs);
		expect(new Set(waits).size).toBeGreaterThan(100);
	});
});

describe('A pause', () => {
	it('ends at once when it is stopped, before or during it', async () => {
		const stop = new AbortController();
		const pausing = pause(600_000, stop.signal);
		stop.abort();
		await pausing;
		await pause(600_000, stop.signal);
	});

	it('ends by itself otherwise', async () => {
		await pause(1, new AbortController().signal);
	});

	it('ends by itself also where garbage is collected meanwhile', async () => {
		setFlagsFromString('--expose-gc');
		const collect = setInterval(runInNewContext('gc') as () => void, 5);
		await Promise.all(Array.from({ length: 50 }, async () => await pause(100, new AbortController().signal)));
		clearInterval(collect);
	});
});

describe('Work that may be stopped', () => {
	it('is stopped by the first of several signals, also where that has come before', async () => {
		const stop = new AbortController();
		const seen: boolean[] = [];
		const work = async (first: AbortSignal) => {
			stop.abort();
			seen.push(first.aborted);
		};
		await withFirstOf([undefined, new AbortController().signal, stop.signal], work);
		await withFirstOf([stop.signal], work);
		expect(seen).toEqual([true, true]);
	});

	it('leaves no listener behind, and one is enough for many', async () => {
		const { signal } = new AbortController();
		const listeners = { added: 0, removed: 0 };
		signal.addEventListener = () => void (listeners.added += 1);
		signal.removeEventListener = () => void (listeners.removed += 1);
		await Promise.all(Array.from({ length: 20 }, async () => await withFirstOf([signal], async () => {})));
		expect(listeners).toEqual({ added: 1, removed: 1 });
	});
});
