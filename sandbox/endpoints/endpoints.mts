import type { Behavior } from './behavior.mts';
import { redirect, refuse, refuseInEnvelope, Refusal, showLogin, succeed, withhold, type Answer } from './envelope.mts';
import type { Environment, EnvironmentName } from './environment.mts';
import { listClients } from './listing.mts';
import { readListQuery, type Query } from './query.mts';
import { limitRate } from './rateLimit.mts';

export type Endpoint = 'token' | 'list' | 'other';

export interface ServiceRequest {
	environment: EnvironmentName;
	method: string;
	path: string;
	query: Query;
	/** Names in lower case. */
	headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RequestInfo extends ServiceRequest {
	endpoint: Endpoint;
	bearer?: string;
	apiKey?: string;
	/** How many requests of this endpoint and environment so far, this one included. */
	count: number;
}

export interface Limits {
	maxPageLimit: number;
	requestsPerSecond: number;
	/** 0: requestsPerSecond applies instead. */
	requestsPerMinute: number;
}

export interface Circumstances {
	environment: Environment;
	behavior: Behavior;
	limits: Limits;
	nowMs: number;
	/** Numbers the requests, for the order that changes on every one. */
	draw: number;
}

const ENDPOINTS = new Map<string, Endpoint>([
	['/api/v1/generate-access-token', 'token'],
	['/api/v1/clients-list', 'list'],
]);

export function findEndpoint(path: string): Endpoint {
	return ENDPOINTS.get(path.replace(/\/$/, '')) ?? 'other';
}

function forbidMethod(method: string, allowed: readonly string[]): Refusal {
	return new Refusal(405, `Method ${method} is not allowed.`, { allow: allowed.join(', ') });
}

/** The status in `405`, `envelope-405` and the like. */
function readStatus(value: string): number {
	return Number(value.replace('envelope-', ''));
}

function refuseAs(value: string, refusal: Refusal): Answer {
	return value.startsWith('envelope') ? refuseInEnvelope(refusal) : refuse(refusal);
}

function refuseMethod(
	{ method, path }: RequestInfo,
	allowed: readonly string[],
	value: Behavior['wrongMethod'],
): Answer {
	if (value === 'redirect') return redirect();
	if (value === 'html') return showLogin();
	const status = readStatus(value);
	if (status === 405) return refuseAs(value, forbidMethod(method, allowed));
	const message = status === 404 ? `There is nothing at ${path}.` : `Method ${method} is not supported.`;
	return refuseAs(value, new Refusal(status, message));
}

function writeLifetime(seconds: number, value: Behavior['expiresIn']): object {
	if (value === 'absent') return {};
	return { expires_in: Math.ceil(value === 'seconds' ? seconds : seconds * 1000) };
}

function generateToken(request: RequestInfo, { environment, behavior }: Circumstances): Answer {
	const { tokenMethod, wrongMethod, expiresIn } = behavior;
	if (request.method !== tokenMethod) return refuseMethod(request, [tokenMethod], wrongMethod);
	if (request.apiKey !== environment.apiKey) throw new Refusal(401, 'The API key is invalid.');
	const access_token = environment.tokens.issue();
	const lifetime = writeLifetime(environment.tokens.lifetimeSeconds, expiresIn);
	return succeed('Access token generated successfully.', { access_token, ...lifetime });
}

function refuseToken(message: string, value: Behavior['tokenRefusal']): Answer {
	if (value === 'redirect') return redirect();
	return refuseAs(value, new Refusal(readStatus(value), message));
}

function list(request: RequestInfo, circumstances: Circumstances): Answer {
	const { environment, behavior, limits, draw } = circumstances;
	if (request.method !== 'GET') throw forbidMethod(request.method, ['GET']);
	if (request.bearer === undefined) {
		return refuseToken('The access token is missing.', behavior.tokenRefusal);
	}
	if (!environment.tokens.use(request.bearer)) {
		return refuseToken('The access token is invalid or has expired.', behavior.tokenRefusal);
	}
	const query = readListQuery(request.query, behavior, limits.maxPageLimit);
	if (query.isTooLarge && behavior.overLimit === 'hang') return withhold();
	return listClients(environment.clients, behavior, query, draw);
}

/** The response before any fault. */
export function serve(request: RequestInfo, circumstances: Circumstances): Answer {
	const { environment, behavior, limits, nowMs } = circumstances;
	if (behavior.rateLimit !== 'none') {
		const { waitMs } = environment.rateLimit.take(limits);
		if (waitMs > 0) return limitRate(waitMs, behavior.rateLimit, nowMs);
	}
	try {
		if (request.endpoint === 'token') return generateToken(request, circumstances);
		if (request.endpoint === 'list') return list(request, circumstances);
		throw new Refusal(404, `There is nothing at ${request.path}.`);
	} catch (error) {
		if (error instanceof Refusal) return refuse(error);
		throw error;
	}
}
