import { describe, expect, it } from '@jest/globals';
import { redact } from '../../../../nodes/ClientOnboarding/api/redact';

const SECRET = 'a"b/c+d=é';

describe('A secret in a text from outside', () => {
	it.each([
		['as it is', SECRET],
		['URL-encoded', encodeURIComponent(SECRET)],
		['URL-encoded in lower case', encodeURIComponent(SECRET).toLowerCase().replace('a%22b', 'a%22b')],
		['JSON-escaped', JSON.stringify(SECRET).slice(1, -1)],
		['JSON-escaped with slashes', JSON.stringify(SECRET).slice(1, -1).replace('/', '\\/')],
	])('is redacted %s', (_, spelling) => {
		expect(redact(`The key ${spelling} is unknown, ${spelling}!`, [SECRET])).toBe('The key … is unknown, …!');
	});

	it('is redacted wholly if another secret is a part of it', () => {
		expect(redact('key-1-2 and key-1', ['key-1', 'key-1-2', ''])).toBe('… and …');
	});

	it('leaves other text as it is', () => {
		expect(redact('100% of {"a": 1}', ['other'])).toBe('100% of {"a": 1}');
	});
});
