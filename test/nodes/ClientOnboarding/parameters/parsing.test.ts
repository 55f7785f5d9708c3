import { describe, expect, it } from '@jest/globals';
import { ParameterValue } from '../../../../nodes/ClientOnboarding/parameters/value';
import {
	parseBoolean,
	parseChoice,
	parseChoices,
	parseEmail,
	parseNumber,
	parseText,
	parseTime,
	requireText,
	valueOrDefault,
	filterValues,
} from '../../../../nodes/ClientOnboarding/parameters/parsing';

describe('A number', () => {
	it.each([
		[5, 5],
		['5', 5],
		[' 7 ', 7],
	])('may be %j, which is read as %j', (value, number) => {
		expect(parseNumber(value, 'Limit', { min: 1 })).toBe(number);
	});

	it.each([
		[0, '"Limit" must be a whole number from 1 to 20, not 0'],
		[21, '"Limit" must be a whole number from 1 to 20, not 21'],
		['x', '"Limit" must be a whole number from 1 to 20, not "x"'],
		[undefined, '"Limit" must be a whole number from 1 to 20, not empty'],
		[NaN, '"Limit" must be a whole number from 1 to 20, not NaN'],
		[null, '"Limit" must be a whole number from 1 to 20, not empty'],
		[true, '"Limit" must be a whole number from 1 to 20, not true'],
		[5n, '"Limit" must be a whole number from 1 to 20, not 5'],
		[[3], '"Limit" must be a whole number from 1 to 20, not a list'],
		[{ a: 1 }, '"Limit" must be a whole number from 1 to 20, not an object'],
	])('is not %p', (value, message) => {
		expect(() => parseNumber(value, 'Limit', { min: 1, max: 20 })).toThrow(message);
	});

	it('may be the least or the most of its range, but is not 0 if it is blank', () => {
		for (const value of [1, 20]) expect(parseNumber(value, 'Limit', { min: 1, max: 20 })).toBe(value);
		expect(() => parseNumber(' ', 'Days', { min: 0 })).toThrow(
			'"Days" must be a whole number of at least 0, not empty',
		);
	});

	it('may have a fraction if the field allows it', () => {
		expect(parseNumber(1.5, 'Timeout', { min: 1, isWhole: false })).toBe(1.5);
		expect(() => parseNumber('1,5', 'Timeout', { min: 1, isWhole: false })).toThrow(
			'"Timeout" must be a number of at least 1, not "1,5"',
		);
		expect(() => parseNumber(Infinity, 'Timeout', { min: 1, isWhole: false })).toThrow('not Infinity');
	});
});

describe('A choice', () => {
	it('is accepted in any case if it exists', () => {
		expect(parseChoice('part', 'Match', ['whole', 'part'])).toBe('part');
		expect(parseChoice(' Part ', 'Match', ['whole', 'part'])).toBe('part');
		expect(parseChoice('referenceid', 'Find By', ['referenceId', 'email'])).toBe('referenceId');
		expect(() => parseChoice('all', 'Match', ['whole', 'part'])).toThrow(
			'"Match" cannot be "all". Use one of: whole, part',
		);
		expect(() => parseChoice(null, 'Match', ['whole'])).toThrow('"Match" is empty. Use one of: whole');
	});
});

describe('Choices', () => {
	it.each([
		[
			['b', 'A '],
			['b', 'a'],
		],
		['b, a,', ['b', 'a']],
		[
			['a', ['A', 'a,b']],
			['a', 'b'],
		],
		[3, ['3']],
		['', []],
	])('of %j are %j, each once', (value, chosen) => {
		expect(parseChoices(value, 'Letters', ['a', 'b', '3'])).toEqual(chosen);
	});

	it('that do not exist are refused', () => {
		expect(() => parseChoices('a,x', 'Letters', ['a'])).toThrow('"Letters" cannot be "x". Use one of: a');
	});
});

describe('A switch', () => {
	it.each([true, 'true', ' True ', 1, '1', 'yes', 'on'])('is on if its value is %j', (value) => {
		expect(parseBoolean(value, 'Return All')).toBe(true);
	});

	it.each([false, 'false', ' FALSE ', 0, '0', 'no', 'off'])('is off if its value is %j', (value) => {
		expect(parseBoolean(value, 'Return All')).toBe(false);
	});

	it.each([
		['', 'empty'],
		[null, 'empty'],
		[2, '2'],
		['maybe', '"maybe"'],
		[[true], 'a list'],
		[{}, 'an object'],
	])('is refused if its value is %j', (value, shown) => {
		expect(() => parseBoolean(value, 'Return All')).toThrow(`"Return All" must be true or false, not ${shown}`);
	});
});

