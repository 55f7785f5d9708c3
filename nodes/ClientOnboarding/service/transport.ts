/** What the user reads, with the codes that mean it. */
const REASONS: Record<string, string[]> = {
	'nothing is listening there': ['ECONNREFUSED'],
	'there is no such host': ['ENOTFOUND'],
	'its name could not be looked up': ['EAI_AGAIN'],
	'there is no way to it from here': ['EHOSTUNREACH', 'ENETUNREACH'],
	'it closed the connection before the answer was complete': ['ECONNRESET', 'EPIPE', 'ERR_BAD_RESPONSE'],
};

const UNTRUSTED: Record<string, string[]> = {
	'its certificate is self-signed': ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
	'its certificate comes from an unknown issuer': [
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	],
	'its certificate has expired': ['CERT_HAS_EXPIRED'],
	'its certificate is not valid yet': ['CERT_NOT_YET_VALID'],
	'its certificate belongs to another host': ['ERR_TLS_CERT_ALTNAME_INVALID'],
};

const TIMEOUTS = ['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED', 'UND_ERR_ABORTED'];

/** Why no answer came, in words for the user. */
export class TransportTrouble extends Error {
	readonly isTimeout: boolean;

	/** Asking again cannot help: the host does not exist or cannot be trusted. */
	readonly isLasting: boolean;

	constructor(message: string, { isTimeout = false, isLasting }: { isTimeout?: boolean; isLasting: boolean }) {
		super(message);
		this.isTimeout = isTimeout;
		this.isLasting = isLasting;
	}
}

/** Says in plain words why no answer came from `host`. */
export function describeTransport(error: unknown, host: string, timeoutMs: number): TransportTrouble {
	const code = errorCode(error);
	if (code === '') {
		// Nothing went wrong on the way: n8n itself, for example its protection of internal networks, held the request back.
		return new TransportTrouble(`n8n did not ask ${host}: ${errorMessage(error)}`, { isLasting: true });
	}
	const untrusted = whyUntrusted(code);
	if (untrusted) {
		return new TransportTrouble(`No safe connection to ${host}: ${untrusted}`, { isLasting: true });
	}
	const isTimeout = TIMEOUTS.includes(code);
	const reason = isTimeout ? `no complete answer within ${timeoutMs / 1000} s` : whyUnreachable(code);
	return new TransportTrouble(`Could not reach ${host}: ${reason}`, { isTimeout, isLasting: code === 'ENOTFOUND' });
}

function whyUnreachable(code: string): string {
	// The parser of HTTP has codes of its own.
	if (code.startsWith('HPE_')) return 'what answers there is no web service';
	return reasonFor(code, REASONS) ?? 'the connection broke';
}

function whyUntrusted(code: string): string | undefined {
	if (/^(EPROTO$|ERR_SSL_)/.test(code)) return 'it speaks no https that n8n can use';
	return reasonFor(code, UNTRUSTED) ?? (/^(ERR_TLS_|CERT_)/.test(code) ? 'its certificate is not accepted' : undefined);
}

function reasonFor(code: string, reasons: Record<string, string[]>): string | undefined {
	return Object.keys(reasons).find((reason) => reasons[reason].includes(code));
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
