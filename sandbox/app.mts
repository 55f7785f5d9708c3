import type { Client, Edits } from './data/clients.mts';
import { DEFAULT_BEHAVIOR, parseBehavior, type Behavior } from './endpoints/behavior.mts';
import { findEndpoint, serve, type Limits, type RequestInfo, type ServiceRequest } from './endpoints/endpoints.mts';
import { createEnvironment, ENVIRONMENT_NAMES, type EnvironmentName } from './endpoints/environment.mts';
import { serveAll } from './endpoints/records.mts';
import { spoil, type ServiceAnswer } from './faults/damage.mts';
import { FaultSchedule, type Fault } from './faults/faults.mts';

export const DEFAULTS = {
	clients: 250 as number | readonly Client[],
	seed: 1 as number | string,
	apiKey: 'sandbox-api-key',
	productionApiKey: 'production-api-key',
	tokenLifetimeSeconds: 900,
	/** How many list requests a token is valid for; 0: any number. */
	tokenRequests: 0,
	maxPageLimit: 100,
	requestsPerSecond: 20,
	/** Replaces requestsPerSecond; 0: off. */
	requestsPerMinute: 0,
	/** A new token revokes all earlier ones. */
	singleToken: false,
};

export interface AppOptions extends Partial<typeof DEFAULTS> {
	/** Default: as many as in the sandbox environment, but other clients. */
	productionClients?: number | readonly Client[];
	/** Spreads generated clients over the year up to this instant. Without it, they are the same on every day. */
	createdUntilMs?: number;
	/** Changes to the clients of an earlier sandbox with the same options. */
	edits?: Partial<Record<EnvironmentName, Edits>>;
	behavior?: Partial<Behavior>;
	faults?: ReadonlyArray<Fault | string>;
	/** The clock, in milliseconds since 1970. */
	now?: () => number;
	/** Awaited before each response. May change clients or revoke tokens. */
	onRequest?: (info: RequestInfo) => void | Promise<void>;
	/** Called with the response before it is sent. */
	onAnswer?: (info: RequestInfo, answer: ServiceAnswer) => void;
}

export type App = ReturnType<typeof createApp>;

function readHeader(headers: ServiceRequest['headers'], name: string): string | undefined {
	const value = headers[name];
	return Array.isArray(value) ? value.join(', ') : value;
}

/** An undefined option means its default, as for function parameters. */
function dropUndefined(options: AppOptions): {
	[Name in keyof AppOptions]: NonNullable<AppOptions[Name]>;
} {
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

export function createApp(options: AppOptions = {}) {
	const settings = { ...DEFAULTS, now: Date.now, ...dropUndefined(options) };
	const { clients, createdUntilMs, edits, now, maxPageLimit } = settings;
	const { requestsPerSecond, requestsPerMinute } = settings;
	const { tokenLifetimeSeconds: lifetimeSeconds, tokenRequests: requests, singleToken: single } = settings;
	const limits: Limits = { maxPageLimit, requestsPerSecond, requestsPerMinute };
	const behavior: Behavior = { ...DEFAULT_BEHAVIOR };
	const faults = new FaultSchedule();
	let draw = 0;

	const productionClients = typeof clients === 'number' ? clients : DEFAULTS.clients;
	const environments = {
		sandbox: createEnvironment(settings.apiKey, {
			clients,
			seed: `${settings.seed} sandbox`,
			createdUntilMs,
			edits: edits?.sandbox,
			lifetimeSeconds,
			requests,
			single,
			now,
		}),
		production: createEnvironment(settings.productionApiKey, {
			clients: settings.productionClients ?? productionClients,
			seed: `${settings.seed} production`,
			createdUntilMs,
			edits: edits?.production,
			lifetimeSeconds,
			requests,
			single,
			now,
		}),
	};

	function receive(request: ServiceRequest): RequestInfo {
		const endpoint = findEndpoint(request.path);
		const { counts } = environments[request.environment];
		counts[endpoint] += 1;
		return {
			...request,
			endpoint,
			bearer: /^Bearer (\S+)$/.exec(readHeader(request.headers, 'authorization') ?? '')?.[1],
			apiKey: readHeader(request.headers, 'api-key'),
			count: counts[endpoint],
		};
	}

	async function answer(request: ServiceRequest): Promise<ServiceAnswer> {
		const info = receive(request);
		await settings.onRequest?.(info);
		const environment = environments[request.environment];
		const nowMs = now();
		const compute = () => serve(info, { environment, behavior, limits, nowMs, draw: draw++ });
		const page = Number(info.query.page_no ?? info.query.page ?? 1);
		const answered = spoil(faults.next(info.endpoint, page), compute, nowMs);
		settings.onAnswer?.(info, answered);
		return answered;
	}

	function setBehavior(values: Partial<Behavior>) {
		Object.assign(behavior, parseBehavior(values));
	}

	setBehavior(settings.behavior ?? {});
	for (const fault of settings.faults ?? []) faults.add(fault);

	return {
		answer,
		/** May be changed at any time. */
		limits,
		behavior: (): Behavior => ({ ...behavior }),
		setBehavior,
		schedule: (fault: Fault | string) => faults.add(fault),
		faults: () => faults.list(),
		removeFault: (id: number) => faults.remove(id),
		clearFaults: () => faults.clear(),
		environment(name: EnvironmentName) {
			const { apiKey, clients: store, tokens } = environments[name];
			/** Every client as the list endpoint serves it now. */
			const served = () => serveAll(store, behavior);
			return { apiKey, clients: store, tokens, served };
		},
		/** From now on, only this key gets new tokens. */
		rotateKey(name: EnvironmentName, apiKey: string) {
			environments[name].apiKey = apiKey;
		},
		counts: () => ({
			sandbox: { ...environments.sandbox.counts },
			production: { ...environments.production.counts },
		}),
		resetCounts() {
			for (const name of ENVIRONMENT_NAMES) {
				Object.assign(environments[name].counts, { token: 0, list: 0, other: 0 });
			}
		},
	};
}
