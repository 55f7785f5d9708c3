import { describe, expect, it } from '@jest/globals';
import { grantedSize, nextSmallerSize, triesForSize } from '../../../../nodes/ClientOnboarding/pagination/pageSize';

describe('A page that is too large', () => {
	it('is requested in smaller sizes, down to the default of the service', () => {
		const sizes = [10_001];
		for (let size = nextSmallerSize(10_001); size !== undefined; size = nextSmallerSize(size)) sizes.push(size);
		expect(sizes).toEqual([10_001, 1_000, 100, 50, 25, 10]);
		expect(nextSmallerSize(60)).toBe(50);
	});

	it.each([
		[100, false, 5],
		[101, false, 2],
		[100, true, 2],
	])('has fewer tries: %i rows (reduced already: %j), %i tries', (size, isReduced, tries) => {
		expect(triesForSize(size, isReduced)).toBe(tries);
	});
});

describe('The size of a full page', () => {
	it.each([
		['are the rows, if there are more clients', 50, 100, 50, 250, 50],
		['are the rows, whatever page_limit says', 50, 100, 100, 250, 50],
		['is what page_limit says, if all clients are there', 50, 100, 60, 50, 60],
		['is what was requested without page_limit', 50, 100, undefined, 50, 100],
		['is what was requested without a total', 50, 100, undefined, undefined, 100],
		['are the rows, if they are more than page_limit or the request', 50, 10, 20, undefined, 50],
		['is what page_limit says, if it is as many as the rows', 50, 100, 50, 50, 50],
		['is what was requested, if there are no rows', 0, 100, undefined, 250, 100],
	])('%s', (_, rows, requested, pageLimit, totalCount, expected) => {
		const clients = Array.from({ length: rows }, () => ({}));
		expect(grantedSize({ clients, pageLimit, totalCount }, requested)).toBe(expected);
	});
});
