import { ALL, expectRefusal, expectRows, withService } from './expectations.mts';

const HAS_USER = /^"Sandbox Base URL" must not contain a username or password$/;
const HAS_MORE = /^"Sandbox Base URL" must not contain "\?" or "#"$/;
const NO_ADDRESS = /^"Sandbox Base URL" is not a valid URL/;
const NO_WEB_ADDRESS = /^"Sandbox Base URL" must start with/;
const NO_KEY = /^"API Key" contains a space, a line break or a character that API keys cannot have/;

/** The part in place of SECRET must not be shown anywhere. */
const REFUSED: Record<string, [changes: Record<string, string>, text: RegExp]> = {
	'an address with a password in it': [{ sandboxBaseUrl: 'http://someone:SECRET@127.0.0.1:1' }, HAS_USER],
	'an address with a user name in it': [{ sandboxBaseUrl: 'http://SECRET@127.0.0.1:1' }, HAS_USER],
	'an address with a fragment': [{ sandboxBaseUrl: 'http://127.0.0.1:1/#SECRET' }, HAS_MORE],
	'an address with a query': [{ sandboxBaseUrl: 'http://127.0.0.1:1/?key=SECRET' }, HAS_MORE],
	'an address with a line break': [{ sandboxBaseUrl: 'http://127.0.0.1:1/\r\nX-Injected: yes' }, NO_ADDRESS],
	'an address with a control character': [{ sandboxBaseUrl: 'http://127.0.0.1:1/\u0001' }, NO_ADDRESS],
	'an address of a file': [{ sandboxBaseUrl: 'file:///etc/passwd' }, NO_WEB_ADDRESS],
	'an address of a script': [{ sandboxBaseUrl: 'javascript:alert(1)' }, NO_WEB_ADDRESS],
	'an address without encryption for production': [
		{ environment: 'production', productionBaseUrl: 'http://127.0.0.1:1' },
		/^"Production Base URL" must start with https:/,
	],
	'an API key with a header in it': [{ apiKey: 'SECRET\r\nX-Injected: yes' }, NO_KEY],
	'an API key with a line break': [{ apiKey: 'SEC\nRET' }, NO_KEY],
	'an API key that no header can carry': [{ apiKey: 'SECRET😀' }, NO_KEY],
};

/** Each returns the broken promises. */
export const HOSTILE_CREDENTIALS: Record<string, () => Promise<string[]>> = {
	...Object.fromEntries(
		Object.entries(REFUSED).map(([name, [changes, text]]) => [name, async () => await expectRefusal(changes, text)]),
	),
	'an API key with space around it': async () =>
		await withService({}, async ({ engine, apiKey }) => {
			engine.edit({ apiKey: `\t ${apiKey} \r\n` });
			return await expectRows(engine.run({ parameters: ALL }), 3);
		}),
};
