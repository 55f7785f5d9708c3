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

describe('A list', () => {
	it.each<[name: string, passes: Pass[], exact: string, fast: string]>([
		['is complete after one page that had room for more', [pass({ end: 'snapshot' })], 'complete', 'complete'],
		['is complete if it is empty', [pass({ rows: 0, total: undefined })], 'complete', 'complete'],
		['is complete if as many clients as wanted were read', [pass({ end: 'enough', rows: 5 })], 'complete', 'complete'],
		['is complete after one pass over several pages only for a fast read', [first], 'readAgain', 'complete'],
		['is complete after two passes that found the same clients', [first, pass()], 'complete', 'complete'],
		[
			'is read again after a pass that found a client that the first one missed',
			[first, pass({ rows: 251, total: 251, missedRows: 1 })],
			'readAgain',
			'complete',
		],
		[
			'is complete after a pass that found a client that has just arrived',
			[first, pass({ rows: 251, total: 251 })],
			'complete',
			'complete',
		],
		[
			'is read again after a pass during which the total changed',
			[first, pass({ rows: 251, hasTotalMoved: true })],
			'readAgain',
			'complete',
		],
		[
			'is read again if it has fewer rows than the total',
			[pass({ rows: 240, repeatedRows: 0 })],
			'readAgain',
			'readAgain',
		],
		[
			'has a warning if two passes found the same rows, fewer than the total',
			[pass({ rows: 240, repeatedRows: 0 }), pass({ rows: 240, repeatedRows: 240 })],
			'fewerThanTotal',
			'fewerThanTotal',
		],
		['is read again after one pass without a total', [pass({ total: undefined })], 'readAgain', 'readAgain'],
		[
			'is complete after two passes without a total that found the same clients',
			[pass({ total: undefined }), pass({ total: undefined })],
			'complete',
			'complete',
		],
		[
			'is complete if two passes found the same rows, more than the total',
			[pass({ total: 100, hasTotalMoved: true }), pass({ total: 100, hasTotalMoved: true })],
			'complete',
			'complete',
		],
		[
			'has a warning after four passes that found different clients',
			Array.from({ length: 4 }, (_, index) =>
				pass({ rows: 240 + index, repeatedRows: 200, total: 300, missedRows: 3 }),
			),
			'changing',
			'changing',
		],
		['has a warning if it has no end', [pass({ rows: 9_999, end: 'endless' })], 'endless', 'endless'],
	])('%s', (_, passes, exact, fast) => {
		expect([judge(passes, 'exact'), judge(passes, 'fast')]).toEqual([exact, fast]);
	});

	it('that may be incomplete is reported in a sentence with both numbers', () => {
		expect(describeVerdict('complete', 700, 700)).toBeUndefined();
		expect(describeVerdict('fewerThanTotal', 700, 500)).toBe(
			'The service reports 700 clients but returned 500, also on a second read. Some may be missing.',
		);
		expect(describeVerdict('changing', 700, 500)).toMatch(/kept changing .* reports 700 clients and returned 500\./);
		expect(describeVerdict('endless', 700, 9_000)).toMatch(
			/reports 700 clients but returned 9000 and kept returning more/,
		);
	});

	it('is read up to a maximum that depends on its total', () => {
		expect(maxRows(250)).toBe(3_500);
		expect(maxRows(undefined)).toBe(1_000_000);
	});
});
