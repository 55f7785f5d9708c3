import { describe, expect, it } from '@jest/globals';
import { pause, waitMs } from '../../../../nodes/ClientOnboarding/service/waiting';

describe('The wait before another try', () => {
	it('is what the service asks for, up to a minute', () => {
		expect([0, 1500, 60_000, 3_600_000].map((askedMs) => waitMs(1, askedMs))).toEqual([0, 1500, 60_000, 60_000]);
	});

	it.each([1, 2, 3, 4])('grows with every try otherwise (try %j), and is never the same for all', (tries) => {
		const longestMs = 500 * 2 ** (tries - 1);
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
});
