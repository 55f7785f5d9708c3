import { findEndpoint, type ServiceRequest } from './endpoints/endpoints.mts';
import type { EnvironmentName } from './endpoints/environment.mts';
import { FILTER_NAMES } from './endpoints/query.mts';
import type { ServiceAnswer } from './faults/damage.mts';

/** A request in the log. */
export interface ServedRequest {
	at: string;
	environment: EnvironmentName;
	method: string;
	path: string;
	/** Absent if a fault prevented a response. */
	status?: number;
	/** Until the last byte of the response was sent, or the connection was closed. */
	ms: number;
	faults: string[];
}

const SHOWN_PARAMETERS: readonly string[] = ['page_no', 'page', 'page_limit', ...FILTER_NAMES];
const UNANSWERED = ['hang', 'reset-before'];

/** At least as long as an access token, with the same characters. */
const TOKEN_LIKE = /[\w-]{40,}/g;

/** Removes API keys, and texts that may be a token. */
export function redact(text: string, keys: string[]): string {
	return keys.reduce((shown, key) => shown.replaceAll(key, '…'), text.replace(TOKEN_LIKE, '…'));
}

/** Unknown parameters and paths are left out: they may contain a secret by mistake. */
function showPath({ path, query }: ServiceRequest, keys: string[]): string {
	const shown = Object.entries(query)
		.filter(([name]) => SHOWN_PARAMETERS.includes(name))
		.map(([name, value]): [string, string] => [name, redact(value, keys)]);
	const search = new URLSearchParams(shown).toString();
	const where = findEndpoint(path) === 'other' ? '(unknown path)' : path;
	return `${where}${search && `?${search}`}`;
}

/** Without API keys. */
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
