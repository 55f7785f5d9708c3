import tls from 'node:tls';
import { generate } from 'selfsigned';

const IP_ADDRESS = 7;

export interface Certificate {
	key: string;
	cert: string;
}

/** A certificate for 127.0.0.1, created for each run so that no private key has to be stored. */
export async function createSelfSigned(): Promise<Certificate> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames: [{ type: IP_ADDRESS, ip: '127.0.0.1' }] }],
	});
	return { key, cert };
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
