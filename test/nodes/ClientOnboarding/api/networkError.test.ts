import { describe, expect, it } from '@jest/globals';
import { toNetworkError } from '../../../../nodes/ClientOnboarding/api/networkError';

describe('A request without a complete response', () => {
	it.each([
		['ECONNREFUSED', 'connection', 'the connection was refused'],
		['ECONNRESET', 'connection', 'the connection was closed before the response was complete'],
		['EAI_AGAIN', 'connection', 'the DNS lookup is temporarily unavailable'],
		['EHOSTUNREACH', 'connection', 'the host is unreachable'],
		['HPE_INVALID_CONSTANT', 'connection', 'the response is not HTTP'],
		['ERR_UNHEARD_OF', 'connection', 'the connection was lost'],
		['ENOTFOUND', 'address', 'the host name was not found (DNS)'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'address', 'its TLS certificate is self-signed'],
		['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'address', 'its TLS certificate is from an unknown issuer'],
		['CERT_HAS_EXPIRED', 'address', 'its TLS certificate has expired'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'address', 'its TLS certificate is for another host'],
		['ERR_TLS_SOMETHING_NEW', 'address', 'its TLS certificate is not accepted'],
		['EPROTO', 'address', 'it does not support HTTPS, or uses a TLS version that n8n does not support'],
		['ECONNABORTED', 'timeout', 'no complete response in time (timeout)'],
		['ETIMEDOUT', 'timeout', 'no complete response in time (timeout)'],
		['ERR_CANCELED', 'timeout', 'no complete response in time (timeout)'],
	])('with the code %s is of the kind "%s": %s', (code, kind, reason) => {
		expect(toNetworkError({ code })).toMatchObject({ code, kind, reason });
	});

	it('has the code that n8n wrapped a few causes deep', () => {
		const wrapped = { httpCode: '500', cause: { code: 503, cause: { code: 'ECONNREFUSED' } } };
		expect(toNetworkError(wrapped).code).toBe('ECONNREFUSED');
		expect(toNetworkError({ httpCode: 'ECONNABORTED' }).kind).toBe('timeout');
	});

	it.each([
		[new Error('This address is internal'), 'n8n did not send the request: This address is internal'],
		[undefined, 'n8n did not send the request: no reason given'],
		[{ cause: null }, 'n8n did not send the request: no reason given'],
	])('and without a code was stopped by n8n itself (%s)', (error, reason) => {
		expect(toNetworkError(error)).toMatchObject({ code: '', kind: 'address', reason });
	});
});
