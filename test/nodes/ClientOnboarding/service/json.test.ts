import { describe, expect, it } from '@jest/globals';
import { parseJson } from '../../../../nodes/ClientOnboarding/service/json';

describe('An answer', () => {
	it.each([
		['{"id":9007199254740993}', { id: '9007199254740993' }],
		['{"id":-9007199254740993}', { id: '-9007199254740993' }],
		['[9007199254740993, 1234567890123456789012]', ['9007199254740993', '1234567890123456789012']],
		['9007199254740993', '9007199254740993'],
	])('keeps all figures of %s, as text', (text, value) => {
		expect(parseJson(text)).toEqual(value);
	});

	it.each([
		'{"id":9007199254740991}',
		'{"id":-9007199254740991}',
		'{"price":0.12345678901234567890}',
		'{"price":12345678901234567.5}',
		'{"price":12345678901234567e3}',
		'{"price":1e+1234567890123456}',
		'{"text":"9007199254740993"}',
		'{"9007199254740993":1}',
		'{"text":"a \\"quoted\\" :9007199254740993, and \\\\"}',
		'[true, null, "", {}]',
	])('is left alone otherwise: %s', (text) => {
		expect(parseJson(text)).toEqual(JSON.parse(text));
	});

	it.each(['', '{"cut":', '<html>9007199254740993</html>', "{'id':9007199254740993}"])(
		'that is no JSON stays text: %j',
		(text) => {
			expect(parseJson(text)).toBe(text);
		},
	);

	it('may have very long texts beside long numbers', () => {
		const text = 'x"\\'.repeat(2_000_000);
		expect(parseJson(JSON.stringify({ id: 1, text }).replace('1', '9007199254740993'))).toEqual({
			id: '9007199254740993',
			text,
		});
	});
});
