import fc from 'fast-check';
import {
	DEFAULT_BEHAVIOR,
	SETTINGS,
	SETTING_NAMES,
	type Behavior,
	type SettingName,
} from '../../../sandbox/endpoints/behavior.mts';

export const OPERATIONS = ['list', 'find', 'count', 'listGroups', 'searchGroups', 'credential'] as const;
export type Operation = (typeof OPERATIONS)[number];

const FILTERS = [
	'clientEmail',
	'clientStatus',
	'clientType',
	'createdAfter',
	'createdBefore',
	'createdWithinDays',
	'groupName',
	'olderThanDays',
	'requestStatus',
] as const;
export type FilterName = (typeof FILTERS)[number];

const SORTS = ['newestFirst', 'oldestFirst', 'name', 'status'] as const;
export type Sort = (typeof SORTS)[number];

/** `imported`: many clients are added at once. `overtaken`: one client moves in the list, and another one is removed. */
const MOVES = ['added', 'removed', 'swapped', 'changed', 'imported', 'overtaken'] as const;

/** Everything that a run depends on. The defaults are in PLAIN. */
export interface Case {
	operation: Operation;
	/** Of the data and the filter values. */
	seed: number;
	clients: number;
	/** Unicode, quotes, long names, missing fields, unknown statuses. */
	isOdd: boolean;
	behavior: Partial<Behavior>;
	maxPageLimit: number;
	/** 0: 20 a second if `rateLimit` is set. */
	requestsPerMinute: number;
	/** A new token revokes the one before. */
	isSingleToken: boolean;
	/** How many pages a token is good for; 0 for any number. */
	tokenRequests: number;
	tokenLifetimeMs: number;
	/** All tokens are revoked at the nth list request; 0: at none. */
	revokeAt: number;
	faults: string[];
	/** The change of the list at each of the list requests 2 to 4. */
	moves: (typeof MOVES)[number] | 'none';
	/** 0 for all clients. */
	limit: number;
	filters: FilterName[];
	options: {
		consistency?: 'fast';
		pageSize?: number;
		parallelRequests?: number;
		sort?: Sort;
		textMatch?: 'part';
		timeout?: number;
	};
	/** Of Find Client: the number of input items, each with a client to find. */
	items: number;
	/** How many other executions do the same at the same time with the same key. */
	rivals: number;
}

export const PLAIN: Omit<Case, 'operation'> = {
	seed: 1,
	clients: 11,
	isOdd: false,
	behavior: {},
	maxPageLimit: 100,
	requestsPerMinute: 0,
	isSingleToken: false,
	tokenRequests: 0,
	tokenLifetimeMs: 900_000,
	revokeAt: 0,
	faults: [],
	moves: 'none',
	limit: 0,
	filters: [],
	options: {},
	items: 1,
	rivals: 0,
};

/** The redirect leads to a server that must never get a request. */
export const TRAP = 'TRAP';

const SIZES = [0, 1, 9, 10, 11, 61, 99, 100, 101, 250, 1_000];
const HUGE = 10_000;
const MAX_PAGES = 100;

const FAULTS = [
	...['rate-limit-seconds:seconds=0', 'rate-limit-seconds:seconds=30', 'rate-limit-date:seconds=20', 'rate-limit-bare'],
	...[
		'reset-before',
		'reset-during',
		'truncated',
		'empty',
		'html:code=502',
		'wrong-envelope:code=503',
		'latency:ms=30',
	],
	...[408, 425, 500, 502, 503, 504, 520, 529].map((code) => `status:code=${code}`),
	...['status:code=401', 'status:code=403', 'html:code=403'],
	...['html', 'wrong-envelope', `redirect:location=${TRAP}`],
];
/** Of requests that get no response in time. */
export const TIMEOUT_SECONDS = 1;
const SLOW_FAULTS = ['hang', 'dribble:ms=100', 'latency:ms=1500'];
const SLOW_TOKENS = 'latency:ms=200,endpoint=token';

/** What shortens the life of tokens. */
type TokenLife = Partial<Pick<Case, 'isSingleToken' | 'tokenRequests' | 'tokenLifetimeMs'>>;
const SHORT_LIVES: TokenLife[] = [
	{ tokenRequests: 25 },
	{ tokenRequests: 4 },
	{ tokenRequests: 2 },
	{ isSingleToken: true },
	{ isSingleToken: true, tokenRequests: 4 },
	{ tokenLifetimeMs: 300 },
];

/** This value in so many of 100 cases, otherwise the plain one, to which a failing case is simplified. */
function sometimes<T, U>(percent: number, value: fc.Arbitrary<T>, plain: U): fc.Arbitrary<T | U> {
	return fc.oneof(
		{ withCrossShrink: true },
		{ weight: 100 - percent, arbitrary: fc.constant(plain) },
		{ weight: percent, arbitrary: value },
	);
}

