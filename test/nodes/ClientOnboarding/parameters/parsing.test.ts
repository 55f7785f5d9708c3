import { describe, expect, it } from '@jest/globals';
import {
	parseChoice,
	parseNumber,
	parseText,
	requireText,
} from '../../../../nodes/ClientOnboarding/parameters/parsing';

describe('A number', () => {
	it.each([
		[5, 5],
		['5', 5],
		[' 7 ', 7],
	])('%j is %j', (value, number) => {
		expect(parseNumber(value, 'Limit', { min: 1 })).toBe(number);
	});

	it.each([
		[0, '"Limit" has to be a whole number from 1 to 20, not 0'],
		[21, '"Limit" has to be a whole number from 1 to 20, not 21'],
		['x', '"Limit" has to be a whole number from 1 to 20, not "x"'],
		[undefined, '"Limit" has to be a whole number from 1 to 20, not empty'],
		[NaN, '"Limit" has to be a whole number from 1 to 20, not null'],
		[[3], '"Limit" has to be a whole number from 1 to 20, not [3]'],
	])('%j is refused', (value, message) => {
		expect(() => parseNumber(value, 'Limit', { min: 1, max: 20 })).toThrow(message);
	});

	it('may have a fraction where that makes sense', () => {
		expect(parseNumber(1.5, 'Timeout', { min: 1, isWhole: false })).toBe(1.5);
		expect(() => parseNumber('1,5', 'Timeout', { min: 1, isWhole: false })).toThrow(
			'"Timeout" has to be a number of at least 1, not "1,5"',
		);
	});
});

describe('A choice', () => {
	it('is one of those there are', () => {
		expect(parseChoice('part', 'Match', ['whole', 'part'])).toBe('part');
		expect(() => parseChoice('all', 'Match', ['whole', 'part'])).toThrow(
			'"Match" has no choice "all". Use one of: whole, part',
		);
	});
});

describe('A text', () => {
	it('is taken without the space around it; where it is required, it is not blank', () => {
		expect(parseText(' a b ')).toBe('a b');
		expect(requireText(' a b ', 'Email')).toBe('a b');
		for (const value of ['', '  ', null, undefined]) {
			expect(parseText(value)).toBeUndefined();
			expect(() => requireText(value, 'Email')).toThrow('"Email" is empty');
		}
	});
});
