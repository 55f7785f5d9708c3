import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { expectNoSecret, expectNoSecretOnDisk, forgetSecret, trackSecret } from './secrets.mts';

it('expectNoSecret finds a secret in any part of a value', () => {
	const secret = randomUUID();
	trackSecret(secret);
	const hidden = Object.defineProperty({}, 'config', { value: { headers: { 'api-key': secret } }, enumerable: false });
	for (const value of [
		secret,
		`key=${secret}`,
		`key=${secret.slice(0, 18)}…`,
		`key=…${secret.slice(-18)}`,
		{ a: [{ b: secret }] },
		new Error('x', { cause: new Error(secret) }),
		hidden,
	]) {
		expect(() => expectNoSecret(value, 'this')).toThrow('A secret is visible in this');
	}
	expect(() => expectNoSecret({ a: 'nothing' }, 'this')).not.toThrow();
});

it('expectNoSecretOnDisk finds a secret in files, also after forgetSecret', () => {
	const folder = process.env.N8N_USER_FOLDER as string;
	const secret = randomUUID();
	trackSecret(secret);
	forgetSecret(secret);
	expect(() => expectNoSecret({ secret }, 'this')).not.toThrow();
	writeFileSync(join(folder, 'n8n.log'), `{"Authorization":"Bearer ${secret}"}`);
	expect(expectNoSecretOnDisk).toThrow('A secret is visible in n8n.log');
	writeFileSync(join(folder, 'n8n.log'), 'nothing');
	expect(expectNoSecretOnDisk).not.toThrow();
});
