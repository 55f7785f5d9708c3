import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { fingerprint, type CredentialError } from './address';
import { exchangeKey } from './exchange';

/** For how long a new token is handed to callers that still hold an older copy of the credential. */
const SHARED_FOR_MS = 10_000;

interface Exchange {
	token: Promise<string>;
	/** Unset while the exchange is under way. */
	done?: { token: string; at: number };
}

const exchanges = new Map<string, Exchange>();

/** What came of the exchanges that n8n asked for with these credentials. */
export interface ExchangeNote {
	/** The key was exchanged for these credentials, not for an earlier caller whose token they share. */
	hasExchanged: boolean;
	/** Why the last one gave no token. */
	trouble?: CredentialError;
}

/**
 * n8n stands between a request and the exchange it needs, and passes on nothing but the token and, in 1.x, the text of an
 * error. But it hands the very object with the credentials that the request brought along to `preAuthentication` and to
 * `authenticate`. So what one of them has to tell the others is noted by that object, here and nowhere else.
 */
const notes = new WeakMap<ICredentialDataDecryptedObject, ExchangeNote>();

export function exchangeNote(credentials: ICredentialDataDecryptedObject): ExchangeNote {
	return notes.get(credentials) ?? { hasExchanged: false };
}

/** A token for these credentials: the one that was just fetched, where the caller does not know it yet, or a new one. */
export async function obtainToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	const note = { hasExchanged: exchangeNote(credentials).hasExchanged };
	notes.set(credentials, note);
	const { token, isNew } = await shareExchange(helper, credentials).catch((trouble: CredentialError) => {
		notes.set(credentials, { ...note, trouble });
		throw trouble;
	});
	if (isNew) notes.set(credentials, { hasExchanged: true });
	return token;
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
