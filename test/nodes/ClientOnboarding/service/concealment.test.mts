import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { concealPieces, concealSecrets } from '../../../../nodes/ClientOnboarding/service/concealment';
import { cpuMsOf } from '../../../support/cpu.mts';

const SECRET = 'k/+y=&<"\'\\%41-_~.Z';

const toHtml = (text: string) =>
	text.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]!);
const each = (text: string, spell: (code: number) => string) =>
	[...text].map((sign) => spell(sign.charCodeAt(0))).join('');
const hex = (code: number) => code.toString(16).padStart(2, '0');

const SPELLINGS: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'in capitals': (text) => text.toUpperCase(),
	'with blanks for each plus': (text) => text.replaceAll('+', ' '),
	'in hex': (text) => Buffer.from(text).toString('hex'),
	'in hex, in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
	'for a URL': encodeURIComponent,
	'for a URL, in lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
	'for a URL, sign by sign': (text) => each(text, (code) => `%${hex(code)}`),
	'for a URL, twice': (text) => encodeURIComponent(encodeURIComponent(text)),
	'for JSON': (text) => JSON.stringify(text).slice(1, -1),
	'for JSON inside JSON': (text) => JSON.stringify(JSON.stringify(text)),
	'for JSON, with slashes escaped': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
	'for JSON, sign by sign': (text) => each(text, (code) => `\\u00${hex(code)}`),
	'for JavaScript, sign by sign': (text) => each(text, (code) => `\\x${hex(code).toUpperCase()}`),
	'for HTML': toHtml,
	'for HTML, with an old apostrophe': (text) => toHtml(text).replaceAll('&#39;', '&apos;'),
	'for HTML, sign by sign': (text) => each(text, (code) => `&#${code};`),
	'for HTML, sign by sign in hex': (text) => each(text, (code) => `&#x00${hex(code).toUpperCase()};`),
	'for JSON inside HTML': (text) => toHtml(JSON.stringify(text)),
	'in base64': (text) => Buffer.from(text).toString('base64'),
	'in base64 for a URL': (text) => Buffer.from(text).toString('base64url'),
	'in base64 after a user name': (text) => Buffer.from(`user:${text}`).toString('base64'),
	'in base64 after one more sign': (text) => Buffer.from(`user1:${text}`).toString('base64url'),
	'in base64 between others': (text) => Buffer.from(`abcd${text}xyz`).toString('base64'),
	'in base64, for a URL': (text) => encodeURIComponent(Buffer.from(`~~~${text}???`).toString('base64')),
};

describe('A secret', () => {
	it.each(Object.entries(SPELLINGS))('is hidden %s', (_how, spell) => {
		const concealed = concealSecrets(`The key ${spell(SECRET)} is not known.`, ['another', SECRET]);
		expect(concealed).toMatch(/^The key \S{0,8}…\S{0,8} is not known\.$/);
	});

	it.each([1_001, 2_000, 20_000, 100_001])('is hidden where it has %i signs', (length) => {
		const secret = Array.from({ length }, (_, index) => SECRET[(7 * index + (index >> 4)) % SECRET.length]).join('');
		for (const spell of [SPELLINGS['as it is'], SPELLINGS['in hex'], SPELLINGS['for JSON']]) {
			expect(concealSecrets(`The key ${spell(secret)} is not known.`, [secret])).toMatch(/^The key …+ is not known\.$/);
		}
	});

	it('is hidden however often it comes', () => {
		expect(concealSecrets('abcdef %61bcdef abcdef', ['abcdef'])).toBe('… … …');
	});

	it('is hidden whole where another one is a part of it', () => {
		expect(concealSecrets('key-123456', ['key', 'key-123456'])).toBe('…');
	});

	it('is hidden whatever signs it has and however it is written', () => {
		const secret = fc.string({
			unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
			minLength: 12,
		});
		fc.assert(
			fc.property(secret, fc.constantFrom(...Object.values(SPELLINGS)), (text, spell) => {
				const concealed = concealSecrets(`before ${spell(text)} after`, [text]);
				expect(concealed).toContain('…');
				expect(concealed).not.toContain(text);
			}),
		);
	});

	it('leaves none of its last digits in base64', () => {
		for (const secret of ['abcdefghij', 'abcdefghijk', 'abcdefghijkl'])
			expect(concealSecrets(`<${Buffer.from(secret).toString('base64')}>`, [secret])).toBe('<…>');
	});

	it('does not have to be plain ASCII', () => {
		expect(concealSecrets('schlüssel is no key', ['schlüssel'])).toBe('… is no key');
	});
});

describe('In the words of others', () => {
	const KEY = 'key-0123456789abcdef';

	it.each([
		['half of it', `It begins with ${KEY.slice(0, 10)}.`, 'It begins with ….'],
		['a piece of it in capitals', `Not ${KEY.slice(6, 15).toUpperCase()}!`, 'Not …!'],
		['its two ends', `${KEY.slice(0, 8)}...${KEY.slice(-8)}`, '…...…'],
		['a piece that is written for a URL', `+${encodeURIComponent('key-0123').replace('-', '%2D')}+`, '+…+'],
	])('%s is hidden', (_what, text, concealed) => {
		expect(concealPieces(text, [KEY])).toBe(concealed);
	});

	it.each([
		[12, 6],
		[16, 8],
		[40, 8],
	])('of %i signs, %i in a row are hidden, and fewer are not', (length, most) => {
		const secret = Array.from({ length }, (_, index) => String.fromCharCode(0x41 + index)).join('');
		expect(concealPieces(`<${secret.slice(0, most)}>`, [secret])).toBe('<…>');
		expect(concealPieces(`<${secret.slice(1, most)}>`, [secret])).toBe(`<${secret.slice(1, most)}>`);
	});

	it('a secret that could be any word is hidden as a whole only', () => {
		expect(concealPieces('abc abcde abcd', ['abcde', ''])).toBe('abc … abcd');
	});
});

describe('A text without a secret', () => {
	it.each(['50 %25 of "a\\tb" &amp; more', ''])('stays as it is: %j', (text) => {
		expect(concealSecrets(text, [SECRET, '', 'abc'])).toBe(text);
	});

	it.each(['\\', '%25', '&#0', '&#x0', '&#00000000000000', 'a'])(
		'takes hardly more than ten times the work for ten times the length: %j',
		(part) => {
			const secrets = [SECRET, '\\'.repeat(40), '%'.repeat(40), 'a'.repeat(40) + 'b'];
			const [short, long] = [10_000, 100_000].map((length) => {
				const text = part.repeat(length);
				return cpuMsOf(() => concealPieces(text, secrets), 3);
			});
			// What looks at each sign with each other one would take a hundred times.
			expect(long / short).toBeLessThan(30);
		},
	);
});
