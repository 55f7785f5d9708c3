import { describe, expect, it } from '@jest/globals';
import type { QuietChanges, Spent } from '../../../../../nodes/ClientOnboarding/trigger/state/storing';
import { spend } from '../../../../../nodes/ClientOnboarding/trigger/state/storing';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** A day of polls, one a minute, of which so many an hour learn something: how often, and how much, is stored. */
function liveThroughADay(quietChanges: QuietChanges, stateBytes: number, changesAnHour: number) {
	const day = { executions: 0, bytes: 0, longestMinutes: 0 };
	let spent: Spent | undefined;
	let waitingSince: number | undefined;
	// The first day begins with nothing spent; the second is like all that follow.
	for (let minute = 0; minute < 2 * DAY_MINUTES; minute++) {
		if (minute % (60 / changesAnHour) === 0) waitingSince ??= minute;
		if (waitingSince === undefined) continue;
		const next = spend(quietChanges, spent, stateBytes, minute * MINUTE_MS);
		if (next && minute >= DAY_MINUTES) {
			day.executions += 1;
			day.bytes += stateBytes;
			day.longestMinutes = Math.max(day.longestMinutes, minute - waitingSince);
		}
		if (next) [spent, waitingSince] = [next, undefined];
	}
	return day;
}

describe('What a poll learns and tells nobody', () => {
	it('is stored at once where that is little', () => {
		const day = liveThroughADay('automatic', 1_000 * 15, 10);
		expect(day).toMatchObject({ executions: 240, longestMinutes: 0 });
		expect(day.bytes).toBeLessThan(10_000_000);
	});

	it('is stored every hour or two where the list is long', () => {
		const day = liveThroughADay('automatic', 50_000 * 15, 10);
		expect(day.executions).toBeGreaterThanOrEqual(12);
		expect(day.bytes).toBeLessThanOrEqual(10_000_000);
		expect(day.longestMinutes).toBeLessThanOrEqual(120);
	});

	it('is stored once a day where one copy is more than a day may take', () => {
		expect(liveThroughADay('automatic', 12_000_000, 10).executions).toBe(1);
	});

	it('is stored at once, or never, where the user wants it so', () => {
		expect(liveThroughADay('always', 50_000 * 15, 10)).toMatchObject({ executions: 240, longestMinutes: 0 });
		expect(liveThroughADay('never', 15_000, 10).executions).toBe(0);
	});

	it('is not stored more often because the clock goes back', () => {
		const spent = { atMs: DAY_MINUTES * MINUTE_MS, bytes: 9_999_000 };
		expect(spend('automatic', spent, 1_000, 0)).toBeUndefined();
	});

	it('may take a megabyte at once, with what the execution itself takes', () => {
		const spent = { atMs: 0, bytes: 500_000 };
		expect(spend('automatic', spent, 498_000, 0)).toEqual({ atMs: 0, bytes: 1_000_000 });
		expect(spend('automatic', spent, 498_001, 0)).toBeUndefined();
	});

	it('is forgotten at the pace of ten megabytes a day', () => {
		const halfADayMs = (DAY_MINUTES * MINUTE_MS) / 2;
		expect(spend('always', { atMs: 0, bytes: 6_000_000 }, 1_000, halfADayMs)).toEqual({
			atMs: halfADayMs,
			bytes: 1_003_000,
		});
	});
});
