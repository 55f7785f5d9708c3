import { describe, expect, it } from '@jest/globals';
import { Pace } from '../../../../nodes/ClientOnboarding/snapshot/pace';

const OVERLOADED = { tookMs: 100, wasOverloaded: true };

/** As many requests as the pace allows are under way together, and each of them takes so long. */
function goRound(pace: Pace, tookMs: (parallelRequests: number) => number, rows = 100): number {
	const { parallelRequests } = pace;
	const notes = Array.from({ length: parallelRequests }, () => pace.start());
	for (const note of notes) note(rows, { tookMs: tookMs(parallelRequests), wasOverloaded: false });
	return pace.parallelRequests;
}

function goRounds(pace: Pace, rounds: number, tookMs: (parallelRequests: number) => number): number[] {
	return Array.from({ length: rounds }, () => goRound(pace, tookMs));
}

describe('The pace', () => {
	it('is what the user allows where answers keep coming as quickly', () => {
		expect(goRounds(new Pace(20), 3, () => 2_000)).toEqual([20, 20, 20]);
	});

	it('is halved when the service asks for fewer requests, once for all that were under way, and never below one', () => {
		const pace = new Pace(5);
		const notes = Array.from({ length: 5 }, () => pace.start());
		for (const note of notes) note(100, OVERLOADED);
		expect(pace.parallelRequests).toBe(2);
		for (let count = 0; count < 3; count++) pace.start()(100, OVERLOADED);
		expect(pace.parallelRequests).toBe(1);
	});

	it('recovers step by step, up to what the user allows', () => {
		const pace = new Pace(6);
		for (let count = 0; count < 3; count++) pace.start()(100, OVERLOADED);
		expect(goRounds(pace, 8, () => 100)).toEqual([2, 2, 3, 4, 5, 6, 6, 6]);
	});

	it('falls where a service that serves one request at a time makes them wait, and keeps it busy all the same', () => {
		const pace = new Pace(20);
		pace.start()(100, { tookMs: 200, wasOverloaded: false });
		const rounds = goRounds(pace, 30, (parallelRequests) => parallelRequests * 200).slice(5);
		expect(Math.max(...rounds)).toBeLessThanOrEqual(4);
		expect(Math.min(...rounds)).toBeGreaterThanOrEqual(2);
	});

	it('takes no notice of answers that are slower but quick', () => {
		const pace = new Pace(20);
		pace.start()(100, { tookMs: 5, wasOverloaded: false });
		expect(goRounds(pace, 3, () => 200)).toEqual([20, 20, 20]);
	});

	it('takes no notice of a slow answer now and then', () => {
		const pace = new Pace(5);
		for (const tookMs of [100, 2_000, 2_000, 100, 2_000, 100]) pace.start()(100, { tookMs, wasOverloaded: false });
		expect(pace.parallelRequests).toBe(5);
	});

	it('compares only pages of as many rows', () => {
		const pace = new Pace(10);
		pace.start()(10, { tookMs: 50, wasOverloaded: false });
		expect(goRound(pace, () => 5_000, 1_000)).toBe(10);
	});

	it('recovers also where the service has become slower for good', () => {
		const pace = new Pace(8);
		goRound(pace, () => 100);
		const rounds = goRounds(pace, 20, () => 3_000);
		expect(Math.min(...rounds)).toBe(1);
		expect(rounds.at(-1)).toBe(8);
	});
});
