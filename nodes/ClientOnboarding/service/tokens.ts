import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { fingerprint, type CredentialError } from './address';
import { exchangeKey } from './exchange';

/** For how long a new token is handed to callers that still hold an older copy of the credential. */
const SHARED_FOR_MS = 10_000;

interface Exchange {
	token: Promise<string>;
	/** Unset while the exchange is under way. */
	done?: DoneExchange;
}

interface DoneExchange {
	token: string;
	at: number;
}

const exchanges = new Map<string, Exchange>();

/** What came of the last exchange that n8n asked for with these credentials. */
export interface ExchangeNote {
	/** Why it gave no token. Gone as soon as a request has its token: what stops it then is something else. */
	trouble?: CredentialError;
	/** A token that was just fetched for an earlier caller will not do. */
	wantsProof?: boolean;
	/** Nor will one that others wait for as well, who may use it up. */
	wantsOwn?: boolean;
	/** The token that came of it, where the service gave it after these credentials asked. */
	proof?: string;
}

/**
 * n8n stands between a request and the exchange it needs, and passes on nothing but the token and, in 1.x, the text of an
 * error. But it hands the very object with the credentials that the request brought along to `preAuthentication` and to
 * `authenticate`. So what one of them has to tell the others is noted by that object, here and nowhere else. A request
 * that wants to know what came of its own exchange brings an object of its own.
 */
const notes = new WeakMap<ICredentialDataDecryptedObject, ExchangeNote>();

export function exchangeNote(credentials: ICredentialDataDecryptedObject): ExchangeNote {
	return notes.get(credentials) ?? {};
}

/** Whether the service has accepted the API key since these credentials first asked; if not, the next exchange tells. */
export function demandProof(credentials: ICredentialDataDecryptedObject): boolean {
	const { proof } = exchangeNote(credentials);
	if (proof !== undefined && proof === credentials.accessToken) return true;
	notes.set(credentials, { wantsProof: true });
	return false;
}

/** The next exchange of these credentials is for them alone. */
export function demandOwnToken(credentials: ICredentialDataDecryptedObject): void {
	notes.set(credentials, { wantsOwn: true });
}

/** From here on no exchange is to blame for what happens to the request of these credentials. */
export function forgetTrouble(credentials: ICredentialDataDecryptedObject): void {
	notes.set(credentials, { ...exchangeNote(credentials), trouble: undefined });
}

/** A token for these credentials: the one that was just fetched, where the caller does not know it yet, or a new one. */
export async function obtainToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	forgetTrouble(credentials);
	// It stays so for these credentials, should n8n ask once more: whoever is alone with the key must not wait for itself.
	const { wantsOwn } = exchangeNote(credentials);
	const { token, isProof } = await shareExchange(helper, credentials).catch((trouble: CredentialError) => {
		notes.set(credentials, { wantsOwn, trouble });
		throw trouble;
	});
	notes.set(credentials, { wantsOwn, proof: isProof ? token : undefined });
	return token;
}

/** A token that the service has refused is handed to nobody any more. */
export function forgetToken(credentials: ICredentialDataDecryptedObject, token: string): void {
	const owner = fingerprint(credentials);
	if (exchanges.get(owner)?.done?.token === token) exchanges.delete(owner);
}

/** For each of them, the end of the line of requests that need a token of their own. */
const lines = new Map<string, Promise<unknown>>();

/** Nobody in this process fetches a token for this key until the work is done: each token could end the one before. */
export async function aloneWithKey<T>(credentials: ICredentialDataDecryptedObject, work: () => Promise<T>): Promise<T> {
	const owner = fingerprint(credentials);
	const done = (lines.get(owner) ?? Promise.resolve()).then(work);
	const end = done
		.catch(() => {})
		.then(() => {
			if (lines.get(owner) === end) lines.delete(owner);
		});
	lines.set(owner, end);
	return await done;
}

/** An exchange is shared by the same environment, address and key only: what comes of one under way proves the key. */
async function shareExchange(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<{ token: string; isProof: boolean }> {
	const owner = fingerprint(credentials);
	const { wantsOwn } = exchangeNote(credentials);
	if (!wantsOwn) await lines.get(owner);
	const known = wantsOwn ? undefined : exchanges.get(owner);
	if (known && !known.done) return { token: await known.token, isProof: true };
	if (known?.done && isShareable(known.done, credentials)) return { token: known.done.token, isProof: false };

	const exchange: Exchange = { token: exchangeKey(helper, credentials) };
	if (!wantsOwn) exchanges.set(owner, exchange);
	try {
		const token = await exchange.token;
		exchange.done = { token, at: Date.now() };
		// It may have ended all others.
		exchanges.set(owner, exchange);
		return { token, isProof: true };
	} finally {
		forgetOld(owner, exchange);
	}
}

function isShareable({ token, at }: DoneExchange, credentials: ICredentialDataDecryptedObject): boolean {
	const isNews = token !== credentials.accessToken && Date.now() - at < SHARED_FOR_MS;
	return isNews && !exchangeNote(credentials).wantsProof;
}

/** Drops what is no longer shared, and this exchange if it gave no token. */
function forgetOld(owner: string, exchange: Exchange): void {
	if (!exchange.done && exchanges.get(owner) === exchange) exchanges.delete(owner);
	for (const [key, { done }] of exchanges) {
		if (done && Date.now() - done.at >= SHARED_FOR_MS) exchanges.delete(key);
	}
}
