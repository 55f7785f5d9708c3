import { describe, expect, it } from '@jest/globals';
import type { Pass } from '../../../../nodes/ClientOnboarding/pagination/completeness';
import { describeVerdict, judge, maxRows } from '../../../../nodes/ClientOnboarding/pagination/completeness';

const pass = (changes: Partial<Pass> = {}): Pass => ({
	rows: 250,
	repeatedRows: 250,
	missedRows: 0,
	total: 250,
	end: 'lastPage',
	hasTotalMoved: false,
	...changes,
});
const first = pass({ repeatedRows: 0 });

describe('Whether a list is complete', () => {
	it.each<[name: string, passes: Pass[], exact: string, fast: string]>([
		['one page that had room for more is', [pass({ end: 'snapshot' })], 'complete', 'complete'],
		['an empty list is', [pass({ rows: 0, total: undefined })], 'complete', 'complete'],
		['what was wanted is', [pass({ end: 'enough', rows: 5 })], 'complete', 'complete'],
		['one pass over several pages is only for a fast read', [first], 'readAgain', 'complete'],
		['two passes that found the same are', [first, pass()], 'complete', 'complete'],
		[
			'a pass that found a client the first one missed is not',
			[first, pass({ rows: 251, total: 251, missedRows: 1 })],
			'readAgain',
			'complete',
		],
		[
			'a pass that found a client that has just arrived is',
			[first, pass({ rows: 251, total: 251 })],
			'complete',
			'complete',
		],
		[
			'a pass during which the total moved is not',
			[first, pass({ rows: 251, hasTotalMoved: true })],
			'readAgain',
			'complete',
		],
		['fewer rows than the total are not', [pass({ rows: 240, repeatedRows: 0 })], 'readAgain', 'readAgain'],
		[
			'the same rows twice, fewer than the total, are reported',
			[pass({ rows: 240, repeatedRows: 0 }), pass({ rows: 240, repeatedRows: 240 })],
			'fewerThanTotal',
			'fewerThanTotal',
		],
		['one pass without a total is not', [pass({ total: undefined })], 'readAgain', 'readAgain'],
		[
			'two passes without a total that found the same are',
			[pass({ total: undefined }), pass({ total: undefined })],
			'complete',
			'complete',
		],
		[
			'the same rows twice, more than the total, are',
			[pass({ total: 100, hasTotalMoved: true }), pass({ total: 100, hasTotalMoved: true })],
			'complete',
			'complete',
		],
		[
			'four passes that never agree are reported',
			Array.from({ length: 4 }, (_, index) =>
				pass({ rows: 240 + index, repeatedRows: 200, total: 300, missedRows: 3 }),
			),
			'changing',
			'changing',
		],
		['a list without an end is reported', [pass({ rows: 9_999, end: 'endless' })], 'endless', 'endless'],
	])('%s', (_, passes, exact, fast) => {
		expect([judge(passes, 'exact'), judge(passes, 'fast')]).toEqual([exact, fast]);
	});

	it('is said in a sentence with both numbers', () => {
		expect(describeVerdict('complete', 700, 700)).toBeUndefined();
		expect(describeVerdict('fewerThanTotal', 700, 500)).toBe(
			'The service reports 700 clients but returned 500, also on a second read. Some may be missing.',
		);
		expect(describeVerdict('changing', 700, 500)).toMatch(/kept changing .* reports 700 clients and returned 500/);
		expect(describeVerdict('endless', 700, 9_000)).toMatch(
			/reports 700 clients but returned 9000 and kept returning more/,
		);
	});

	it('ends a list that has far more rows than its total', () => {
		expect(maxRows(250)).toBe(3_500);
		expect(maxRows(undefined)).toBe(1_000_000);
	});
});
