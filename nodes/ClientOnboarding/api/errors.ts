import type { Failure, ICredentialDataDecryptedObject } from 'n8n-workflow';
import { baseUrlLabel, hostOf } from './baseUrl';
import type { Address, Reply } from './classify';
import { classifyToken, isTemporary } from './classify';
import { NetworkError } from './networkError';
import { redact } from './redact';
import { describeResponse, envelopeOf, isCutOff, isSuccess, statusOf } from './response';

/** A few lines in the editor. */
const MAX_QUOTE_LENGTH = 300;

export const RETRY_ADVICE = 'Try again later.';

/** What a user reads: what happened, then what to do. */
export interface Explanation {
	message: string;
	description?: string;
	/** An HTTP status. For a network code, n8n would replace the message by a general one. */
	httpCode?: string;
	/** Tells n8n when to poll again. */
	failure: Failure;
}

interface Circumstances {
	host: string;
	/** The label of the base URL field. */
	addressField: string;
	address: Address;
	timeoutMs: number;
	tries: number;
	retryAfterMs?: number;
	/** Redacted from every message. */
	secrets: Iterable<string>;
}

/** Why the list endpoint returned no page. */
export function explainFailure(reply: Reply, circumstances: Circumstances): Explanation {
	const { host, addressField, address, tries, retryAfterMs, secrets } = circumstances;
	const tried = tries > 1 ? ` (tried ${tries} times)` : '';
	const isTemporaryHere = isTemporary(reply, address) || address === 'hasGivenClients';
	const failure: Failure = {
		cause: isTemporaryHere ? 'temporarily-unavailable' : 'configuration-invalid',
	};
	if (reply instanceof NetworkError) return explainNetwork(reply, circumstances, failure);

	const status = statusOf(reply);
	const httpCode = String(status);
	if (status === 429) {
		return {
			message: `Rate limit reached on ${host} (429)`,
			description:
				'The node waited and tried again without success. Try again later, lower the option "Parallel Requests", or run the workflow less often.',
			httpCode,
			failure: { cause: 'rate-limited', retryAfterMs },
		};
	}
	if (isCutOff(reply)) {
		return {
			message: `The response from ${host} was incomplete${tried}`,
			description: RETRY_ADVICE,
			httpCode,
			failure,
		};
	}
	if (isTemporary(reply, address)) {
		return {
			message: `${host} is unavailable: status ${status}${tried}`,
			description: `${RETRY_ADVICE} If this happens every time, contact the operator of the service.`,
			httpCode,
			failure,
		};
	}
	const envelope = envelopeOf(reply);
	if (envelope && !isSuccess(status)) {
		const quote = quoteMessage(envelope.message, secrets);
		return {
			message: `${host} rejected the request (status ${status})${quote && `: ${quote}`}`,
			description: 'Check the filters and options of the node. If they are right, contact the operator of the service.',
			httpCode,
			failure,
		};
	}
	const returned = describeResponse(reply);
	return address === 'hasGivenClients'
		? {
				message: `${host} returned ${returned} instead of clients${tried}`,
				description: `It may be from a proxy or a maintenance page. ${RETRY_ADVICE}`,
				httpCode,
				failure,
			}
		: {
				message: `${host} returned ${returned} instead of clients`,
				description: `Check "${addressField}" in the credential. If it is right, the response may be from a proxy or a maintenance page: try again later.`,
				httpCode,
				failure,
			};
}

function explainNetwork(
	{ kind, reason, code }: NetworkError,
	{ host, addressField, timeoutMs, tries, secrets }: Circumstances,
	failure: Failure,
): Explanation {
	const tried = tries > 1 ? ` (tried ${tries} times)` : '';
	if (kind === 'timeout') {
		return {
			message: `Timeout: no complete response from ${host} within ${timeoutMs / 1000} seconds${tried}`,
			description: 'Raise the option "Timeout (Seconds)", lower "Page Size", or try again later.',
			failure,
		};
	}
	// A code in the message would make n8n replace the message by a general one.
	const advice = kind === 'address' ? `Check "${addressField}" in the credential.` : RETRY_ADVICE;
	return {
		message: `Could not reach ${host}: ${redact(reason, secrets)}${tried}`,
		description: code ? `${advice} Code: ${code}.` : advice,
		failure,
	};
}

/** Why a page is not returned although new tokens are: the service refuses each of them. */
export function explainRefusedTokens(reply: Reply, tokens: number, { host, address }: Circumstances): Explanation {
	const status = reply instanceof NetworkError ? '' : String(statusOf(reply));
	return {
		message: `${host} refused ${tokens} new access tokens in a row (status ${status})`,
		description:
			'Check in the dashboard, under Settings > API credentials, that the API key has permission to list clients. If another program uses the same API key, create a separate key for n8n.',
		httpCode: status,
		failure: { cause: address === 'hasGivenClients' ? 'temporarily-unavailable' : 'configuration-invalid' },
	};
}

/** The same for the token endpoint. Only its 401 means that the API key is invalid. */
export function explainTokenFailure(
	reply: Reply,
	credentials: ICredentialDataDecryptedObject,
	{ address, retryAfterMs, secrets }: Circumstances,
): Explanation {
	const action = classifyToken(reply, address);
	const httpCode = reply instanceof NetworkError ? undefined : String(statusOf(reply));
	const code = reply instanceof NetworkError ? reply.code : '';
	const causes = {
		rateLimited: 'rate-limited',
		retry: 'temporarily-unavailable',
		fail: httpCode === '401' ? 'credential-invalid' : 'configuration-invalid',
	} as const;
	return {
		message: redact(describeTokenFailure(reply, credentials), secrets),
		description: code ? `Code: ${code}.` : undefined,
		httpCode,
		failure: { cause: causes[action], retryAfterMs },
	};
}

/** Why the token endpoint returned no token. One text, since the HTTP Request node and the credential test show no more. */
export function describeTokenFailure(reply: Reply, credentials: ICredentialDataDecryptedObject): string {
	const host = hostOf(credentials);
	const field = baseUrlLabel(credentials);
	if (reply instanceof NetworkError) {
		return `Could not get an access token from ${host}: ${reply.reason}. Check "${field}" in the credential, or try again later`;
	}
	const status = statusOf(reply);
	if (status === 401) {
		return `${host} does not accept the API key (401). Check that the key is complete and belongs to this environment, or create one in the dashboard under Settings > API credentials`;
	}
	if (status === 429) return `Rate limit reached on ${host} (429): no access token. Try again later`;
	if (isTemporary(reply, 'unknown')) {
		return `${host} is unavailable and returned no access token (status ${status}). Try again later`;
	}
	const envelope = envelopeOf(reply);
	// The service's message is not quoted: it may hold a token.
	return envelope
		? `${host} returned no access token (status ${status}). Check the API key and "${field}" in the credential`
		: `${host} returned ${describeResponse(reply)} instead of an access token. Check "${field}" in the credential. If it is right, try again later`;
}

/** The service's own message in a few lines. It is cut last: a part of a secret could not be recognized. */
function quoteMessage(message: unknown, secrets: Iterable<string>): string {
	const text = redact(typeof message === 'string' ? message : '', secrets)
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	if (text.length <= MAX_QUOTE_LENGTH) return text;
	const halfCharacter = /[\ud800-\udbff]$/;
	return `${text.slice(0, MAX_QUOTE_LENGTH).replace(halfCharacter, '').trimEnd()}…`;
}