const seed = fc.noShrink(fc.nat());

const behaviors = fc.record(
	Object.fromEntries(
		SETTING_NAMES.map((setting) => [setting, fc.constantFrom<string[]>(...SETTINGS[setting].behaviors)]),
	),
) as fc.Arbitrary<Behavior>;

const violations = fc
	.constantFrom(
		...SETTING_NAMES.flatMap((setting) => SETTINGS[setting].violations.map((value) => ({ [setting]: value }))),
	)
	// A service without page numbers cannot refuse them: it would return nothing at all.
	.map((violation) => ({ ...violation, ...('pageParameter' in violation && { otherParameters: 'ignored' }) }));

/** A list that does not change, with one or more filters. */
export const filterCases: fc.Arbitrary<Case> = fc
	.record({
		seed,
		clients: fc.constantFrom(11, 61, 250),
		isOdd: fc.boolean(),
		behavior: behaviors,
		filters: fc.subarray([...FILTERS], { minLength: 1, maxLength: 4 }),
		options: sometimes(20, fc.constant({ textMatch: 'part' as const }), {}),
	})
	.map(({ behavior, ...drawn }) => ({
		...PLAIN,
		...drawn,
		operation: 'list',
		behavior: withoutDefaults({ ...behavior, overLimit: 'granted', rateLimit: 'none' }),
	}));

/** One violation, or faults, or a list that changes, or tokens with a short life. These are not combined. */
interface Disturbance {
	life?: TokenLife;
	rivals?: number;
	violation?: Partial<Behavior>;
	faults?: string[];
	moves?: Case['moves'];
}

function drawDisturbance(operation: Operation): fc.Arbitrary<Disturbance> {
	const isRead = operation !== 'credential' && operation !== 'searchGroups';
	const kinds: Array<[weight: number, Record<string, fc.Arbitrary<unknown>>]> = [
		[25, {}],
		[isRead ? 10 : 0, { life: fc.constantFrom(...SHORT_LIVES), rivals: fc.constantFrom(0, 1, 3) }],
		[isRead ? 15 : 0, { violation: violations }],
		[35, { faults: drawFaults(isRead) }],
		[operation === 'list' ? 15 : 0, { moves: fc.constantFrom(...MOVES) }],
	];
	const weighted = kinds.map(([weight, kind]) => ({ weight, arbitrary: fc.record(kind) }));
	return fc.oneof({ withCrossShrink: true }, ...weighted);
}

/** The defaults come first: a failing case is simplified to them. */
export function drawCases(operation: Operation): fc.Arbitrary<Case> {
	const isList = operation === 'list';
	return fc
		.record({
			seed,
			clients: fc.oneof(
				{ weight: 98, arbitrary: fc.constantFrom(...SIZES) },
				{ weight: isList ? 2 : 0, arbitrary: fc.constant(HUGE) },
			),
			isOdd: fc.boolean(),
			behavior: behaviors,
			disturbance: drawDisturbance(operation),
			maxPageLimit: fc.constantFrom(100, 100, 1_000, 30, 25, 10, 7, 1),
			isStrict: fc.boolean(),
			revokeAt: sometimes(15, fc.integer({ min: 2, max: 7 }), 0),
			limit: sometimes(30, fc.constantFrom(1, 5, 10, 50, 100, 101), 0),
			filters: sometimes(50, fc.subarray([...FILTERS], { maxLength: 6 }), []),
			consistency: sometimes(15, fc.constant('fast' as const), undefined),
			pageSize: sometimes(30, fc.constantFrom(1_000, 100, 10, 7, 1), undefined),
			parallelRequests: sometimes(60, fc.constantFrom(1, 2, 3, 10, 20), undefined),
			textMatch: sometimes(20, fc.constant('part' as const), undefined),
			sort: sometimes(isList ? 20 : 0, fc.constantFrom(...SORTS), undefined),
			items: operation === 'find' ? fc.constantFrom(1, 2, 3, 7, 40) : fc.constant(1),
		})
		.map((drawn) => settle(operation, drawn));
}

type Drawn = Pick<Case, 'seed' | 'clients' | 'isOdd' | 'maxPageLimit' | 'revokeAt' | 'limit' | 'filters' | 'items'> &
	Case['options'] & { behavior: Behavior; disturbance: Disturbance; isStrict: boolean };

