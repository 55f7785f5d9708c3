import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { addressLabel, apiKeyOf, CredentialError, fingerprint, serviceAddress } from './address';
import type { Answer } from './answer';
import {
	asRecord,
	describeAnswer,
	envelopeOf,
	isBusy,
	isCutOff,
	isRedirect,
	isRefusal,
	isSuccess,
	statusOf,
} from './answer';
import { describeTransport } from './transport';

const TIMEOUT_MS = 15_000;
/** For how long a new token is handed to callers that still hold an older reading of the credential. */
const SHARED_FOR_MS = 10_000;

interface Exchange {
	token: Promise<string>;
	/** Unset while the exchange is under way. */
	done?: { token: string; at: number };
}

const exchanges = new Map<string, Exchange>();

const troubles = new WeakMap<ICredentialDataDecryptedObject, CredentialError>();

/** Why the last exchange for this credential gave no token. n8n 1.x keeps only the text of an error it passes on. */
export function exchangeTrouble(credentials: ICredentialDataDecryptedObject): CredentialError | undefined {
	return troubles.get(credentials);
}

/** A token for this credential: the one that was just fetched, where the caller does not know it yet, or a new one. */
export async function obtainToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<{ token: string; isNew: boolean }> {
	troubles.delete(credentials);
	return await shareExchange(helper, credentials).catch((error: CredentialError) => {
		troubles.set(credentials, error);
		throw error;
	});
}

async function shareExchange(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<{ token: string; isNew: boolean }> {
	const owner = fingerprint(credentials);
	const known = exchanges.get(owner);
	if (known && isShareable(known, credentials.accessToken)) {
		return { token: await known.token, isNew: false };
	}

	const exchange: Exchange = { token: exchangeKey(helper, credentials) };
	exchanges.set(owner, exchange);
	try {
		const token = await exchange.token;
		exchange.done = { token, at: Date.now() };
		return { token, isNew: true };
	} finally {
		forgetOld(owner, exchange);
	}
}

function isShareable({ done }: Exchange, presented: unknown): boolean {
	return !done || (done.token !== presented && Date.now() - done.at < SHARED_FOR_MS);
}

/** Drops what is no longer shared, and this exchange if it gave no token. */
function forgetOld(owner: string, exchange: Exchange): void {
	if (!exchange.done) exchanges.delete(owner);
	for (const [key, { done }] of exchanges) {
		if (done && Date.now() - done.at >= SHARED_FOR_MS) exchanges.delete(key);
	}
}

async function exchangeKey(helper: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<string> {
	const answer = await send(helper, credentials, 'GET');
	// The specification does not show the method; a service that wants POST says so.
	const wantsPost = answer.statusCode === 405 || (answer.statusCode === 404 && !envelopeOf(answer));
	return readToken(wantsPost ? await send(helper, credentials, 'POST') : answer, credentials);
}

async function send(
	{ helpers }: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
	method: 'GET' | 'POST',
): Promise<Answer> {
	const address = serviceAddress(credentials);
	const answer = helpers.httpRequest({
		method,
		url: `${address}/api/v1/generate-access-token/`,
		headers: { 'api-key': apiKeyOf(credentials) },
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: TIMEOUT_MS,
		// n8n's timeout starts anew with every byte; this one holds for the whole answer.
		abortSignal: AbortSignal.timeout(TIMEOUT_MS),
	}) as Promise<Answer>;
	return await answer.catch((error: unknown) => {
		const { text, isLasting } = describeTransport(error, new URL(address).host, TIMEOUT_MS);
		throw new CredentialError(text, isLasting ? undefined : {});
	});
}

function readToken(answer: Answer, credentials: ICredentialDataDecryptedObject): string {
	const { host } = new URL(serviceAddress(credentials));
	const status = statusOf(answer);
	if (isRefusal(status)) {
		throw new CredentialError(
			`The API key was not accepted by ${host}. Create one in the dashboard under Settings, API credentials; production and sandbox have separate keys`,
		);
	}
	if (isBusy(status) || isCutOff(answer)) {
		const retryAfter = answer.headers['retry-after'];
		throw new CredentialError(
			`${host} is busy or down and gave no access token (status ${status}). Try again in a moment`,
			{ retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined },
		);
	}

	const envelope = envelopeOf(answer);
	const token = isSuccess(status) ? asRecord(envelope?.data)?.access_token : undefined;
	if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
	const field = addressLabel(credentials);
	if (isRedirect(status)) {
		throw new CredentialError(`${host} points to another address instead of giving an access token. Check "${field}"`);
	}
	if (envelope && isSuccess(answer.statusCode)) {
		throw new CredentialError(`${host} gave no access token for the API key (status ${status}). Check "${field}"`);
	}
	throw new CredentialError(
		`There is no client onboarding service at ${host}: ${describeAnswer(answer)}. Check "${field}"`,
	);
}
