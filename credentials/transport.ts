const REASONS: Record<string, string> = {
	ECONNREFUSED: 'nothing is listening there',
	ENOTFOUND: 'there is no such host',
	EAI_AGAIN: 'its name could not be looked up',
	EHOSTUNREACH: 'there is no way to it from here',
	ENETUNREACH: 'there is no way to it from here',
	ECONNRESET: 'it closed the connection before the answer was complete',
	EPIPE: 'it closed the connection before the answer was complete',
	ERR_BAD_RESPONSE: 'it closed the connection before the answer was complete',
};

const UNTRUSTED: Record<string, string> = {
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown issuer',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown issuer',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	CERT_NOT_YET_VALID: 'its certificate is not valid yet',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate belongs to another host',
	EPROTO: 'it does not speak https',
};

const TIMEOUTS = ['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED', 'UND_ERR_ABORTED'];

export interface TransportTrouble {
	text: string;
	isTimeout: boolean;
	/** Asking again cannot help: the host does not exist or cannot be trusted. */
	isLasting: boolean;
}

/** Says in plain words why no answer came from `host`. */
export function describeTransport(error: unknown, host: string, timeoutMs: number): TransportTrouble {
	const code = errorCode(error);
	if (code === '') {
		// Nothing went wrong on the way: n8n itself, for example its protection of internal networks, held the request back.
		return { text: `n8n did not ask ${host}: ${errorMessage(error)}`, isTimeout: false, isLasting: true };
	}
	const untrusted = UNTRUSTED[code] ?? (/^(ERR_(TLS|SSL)_|CERT_)/.test(code) ? 'its certificate is not accepted' : undefined);
	if (untrusted) {
		return { text: `No safe connection to ${host}: ${untrusted}`, isTimeout: false, isLasting: true };
	}
	const isTimeout = TIMEOUTS.includes(code);
	const reason = isTimeout ? `no complete answer within ${timeoutMs / 1000} s` : (REASONS[code] ?? 'the connection broke');
	return { text: `Could not reach ${host}: ${reason}`, isTimeout, isLasting: code === 'ENOTFOUND' };
}

/** n8n wraps errors, so the code may sit a few causes deep. */
function errorCode(error: unknown): string {
	for (let current = error, depth = 0; isRecord(current) && depth < 5; current = current.cause, depth++) {
		for (const code of [current.code, current.httpCode]) {
			if (typeof code === 'string' && code !== '' && Number.isNaN(Number(code))) return code;
		}
	}
	return '';
}

function errorMessage(error: unknown): string {
	return isRecord(error) && typeof error.message === 'string' ? error.message : 'no reason given';
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
