import { NetworkError } from './networkError';
import type { HttpResponse } from './response';
import { envelopeOf, isCutOff, isWithoutList, pageOf, statusOf } from './response';

/** What to do after a response. */
export type Action =
	| 'page'
	| 'retry'
	| 'rateLimited'
	| 'refreshToken'
	| 'otherParameter'
	| 'reducePageSize'
	| 'endOfList'
	| 'fail';

/** All that may be known about a request when its response is classified. */
export interface Context {
	page: 'first' | 'later';
	/** Fresh: this was the first request with it. A token may live for a few requests only. */
	token: 'old' | 'fresh';
	/** Whether the rows of this pass are as many as the total. */
	rows: 'short' | 'asMany';
	address: Address;
}

export type Address = 'unknown' | 'hasGivenClients';

/** A response, or the reason why there is none. */
export type Reply = HttpResponse | NetworkError;

const TOKEN_REFUSED = [401, 403, 419, 440, 498];
const NOT_TEMPORARY = [501, 505];

/** The list endpoint's response. The first match wins. */
export function classify(reply: Reply, { page, token, rows, address }: Context): Action {
	if (reply instanceof NetworkError) return isTemporary(reply, address) ? 'retry' : 'fail';
	const status = statusOf(reply);
	if (pageOf(reply)) return 'page';
	if (status === 429) return 'rateLimited';
	if (TOKEN_REFUSED.includes(status)) return 'refreshToken';
	if (isTemporary(reply, address)) return 'retry';

	const isNoPage = isWithoutList(reply) || (status >= 400 && status < 500);
	if (page === 'later' && isNoPage && rows === 'asMany') return 'endOfList';
	// An expired token may be reported as anything.
	if (token === 'old') return 'refreshToken';
	if (page === 'first' && (status === 400 || status === 422)) return 'otherParameter';
	if (page === 'first' && status === 413) return 'reducePageSize';
	if (page === 'first' && (isWithoutList(reply) || (status === 404 && envelopeOf(reply)))) return 'endOfList';
	if (page === 'later' && isNoPage) return 'endOfList';
	return address === 'hasGivenClients' ? 'retry' : 'fail';
}

/** The token endpoint's response, if it holds no token. Its 401 is final: the API key is invalid. */
export function classifyToken(reply: Reply, address: Address): 'retry' | 'rateLimited' | 'fail' {
	if (!(reply instanceof NetworkError) && statusOf(reply) === 401) return 'fail';
	if (!(reply instanceof NetworkError) && statusOf(reply) === 429) return 'rateLimited';
	return isTemporary(reply, address) || address === 'hasGivenClients' ? 'retry' : 'fail';
}

export function isTemporary(reply: Reply, address: Address): boolean {
	if (reply instanceof NetworkError) return reply.kind !== 'address' || address === 'hasGivenClients';
	const status = statusOf(reply);
	if (status === 408 || status === 425) return true;
	return (status >= 500 && !NOT_TEMPORARY.includes(status)) || isCutOff(reply);
}
