import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { pause, retryAfterMs, retryDelayMs } from '../../../../nodes/ClientOnboarding/api/retry';

describe('The delay before the next try', () => {
	it.each([
		[1, 500],
		[2, 1_000],
		[3, 2_000],
		[4, 4_000],
		[8, 60_000],
		[20, 60_000],
	])('after try %i is between half of %i ms and all of it', (tries, ms) => {
		expect(retryDelayMs(tries, 0, 0)).toBe(ms / 2);
		expect(retryDelayMs(tries, 0, 1)).toBe(ms);
	});

	it('is what the service asks for, up to a minute', () => {
		expect([1_500, 60_000, 3_600_000].map((askedMs) => retryDelayMs(1, askedMs, 0))).toEqual([1_500, 60_000, 60_000]);
	});

	it('is not shorter than usual if the service asks for none', () => {
		expect(retryDelayMs(3, 0, 0)).toBe(1_000);
	});
});

describe('The time that a rate limit asks for', () => {
	const NOW_MS = Date.UTC(2026, 0, 1);

	it.each([
		[{ 'retry-after': '2' }, 2_000],
		[{ 'retry-after': ' 1.25 ' }, 1_250],
		[{ 'retry-after': '0' }, 0],
		[{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5_000],
		[{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
		[{ 'x-ratelimit-reset': String(NOW_MS / 1000 + 7) }, 7_000],
		[{ 'x-ratelimit-reset': '7' }, 7_000],
		[{ 'retry-after': '1', 'x-ratelimit-reset': '7' }, 1_000],
		[{ 'retry-after': 'soon' }, undefined],
		[{ 'retry-after': '-1' }, undefined],
		[{}, undefined],
	])('with the headers %j is %j ms', (headers, ms) => {
		expect(retryAfterMs(headers, NOW_MS)).toBe(ms);
	});
});

describe('A pause', () => {
	it('ends at once when it is stopped, before or during it', async () => {
		const stop = new AbortController();
		const ended: string[] = [];
		const pauseOf = async (ms: number, name: string, stopped: AbortSignal) => {
			await pause(ms, stopped);
			ended.push(name);
		};
		const short = pauseOf(500, 'short', new AbortController().signal);
		const stoppedDuring = pauseOf(2_000, 'stopped during it', stop.signal);
		stop.abort();
		await Promise.all([short, stoppedDuring, pauseOf(2_000, 'stopped before it', stop.signal)]);
		expect(ended.at(-1)).toBe('short');
		expect(ended).toHaveLength(3);
	});

	it('ends by itself, also if garbage is collected meanwhile', async () => {
		setFlagsFromString('--expose-gc');
		const collect = setInterval(runInNewContext('gc') as () => void, 5);
		const startedMs = Date.now();
		await Promise.all(Array.from({ length: 50 }, async () => await pause(100, new AbortController().signal)));
		expect(Date.now() - startedMs).toBeGreaterThanOrEqual(8);
		clearInterval(collect);
	});
});
