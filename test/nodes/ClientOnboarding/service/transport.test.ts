import { describe, expect, it } from '@jest/globals';
import { describeTransport } from '../../../../nodes/ClientOnboarding/service/transport';

const describeCode = (code: string) => describeTransport({ code }, 'api.example.com', 30_000);

describe('What kept an answer from coming', () => {
	it.each([
		['ECONNREFUSED', 'Could not reach api.example.com: nothing is listening there', false],
		['ENOTFOUND', 'Could not reach api.example.com: there is no such host', true],
		['EAI_AGAIN', 'Could not reach api.example.com: its name could not be looked up', false],
		['ECONNRESET', 'Could not reach api.example.com: it closed the connection before the answer was complete', false],
		['EHOSTUNREACH', 'Could not reach api.example.com: there is no way to it from here', false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'No safe connection to api.example.com: its certificate is self-signed', true],
		[
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'No safe connection to api.example.com: its certificate comes from an unknown issuer',
			true,
		],
		['CERT_NOT_YET_VALID', 'No safe connection to api.example.com: its certificate is not valid yet', true],
		[
			'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
			'No safe connection to api.example.com: it speaks no https that n8n can use',
			true,
		],
		['EPROTO', 'No safe connection to api.example.com: it speaks no https that n8n can use', true],
		['CERT_HAS_EXPIRED', 'No safe connection to api.example.com: its certificate has expired', true],
		[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'No safe connection to api.example.com: its certificate belongs to another host',
			true,
		],
		['ERR_TLS_SOMETHING_NEW', 'No safe connection to api.example.com: its certificate is not accepted', true],
		['HPE_INVALID_CONSTANT', 'Could not reach api.example.com: what answers there is no web service', false],
		['ERR_UNHEARD_OF', 'Could not reach api.example.com: the connection broke', false],
	])('%s is put as "%s"', (code, text, isLasting) => {
		expect(describeCode(code)).toMatchObject({ message: text, isTimeout: false, isLasting });
	});

	it.each(['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED'])('%s is a timeout, with its length', (code) => {
		expect(describeCode(code)).toMatchObject({
			message: 'Could not reach api.example.com: no complete answer within 30 s',
			isTimeout: true,
			isLasting: false,
		});
	});

	it('is found however deep n8n wraps it', () => {
		const wrapped = { httpCode: '500', cause: { code: 503, cause: { code: 'ECONNREFUSED' } } };
		expect(describeTransport(wrapped, 'h', 1).message).toMatch(/nothing is listening/);
		expect(describeTransport({ httpCode: 'ECONNABORTED' }, 'h', 1000).isTimeout).toBe(true);
	});

	it.each([undefined, null, 'text', {}, { cause: null }])('%j has no code and is still put into words', (error) => {
		expect(describeTransport(error, 'h', 1).message).toBe('n8n did not ask h: no reason given');
	});

	it('is told in the words of n8n where n8n held the request back', () => {
		expect(describeTransport(new Error('This address is internal'), 'h', 1)).toMatchObject({
			message: 'n8n did not ask h: This address is internal',
			isTimeout: false,
			isLasting: true,
		});
	});
});
