import { generateKeyPairSync, sign } from 'node:crypto';
import tls from 'node:tls';

function encode(tag: number, ...contents: Buffer[]): Buffer {
	const content = Buffer.concat(contents);
	const { length } = content;
	const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Buffer[]) => encode(0x30, ...contents);
const bitString = (content: Buffer) => encode(0x03, Buffer.from([0]), content);
const hex = (tag: number, digits: string) => encode(tag, Buffer.from(digits, 'hex'));

const ECDSA_WITH_SHA256 = sequence(hex(0x06, '2a8648ce3d040302'));
const COMMON_NAME = '550403';
const SUBJECT_ALTERNATIVE_NAME = '551d11';

/** A certificate for 127.0.0.1, made on the spot so that no private key has to lie around. */
export function createSelfSigned(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const name = sequence(encode(0x31, sequence(hex(0x06, COMMON_NAME), encode(0x0c, Buffer.from('127.0.0.1')))));
	const validity = sequence(encode(0x18, Buffer.from('20200101000000Z')), encode(0x18, Buffer.from('20991231235959Z')));
	const loopback = hex(0x87, '7f000001');
	const alternativeName = sequence(hex(0x06, SUBJECT_ALTERNATIVE_NAME), encode(0x04, sequence(loopback)));
	const content = sequence(
		encode(0xa0, hex(0x02, '02')),
		hex(0x02, '01'),
		ECDSA_WITH_SHA256,
		name,
		validity,
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		encode(0xa3, sequence(alternativeName)),
	);
	const certificate = sequence(content, ECDSA_WITH_SHA256, bitString(sign('sha256', content, privateKey)));
	const lines = certificate
		.toString('base64')
		.match(/.{1,64}/g)!
		.join('\n');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
	};
}

/** Lets connections of this process trust the certificate, as NODE_EXTRA_CA_CERTS would; returns how to end that. */
export function trust(certificate: string): () => void {
	const { createSecureContext } = tls;
	tls.createSecureContext = (options) => {
		const secureContext = createSecureContext(options);
		(secureContext.context as { addCACert(cert: string): void }).addCACert(certificate);
		return secureContext;
	};
	return () => {
		tls.createSecureContext = createSecureContext;
	};
}
