import type { Endpoint } from '../endpoints/endpoints.mts';

/** What a person calls it, and parameters with their defaults. */
export const FAULT_KINDS = {
	latency: { label: 'Slow answer', parameters: { ms: 1000 }, help: 'answers late; adds up with any other fault' },
	status: {
		label: 'Error instead of an answer',
		parameters: { code: 503 },
		help: 'this HTTP status, with an envelope',
	},
	'rate-limit-seconds': {
		label: 'Too many requests, wait in seconds',
		parameters: { seconds: 1 },
		help: '429, Retry-After in seconds',
	},
	'rate-limit-date': {
		label: 'Too many requests, wait until a date',
		parameters: { seconds: 1 },
		help: '429, Retry-After as a date',
	},
	'rate-limit-bare': { label: 'Too many requests, no word how long', parameters: {}, help: '429 without Retry-After' },
	'reset-before': {
		label: 'Connection lost before the answer',
		parameters: {},
		help: 'connection reset before any answer',
	},
	'reset-during': {
		label: 'Connection lost in the middle',
		parameters: {},
		help: 'connection lost after half of the body',
	},
	truncated: { label: 'Half an answer', parameters: {}, help: 'complete HTTP, but the JSON is cut in half' },
	html: { label: 'A web page instead of data', parameters: { code: 200 }, help: 'this HTTP status, with an HTML page' },
	empty: { label: 'An empty answer', parameters: { code: 200 }, help: 'this HTTP status, with no bytes at all' },
	'no-rows': { label: 'A list without clients', parameters: {}, help: '200 with a page of a list without clients' },
	'wrong-envelope': {
		label: 'Data of another kind',
		parameters: { code: 200 },
		help: 'this HTTP status, with some other JSON',
	},
	redirect: { label: 'Sent elsewhere', parameters: { location: '/login' }, help: '302 to this location' },
	hang: { label: 'No answer ever', parameters: {}, help: 'never answers' },
	dribble: { label: 'Very slow, byte by byte', parameters: { ms: 10 }, help: 'one byte every so many milliseconds' },
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

export interface Fault {
	kind: FaultKind;
	/** Default: list. */
	endpoint?: 'list' | 'token' | 'any';
	/** How many requests to let through first. Default: 0. */
	skip?: number;
	/** How many requests to hit. Default: Infinity. */
	times?: number;
	/** Of the requests after those, every nth one. Default: 1. */
	every?: number;
	/** Hits requests for this page only; 0 for any. Default: 0. */
	page?: number;
	ms?: number;
	code?: number;
	seconds?: number;
	location?: string;
}

/** Every parameter that its kind has is filled in. */
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
/** What the service says in an envelope of its own is a trouble, not an answer without data. */
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
		const limits = highest > MAX_TIMER_MS ? `${lowest} or more` : `${lowest} to ${highest}`;
		throw new Error(`The fault parameter ${name} must be a whole number, ${limits}, not "${text}".`);
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

/** `seen` counts every request to the fault's endpoint and page since it was scheduled, `hits` the ones it spoiled. */
export class FaultSchedule {
	#entries: Array<{ fault: CompleteFault; seen: number; hits: number }> = [];

	add(fault: Fault | string) {
		this.#entries.push({ fault: parseFault(fault), seen: 0, hits: 0 });
	}

	clear() {
		this.#entries = [];
	}

	list() {
		return this.#entries.map(({ fault, ...counts }) => ({ fault: formatFault(fault), ...counts }));
	}

	/** What happens to the next request: the first fault that is due, and the latency of all that are. */
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
