import type { Endpoint } from '../endpoints/endpoints.mts';

/** `label` is for a list to choose from. `name` is for a list of active faults, with parameters in braces. */
export const FAULT_KINDS = {
	latency: {
		label: 'Slow response',
		name: '{ms} ms delay',
		parameters: { ms: 1000 },
		help: 'delays the response; combines with any other fault',
	},
	status: {
		label: 'HTTP error',
		name: '{code}',
		parameters: { code: 503 },
		help: 'responds with this HTTP status and the usual JSON body',
	},
	'rate-limit-seconds': {
		label: 'Rate limit (429), Retry-After in seconds',
		name: '429 with Retry-After of {seconds} s',
		parameters: { seconds: 1 },
		help: '429 with Retry-After in seconds',
	},
	'rate-limit-date': {
		label: 'Rate limit (429), Retry-After as a date',
		name: '429 with Retry-After as a date {seconds} s ahead',
		parameters: { seconds: 1 },
		help: '429 with Retry-After as a date',
	},
	'rate-limit-bare': {
		label: 'Rate limit (429) without Retry-After',
		name: '429 without Retry-After',
		parameters: {},
		help: '429 without Retry-After',
	},
	'reset-before': {
		label: 'Connection lost before the response',
		name: 'Connection lost before the response',
		parameters: {},
		help: 'connection reset before any response',
	},
	'reset-during': {
		label: 'Connection lost during the response',
		name: 'Connection lost during the response',
		parameters: {},
		help: 'connection lost after half of the body',
	},
	truncated: {
		label: 'Truncated JSON',
		name: 'Truncated JSON',
		parameters: {},
		help: 'complete HTTP response, but the JSON is cut in half',
	},
	html: {
		label: 'Web page instead of data',
		name: 'Web page with {code}',
		parameters: { code: 200 },
		help: 'this HTTP status, with an HTML page',
	},
	empty: {
		label: 'Empty response',
		name: 'Empty response with {code}',
		parameters: { code: 200 },
		help: 'this HTTP status, without a body',
	},
	'no-rows': {
		label: 'Page without clients',
		name: 'Page without clients',
		parameters: {},
		help: '200 with an empty page and totals of 0',
	},
	'wrong-envelope': {
		label: 'Unexpected JSON',
		name: 'Unexpected JSON with {code}',
		parameters: { code: 200 },
		help: 'responds with this HTTP status and JSON that is not as documented',
	},
	redirect: {
		label: 'Redirect',
		name: 'Redirect to {location}',
		parameters: { location: '/login' },
		help: '302 to this location',
	},
	hang: { label: 'No response', name: 'No response', parameters: {}, help: 'accepts the request and never responds' },
	dribble: {
		label: 'Very slow response, byte by byte',
		name: 'One byte every {ms} ms',
		parameters: { ms: 10 },
		help: 'sends one byte at a time, with this pause in milliseconds',
	},
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export interface Fault {
	kind: FaultKind;
	/** Default: list. */
	endpoint?: 'list' | 'token' | 'any';
	/** Requests before the first fault. Default: 0. */
	skip?: number;
	/** Requests to affect. Default: Infinity. */
	times?: number;
	/** Every nth of the requests after those. Default: 1. */
	every?: number;
	/** Only requests for this page; 0: all pages. Default: 0. */
	page?: number;
	ms?: number;
	code?: number;
	seconds?: number;
	location?: string;
}

/** With all parameters of its kind. */
export type CompleteFault = Required<Fault>;

const ENDPOINTS = ['list', 'token', 'any'];
const SCHEDULE = { endpoint: 'list', skip: 0, times: Number.POSITIVE_INFINITY, every: 1, page: 0 };
const MAX_TIMER_MS = 2 ** 31 - 1;
const NUMBER_RANGES: Record<string, readonly [number, number]> = {
	skip: [0, Number.MAX_SAFE_INTEGER],
	times: [1, Number.POSITIVE_INFINITY],
	every: [1, Number.MAX_SAFE_INTEGER],
	page: [0, Number.MAX_SAFE_INTEGER],
	ms: [0, MAX_TIMER_MS],
	code: [200, 599],
	seconds: [0, MAX_TIMER_MS],
};
/** A success in the usual JSON without data would not be an error. */
const ERROR_CODES = [400, 599] as const;

function readText(text: string): Record<string, unknown> {
	const [kind, parameters] = text.trim().split(/:(.*)/s);
	const pairs = (parameters ?? '').split(',').filter((pair) => pair !== '');
	const entries = pairs.map((pair) => {
		const [name, value = ''] = pair.split(/=(.*)/s);
		return [name, value];
	});
	return { kind, ...Object.fromEntries(entries) };
}

function readParameter(kind: string, name: string, value: unknown): string | number {
	const text = String(value);
	const range = kind === 'status' && name === 'code' ? ERROR_CODES : NUMBER_RANGES[name];
	if (!range) {
		if (/^[\x21-\x7e]+$/.test(text)) return text;
		throw new Error(`The fault parameter ${name} must be plain text without spaces.`);
	}
	const [lowest, highest] = range;
	const number = Number(text);
	if (!/^(\d+|Infinity)$/.test(text) || number < lowest || number > highest) {
		const limits = highest > MAX_TIMER_MS ? `of at least ${lowest}` : `from ${lowest} to ${highest}`;
		throw new Error(`The fault parameter ${name} must be a whole number ${limits}, not "${text}".`);
	}
	return number;
}

/** Takes a fault as an object or in its text form, such as `status:code=503,times=2,skip=3`. */
export function parseFault(fault: Fault | string): CompleteFault {
	const { kind, ...given }: Record<string, unknown> = typeof fault === 'string' ? readText(fault) : { ...fault };
	if (typeof kind !== 'string' || !Object.hasOwn(FAULT_KINDS, kind)) {
		throw new Error(`There is no fault "${kind}". Choose from: ${Object.keys(FAULT_KINDS).join(', ')}.`);
	}
	const defaults = { ...SCHEDULE, ...FAULT_KINDS[kind as FaultKind].parameters };
	const present = Object.entries(given).filter(([, value]) => value !== undefined);
	const parameters = present.map(([name, value]) => {
		if (!Object.hasOwn(defaults, name)) {
			throw new Error(`The fault ${kind} has no parameter "${name}". It has: ${Object.keys(defaults).join(', ')}.`);
		}
		return [name, readParameter(kind, name, value)];
	});
	const complete = { kind, ...defaults, ...Object.fromEntries(parameters) };
	if (!ENDPOINTS.includes(complete.endpoint)) {
		throw new Error(`The fault parameter endpoint must be one of: ${ENDPOINTS.join(', ')}.`);
	}
	return complete;
}

export function formatFault({ kind, ...parameters }: CompleteFault): string {
	const pairs = Object.entries(parameters).filter(([name, value]) => value !== SCHEDULE[name as keyof typeof SCHEDULE]);
	return [kind, pairs.map((pair) => pair.join('=')).join(',')].filter(Boolean).join(':');
}

const ENDPOINT_WORDS = { list: 'for the list', token: 'for access tokens', any: 'for all requests' };

function describeTimes({ times, every }: CompleteFault): string {
	const often = every === 1 ? [] : [`1 in ${every} requests`];
	if (times === 1) return [...often, 'once'].join(', ');
	if (times !== Infinity) return [...often, `${times} times`].join(', ');
	return every === 1 ? 'always' : often[0];
}

/** For people: "503 for the list, always". */
export function describeFault(fault: CompleteFault): string {
	const what = FAULT_KINDS[fault.kind].name.replace(/\{(\w+)\}/g, (_, name) => String(fault[name as keyof Fault]));
	const where = [ENDPOINT_WORDS[fault.endpoint], ...(fault.page === 0 ? [] : [`page ${fault.page}`])].join(', ');
	const after = fault.skip === 0 ? '' : `, after ${fault.skip} ${fault.skip === 1 ? 'request' : 'requests'}`;
	return `${what} ${where}, ${describeTimes(fault)}${after}`;
}

interface ScheduledFault {
	id: number;
	fault: CompleteFault;
	/** Requests to the fault's endpoint and page since it was scheduled. */
	seen: number;
	/** Requests it changed the response of. */
	hits: number;
}

export class FaultSchedule {
	#entries: ScheduledFault[] = [];
	#added = 0;

	add(fault: Fault | string) {
		this.#entries.push({ id: ++this.#added, fault: parseFault(fault), seen: 0, hits: 0 });
	}

	/** Returns whether there was one with this ID. */
	remove(id: number): boolean {
		const before = this.#entries.length;
		this.#entries = this.#entries.filter((entry) => entry.id !== id);
		return this.#entries.length < before;
	}

	clear() {
		this.#entries = [];
	}

	list() {
		return this.#entries.map(({ fault, ...entry }) => ({
			...entry,
			fault: formatFault(fault),
			description: describeFault(fault),
			is_over: entry.hits >= fault.times,
		}));
	}

	/** The first fault that is due for the next request, and the latency of all that are due. */
	next(endpoint: Endpoint, page: number): { fault?: CompleteFault; latencyMs: number } {
		const next: { fault?: CompleteFault; latencyMs: number } = { latencyMs: 0 };
		for (const entry of this.#entries) {
			const { fault } = entry;
			if (fault.endpoint !== endpoint && fault.endpoint !== 'any') continue;
			if (fault.page !== 0 && fault.page !== page) continue;
			entry.seen += 1;
			const isLatency = fault.kind === 'latency';
			const since = entry.seen - fault.skip;
			const isDue = since > 0 && since % fault.every === 0 && entry.hits < fault.times;
			if (!isDue || (next.fault && !isLatency)) continue;
			entry.hits += 1;
			if (isLatency) next.latencyMs += fault.ms;
			else next.fault = fault;
		}
		return next;
	}
}
