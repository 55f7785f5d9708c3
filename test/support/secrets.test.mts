import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { expectNoSecret, rememberSecret } from './secrets.mts';

it('a secret is found wherever it hides', () => {
	const secret = randomUUID();
	rememberSecret(secret);
	const hidden = Object.defineProperty({}, 'config', { value: { headers: { 'api-key': secret } }, enumerable: false });
	for (const value of [secret, `key=${secret}`, { a: [{ b: secret }] }, new Error('x', { cause: new Error(secret) }), hidden]) {
		expect(() => expectNoSecret(value, 'this')).toThrow('A secret is visible in this');
	}
	expect(() => expectNoSecret({ a: 'nothing' }, 'this')).not.toThrow();
});
