import { findEndpoint, type ServiceRequest } from './endpoints/endpoints.mts';
import type { EnvironmentName } from './endpoints/environment.mts';
import { FILTER_NAMES } from './endpoints/query.mts';
import type { ServiceAnswer } from './faults/damage.mts';

/** What a log says of a request. */
export interface ServedRequest {
	at: string;
	environment: EnvironmentName;
	method: string;
	path: string;
	/** Absent where the answer was never to arrive. */
	status?: number;
	/** From its arrival until the last byte of the answer left, or until somebody hung up. */
	ms: number;
	faults: string[];
}

const SHOWN_PARAMETERS: readonly string[] = ['page_no', 'page', 'page_limit', ...FILTER_NAMES];
const UNANSWERED = ['hang', 'reset-before'];

/** As long as an access token, and of its letters. */
const TOKEN_LIKE = /[\w-]{40,}/g;

/** Without what is a key, or may be a token. */
export function conceal(text: string, keys: string[]): string {
	return keys.reduce((shown, key) => shown.replaceAll(key, '…'), text.replace(TOKEN_LIKE, '…'));
}

/** What somebody put somewhere by mistake may be a secret; unknown parameters and paths are left out altogether. */
function showPath({ path, query }: ServiceRequest, keys: string[]): string {
	const shown = Object.entries(query)
		.filter(([name]) => SHOWN_PARAMETERS.includes(name))
		.map(([name, value]): [string, string] => [name, conceal(value, keys)]);
	const search = new URLSearchParams(shown).toString();
	const where = findEndpoint(path) === 'other' ? '(unknown path)' : path;
	return `${where}${search && `?${search}`}`;
}

/** Never with one of the keys in it. */
export function describeRequest(
	request: ServiceRequest,
	answer: ServiceAnswer,
	startedMs: number,
	keys: string[],
): ServedRequest {
	const { environment, method } = request;
	const { status, spoiledBy: faults = [] } = answer;
	const isAnswered = !faults.some((kind) => UNANSWERED.includes(kind));
	return {
		at: new Date(startedMs).toISOString(),
		environment,
		method,
		path: showPath(request, keys),
		status: isAnswered ? status : undefined,
		ms: Date.now() - startedMs,
		faults,
	};
}
