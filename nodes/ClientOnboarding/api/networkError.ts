const TIMEOUTS = ['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED', 'UND_ERR_ABORTED'];

const REASONS: Record<string, string[]> = {
	'no complete response in time (timeout)': TIMEOUTS,
	'the connection was refused': ['ECONNREFUSED'],
	'the host is unreachable': ['EHOSTUNREACH', 'ENETUNREACH'],
	'the connection was closed before the response was complete': ['ECONNRESET', 'EPIPE', 'ERR_BAD_RESPONSE'],
	'the DNS lookup is temporarily unavailable': ['EAI_AGAIN'],
	'the host name was not found (DNS)': ['ENOTFOUND'],
	'its TLS certificate is self-signed': ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
	'its TLS certificate is from an unknown issuer': [
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	],
	'its TLS certificate has expired': ['CERT_HAS_EXPIRED'],
	'its TLS certificate is not valid yet': ['CERT_NOT_YET_VALID'],
	'its TLS certificate is for another host': ['ERR_TLS_CERT_ALTNAME_INVALID'],
};

const TLS_CODE = /^(EPROTO$|ERR_SSL_|ERR_TLS_|CERT_)|SELF_SIGNED|UNABLE_TO/;

/** `address`: DNS or TLS, or n8n itself, says that the host cannot be reached this way. */
type NetworkErrorKind = 'timeout' | 'connection' | 'address';

/** No complete response was returned. */
export class NetworkError extends Error {
	constructor(
		/** A part of a sentence, for the user. */
		readonly reason: string,
		readonly kind: NetworkErrorKind,
		/** As Node names it, for people who search for it; empty if n8n did not send the request. */
		readonly code: string,
	) {
		super(reason);
	}
}

export function toNetworkError(error: unknown): NetworkError {
	const code = codeOf(error);
	return new NetworkError(code === '' ? reasonOfN8n(error) : reasonFor(code), kindOf(code), code);
}

function kindOf(code: string): NetworkErrorKind {
	if (TIMEOUTS.includes(code)) return 'timeout';
	return code === '' || code === 'ENOTFOUND' || TLS_CODE.test(code) ? 'address' : 'connection';
}

function reasonFor(code: string): string {
	const known = Object.keys(REASONS).find((reason) => REASONS[reason].includes(code));
	if (known) return known;
	if (/^(EPROTO$|ERR_SSL_)/.test(code))
		return 'it does not support HTTPS, or uses a TLS version that n8n does not support';
	if (TLS_CODE.test(code)) return 'its TLS certificate is not accepted';
	// The HTTP parser has codes of its own.
	return code.startsWith('HPE_') ? 'the response is not HTTP' : 'the connection was lost';
}

/** n8n itself stopped the request, for example to protect internal networks. */
function reasonOfN8n(error: unknown): string {
	const message = isObject(error) && typeof error.message === 'string' ? error.message : 'no reason given';
	return `n8n did not send the request: ${message}`;
}

/** n8n wraps errors, so the code may be a few causes deep. */
function codeOf(error: unknown): string {
	for (let current = error, depth = 0; isObject(current) && depth < 5; current = current.cause, depth++) {
		for (const code of [current.code, current.httpCode]) {
			if (typeof code === 'string' && code !== '' && Number.isNaN(Number(code))) return code;
		}
	}
	return '';
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
