import { describe, expect, it } from '@jest/globals';
import { baseUrlLabel, apiKeyOf, fingerprint, baseUrlOf, hostOf } from '../../../../nodes/ClientOnboarding/api/baseUrl';

const production = (productionBaseUrl: unknown) => ({ environment: 'production', productionBaseUrl }) as never;
const sandbox = (sandboxBaseUrl: unknown) => ({ environment: 'sandbox', sandboxBaseUrl }) as never;

describe('The base URL', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		['  https://API.example.com//  ', 'https://api.example.com'],
		['https://api.example.com:8443/onboarding/', 'https://api.example.com:8443/onboarding'],
		['https://api.example.com/api/v1', 'https://api.example.com'],
		['https://api.example.com/x/api/v1/clients-list/', 'https://api.example.com/x'],
	])('%j is read as %s', (text, address) => {
		expect(baseUrlOf(production(text))).toBe(address);
		expect(baseUrlOf(sandbox(text))).toBe(address);
	});

	it.each([
		['', /Fill in "Production Base URL"/],
		[undefined, /Fill in "Production Base URL"/],
		['api.example.com', /"Production Base URL" must start with https:\/\/, for example/],
		['https://', /is not a valid URL/],
		['https://exa mple.com', /is not a valid URL/],
		['https://example.com/\u0000', /is not a valid URL/],
		['https://example.com/\r\nX: y', /is not a valid URL/],
		['http://api.example.com', /must start with https:\/\/, for example/],
		['file:///etc/passwd', /must start with https/],
		['ftp://example.com', /must start with https/],
		['https://user:pass@example.com', /must not contain a username or password/],
		['https://example.com/?a=1', /must not contain "\?" or "#"/],
		['https://example.com/#part', /must not contain "\?" or "#"/],
	])('%j is refused with a message that names the field', (text, message) => {
		expect(() => baseUrlOf(production(text))).toThrow(message);
	});

	it('may be http for the sandbox environment only', () => {
		expect(baseUrlOf(sandbox('http://localhost:4010/'))).toBe('http://localhost:4010');
		expect(() => baseUrlOf(sandbox('ftp://localhost'))).toThrow(
			'"Sandbox Base URL" must start with https:// or http://',
		);
	});

	it.each([
		['https://api.example.com/', 'api.example.com'],
		['https://api.example.com:8443/onboarding/', 'api.example.com:8443/onboarding'],
		['https://api.example.com/api/', 'api.example.com/api'],
		['https://api.example.com/wrong/path/api/v1/', 'api.example.com/wrong/path'],
	])('%j is called %s in messages', (text, place) => {
		expect(hostOf(production(text))).toBe(place);
	});

	it('has the label of the chosen environment', () => {
		expect(baseUrlLabel(production(''))).toBe('Production Base URL');
		expect(baseUrlLabel(sandbox(''))).toBe('Sandbox Base URL');
	});
});

describe('The API key', () => {
	it.each([' key\n', '\tkey ', 'key'])('%j is used without the space around it', (apiKey) => {
		expect(apiKeyOf({ apiKey })).toBe('key');
	});

	it.each([
		['', 'Fill in "API Key"'],
		[undefined, 'Fill in "API Key"'],
		['a b', '"API Key" contains a space'],
		['a\r\nX-Injected: 1', '"API Key" contains a space'],
		['schlüssel', '"API Key" contains a space'],
	])('%j is refused without being repeated', (apiKey, message) => {
		expect(() => apiKeyOf({ apiKey } as never)).toThrow(message);
	});
});

describe('The fingerprint of a credential', () => {
	const credential = { environment: 'sandbox', sandboxBaseUrl: 'http://localhost:4010', apiKey: 'a-long-api-key' };

	it('is the same for the same environment, address and key', () => {
		expect(fingerprint({ ...credential, sandboxBaseUrl: 'http://localhost:4010/', accessToken: 'x' })).toBe(
			fingerprint(credential),
		);
	});

	it.each<Record<string, string>>([
		{ environment: 'production', productionBaseUrl: 'https://localhost:4010' },
		{ sandboxBaseUrl: 'http://localhost:4011' },
		{ apiKey: 'other' },
	])('differs with %j', (change) => {
		expect(fingerprint({ ...credential, ...change })).not.toBe(fingerprint(credential));
	});

	it('does not show the key', () => {
		expect(fingerprint(credential)).toMatch(/^[0-9a-f]{64}$/);
	});
});
