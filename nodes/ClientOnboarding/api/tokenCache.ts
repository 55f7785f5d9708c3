import type { ICredentialDataDecryptedObject, IHttpRequestHelper } from 'n8n-workflow';
import { fingerprint } from './baseUrl';
import { requestToken, TokenError } from './requestToken';

const DEFAULT_TIMEOUT_MS = 30_000;
/** For how long a new token is given to callers whose copy of the credential is older. */
const SHARED_FOR_MS = 10_000;

interface SharedToken {
	request: Promise<string>;
	/** Unset while the request is running. */
	done?: { token: string; atMs: number };
}

/** One token request at a time for an environment, address and key. */
const shared = new Map<string, SharedToken>();

interface TokenUse {
	timeoutMs?: number;
	/** A token that was requested for an earlier caller is not good enough. */
	mustBeNew?: boolean;
	/** The outcome of the last token request that n8n made for these credentials. */
	token?: string;
	/** It was requested by an earlier caller. */
	isShared?: boolean;
	error?: TokenError;
}

/**
 * n8n passes on only the token and, in 1.x, the text of an error. But `preAuthentication` and `authenticate` get the same
 * credentials object that the request was made with. So a request that needs more uses its own copy of the credentials, and this
 * map has the details by that object.
 */
const uses = new WeakMap<ICredentialDataDecryptedObject, TokenUse>();

export function tokenUse(credentials: ICredentialDataDecryptedObject): TokenUse {
	return uses.get(credentials) ?? {};
}

/** To be called before n8n requests a token with these credentials. */
export function prepareTokenUse(
	credentials: ICredentialDataDecryptedObject,
	use: Pick<TokenUse, 'timeoutMs' | 'mustBeNew'>,
): void {
	uses.set(credentials, use);
}

/** A token for these credentials: one that was just requested by another caller, or a new one. */
export async function getToken(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<string> {
	const use = tokenUse(credentials);
	const result = await shareRequest(helper, credentials, use).catch((error: Error) => {
		if (error instanceof TokenError) uses.set(credentials, { ...use, error });
		throw error;
	});
	uses.set(credentials, { ...use, ...result, error: undefined });
	return result.token;
}

/** A refused token is not shared any more. */
export function forgetToken(credentials: ICredentialDataDecryptedObject, token: string): void {
	const owner = fingerprint(credentials);
	if (shared.get(owner)?.done?.token === token) shared.delete(owner);
}

function isUsable(
	{ token, atMs }: NonNullable<SharedToken['done']>,
	credentials: ICredentialDataDecryptedObject,
): boolean {
	return token !== credentials.accessToken && Date.now() - atMs < SHARED_FOR_MS;
}

async function shareRequest(
	helper: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
	{ timeoutMs = DEFAULT_TIMEOUT_MS, mustBeNew }: TokenUse,
): Promise<{ token: string; isShared: boolean }> {
	const owner = fingerprint(credentials);
	const known = shared.get(owner);
	if (known && !known.done) return { token: await known.request, isShared: false };
	if (known?.done && !mustBeNew && isUsable(known.done, credentials))
		return { token: known.done.token, isShared: true };
	const entry: SharedToken = { request: requestToken(helper, credentials, timeoutMs) };
	shared.set(owner, entry);
	try {
		const token = await entry.request;
		entry.done = { token, atMs: Date.now() };
		return { token, isShared: false };
	} finally {
		if (!entry.done) shared.delete(owner);
	}
}