describe('A text', () => {
	it('is trimmed, and refused if it is required and blank', () => {
		expect(parseText(' a b ', 'Email')).toBe('a b');
		expect(requireText(' a b ', 'Email')).toBe('a b');
		expect(requireText([['a']], 'Email')).toBe('a');
		for (const value of ['', '  ', null, undefined, [], ['']]) {
			expect(() => requireText(value, 'Email')).toThrow('"Email" is empty');
		}
		expect(() => requireText(['a', 'b'], 'Email')).toThrow('"Email" takes one value, not 2');
	});

	it('may be a number, but no other type', () => {
		expect(parseText(123, 'Group')).toBe('123');
		expect(parseText(123n, 'Group')).toBe('123');
		expect(() => parseText(NaN, 'Group')).toThrow('"Group" must be text, not NaN');
		expect(() => parseText(true, 'Group')).toThrow(/^"Group" must be text, not true$/);
		expect(() => parseText({}, 'Group')).toThrow('"Group" must be text, not an object. Use one of its fields');
	});
});

describe('An email address', () => {
	it.each(['a@b.c', 'part of it', '"a b"@c.d', 'a, b', '@example'])('may be %j', (value) => {
		expect(parseEmail(value, 'Email')).toBe(value);
	});

	it.each(['a@b.c,d@e.f', 'a@b.c; d@e.f', 'a@b.c d@e.f', 'a@b.c\nd@e.f'])('is not %j', (value) => {
		expect(() => parseEmail(value, 'Email')).toThrow('"Email" takes one value, not 2');
	});
});

const EXPRESSION = '={{ $json.value }}';
const AGENT = "={{ $fromAI('value') }}";

describe('A setting', () => {
	it.each([
		[new ParameterValue(undefined), 'usual'],
		[new ParameterValue('', AGENT), 'usual'],
		[new ParameterValue(null, AGENT), 'usual'],
		[new ParameterValue('', ''), ''],
		[new ParameterValue(0, EXPRESSION), 0],
		[new ParameterValue(false, EXPRESSION), false],
		[new ParameterValue('x', AGENT), 'x'],
	])('of %j has the value %j', (given, value) => {
		expect(valueOrDefault(given, 'Timeout', 'usual')).toBe(value);
	});

	it('is refused if its expression resolves to nothing', () => {
		expect(() => valueOrDefault(new ParameterValue(undefined, EXPRESSION), 'Timeout', 'usual')).toThrow(
			'"Timeout" is empty: its expression has no value. Correct the expression, or enter a value',
		);
	});
});

describe('A filter', () => {
	it.each([
		[new ParameterValue('none', AGENT), []],
		[new ParameterValue(' ANY', AGENT), []],
		[new ParameterValue('none', EXPRESSION), ['none']],
		[new ParameterValue('All', EXPRESSION), []],
		[new ParameterValue(['all', 'x'], EXPRESSION), ['all', 'x']],
		[new ParameterValue('x', ''), ['x']],
	])('with %j has the values %j', (given, wanted) => {
		expect(filterValues(given, 'Group')).toEqual(wanted);
	});

	it('is refused if its expression resolves to nothing', () => {
		expect(() => filterValues(new ParameterValue([''], EXPRESSION), 'Group')).toThrow(
			'"Group" is empty: its expression has no value. Correct the expression, or have it return "all" for no filter',
		);
	});
});

describe('A time', () => {
	it('is read from a date, and the message for anything else shows an example', () => {
		expect(parseTime('1970-01-01', 'Created After', 'UTC')).toBe(0);
		expect(() => parseTime('soon', 'Created After', 'UTC')).toThrow(
			'"Created After" is not a date: "soon". Use a date like 2026-01-31 or 2026-01-31T09:00:00Z',
		);
		expect(() => parseTime('x'.repeat(60), 'Created After', 'UTC')).toThrow(`"${'x'.repeat(60)}"`);
		expect(() => parseTime('x'.repeat(61), 'Created After', 'UTC')).toThrow(`"${'x'.repeat(60)}…"`);
	});
});