/** Leaves out what would take too long, or has no certain result together. */
function settle(operation: Operation, drawn: Drawn): Case {
	const { disturbance, isStrict, consistency, pageSize, parallelRequests, textMatch, sort, ...rest } = drawn;
	const { life, rivals = 0, violation, faults = [], moves = 'none' } = disturbance;
	const { clients } = rest;
	const behavior = { ...rest.behavior, ...violation };
	// The credential test does not read the list, so it cannot know that a 404 stands for an empty one.
	if (operation === 'credential') behavior.emptyList = 'page';
	// The search for groups has no timeout to set, and waits for 30 seconds.
	if (operation === 'searchGroups' && behavior.overLimit === 'hang') behavior.overLimit = 'refused-500';
	// If the service fails for large pages, the many tries take longer than the shortest lifetime.
	const isTooShort = isBreaking(behavior) && life?.tokenLifetimeMs !== undefined;
	const options = {
		consistency: moves === 'none' ? consistency : undefined,
		pageSize: pageSize && Math.max(pageSize, Math.ceil(clients / MAX_PAGES)),
		parallelRequests,
		textMatch: operation === 'find' ? undefined : textMatch,
		sort,
		timeout: faults.some(isSlow) || behavior.overLimit === 'hang' ? TIMEOUT_SECONDS : undefined,
	};
	return {
		...PLAIN,
		...rest,
		...(!isTooShort && life),
		operation,
		behavior: withoutDefaults(behavior),
		maxPageLimit: Math.max(rest.maxPageLimit, leastPageLimit(behavior), Math.ceil(clients / MAX_PAGES)),
		requestsPerMinute: behavior.rateLimit !== 'none' && isStrict ? 60 : 0,
		revokeAt: violation ? 0 : rest.revokeAt,
		faults,
		moves: clients > 3 ? moves : 'none',
		limit: violation ? 0 : rest.limit,
		options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
		rivals: clients < HUGE && behavior.rateLimit === 'none' ? rivals : 0,
	};
}

function withoutDefaults(behavior: Behavior): Partial<Behavior> {
	return Object.fromEntries(
		Object.entries(behavior).filter(([setting, value]) => DEFAULT_BEHAVIOR[setting as SettingName] !== value),
	);
}

export function isBreaking({ overLimit }: Partial<Behavior>): boolean {
	return overLimit === 'refused-500' || overLimit === 'hang';
}

/** The node goes down to pages of 25 rows after server errors, and to 10 after refusals. */
function leastPageLimit(behavior: Partial<Behavior>): number {
	return behavior.overLimit === 'capped' ? 1 : isBreaking(behavior) ? 25 : 10;
}

/** Slow ones end with the timeout. The search for groups and the credential test have a fixed one of 30 seconds. */
function drawFaults(mayBeSlow: boolean): fc.Arbitrary<string[]> {
	const ordinary = fc
		.record({
			fault: fc.constantFrom(...FAULTS),
			endpoint: fc.constantFrom('list', 'list', 'list', 'list', 'token'),
			skip: fc.nat(6),
			times: fc.constantFrom(1, 1, 2, 4, Infinity),
		})
		.map(({ fault, endpoint, skip, times }) => schedule(fault, endpoint, endpoint === 'token' ? 0 : skip, times));
	// A busy machine may itself cause timeouts.
	const slow = fc
		.record({ fault: fc.constantFrom(...SLOW_FAULTS), skip: fc.nat(6), times: fc.constantFrom(1, 2, Infinity) })
		.map(({ fault, skip, times }) => schedule(fault, 'list', skip, times));
	const one = fc.oneof({ weight: 95, arbitrary: ordinary }, { weight: mayBeSlow ? 5 : 0, arbitrary: slow });
	return fc.oneof(
		{ weight: 95, arbitrary: fc.array(one, { minLength: 1, maxLength: 2, size: 'max' }) },
		{ weight: 5, arbitrary: fc.constant<string[]>([SLOW_TOKENS]) },
	);
}

function schedule(fault: string, endpoint: string, skip: number, times: number): string {
	const details = [`endpoint=${endpoint}`, `skip=${skip}`, ...(times === Infinity ? [] : [`times=${times}`])];
	return `${fault}${fault.includes(':') ? ',' : ':'}${details.join(',')}`;
}

export function isSlow(fault: string): boolean {
	return SLOW_FAULTS.some((slow) => fault.startsWith(slow));
}

/** Whether the service contradicts its specification. */
export function isViolated({ behavior }: Case): boolean {
	return Object.entries(behavior).some(([setting, value]) =>
		(SETTINGS[setting as SettingName].violations as readonly string[]).includes(value),
	);
}

/** Whether a token may expire before the list is read. */
export function isShortLived({ tokenRequests, tokenLifetimeMs, isSingleToken }: Case): boolean {
	return tokenRequests > 0 || tokenLifetimeMs < PLAIN.tokenLifetimeMs || isSingleToken;
}
