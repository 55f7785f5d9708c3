import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { apiKeyOf, baseUrlOf, CredentialError } from './baseUrl';
import type { Reply } from './classify';
import { isTemporary } from './classify';
import { describeTokenFailure } from './errors';
import { sendPlain } from './http';
import { NetworkError } from './networkError';
import { asRecord } from './record';
import { envelopeOf, isSuccess, statusOf } from './response';

/** The token endpoint returned no token. */
export class TokenError extends CredentialError {
	constructor(
		message: string,
		readonly reply: Reply,
	) {
		super(message);
	}
}

/** Requests a token with the API key: by GET, then by POST, since the specification does not name the method. */
export async function requestToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
	timeoutMs: number,
): Promise<string> {
	const ask = async (method: 'GET' | 'POST') => {
		const url = `${baseUrlOf(credentials)}/api/v1/generate-access-token/`;
		return await sendPlain(helper, { method, url, headers: { 'api-key': apiKeyOf(credentials) } }, timeoutMs);
	};
	const first = await ask('GET');
	// A gateway may respond with any status to a method that it does not allow.
	const second = tokenIn(first) || isFinal(first) ? undefined : await ask('POST');
	const token = tokenIn(first) ?? (second && tokenIn(second));
	if (token) return token;
	const reportsSecond = second && (isFinal(second) || isTemporary(second, 'unknown'));
	const reply = reportsSecond ? second : first;
	throw new TokenError(describeTokenFailure(reply, credentials), reply);
}

/** The other method would not give another response. */
function isFinal(reply: Reply): boolean {
	if (reply instanceof NetworkError) return true;
	const status = statusOf(reply);
	return status === 401 || status === 429 || (status >= 500 && status !== 501);
}

function tokenIn(reply: Reply): string | undefined {
	if (reply instanceof NetworkError || !isSuccess(statusOf(reply))) return undefined;
	const token = asRecord(envelopeOf(reply)?.data)?.access_token;
	return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token.trim()) ? token.trim() : undefined;
}
