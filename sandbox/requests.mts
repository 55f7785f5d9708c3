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

/** Unknown parameters and paths are left out: what somebody put there by mistake may be a secret. */
function showPath({ path, query }: ServiceRequest): string {
	const shown = Object.entries(query).filter(([name]) => SHOWN_PARAMETERS.includes(name));
	const search = new URLSearchParams(shown).toString();
	const where = findEndpoint(path) === 'other' ? '(unknown path)' : path;
	return `${where}${search && `?${search}`}`;
}

export function describeRequest(request: ServiceRequest, answer: ServiceAnswer, startedMs: number): ServedRequest {
	const { environment, method } = request;
	const { status, spoiledBy: faults = [] } = answer;
	const isAnswered = !faults.some((kind) => UNANSWERED.includes(kind));
	return {
		at: new Date(startedMs).toISOString(),
		environment,
		method,
		path: showPath(request),
		status: isAnswered ? status : undefined,
		ms: Date.now() - startedMs,
		faults,
	};
}
