import {
	SETTINGS,
	SETTING_NAMES,
	DEFAULT_BEHAVIOR,
	type SettingName,
	type Behavior,
} from '../../../sandbox/endpoints/behavior.mts';
import type { Random } from '../../support/random.mts';

export const OPERATIONS = ['list', 'find', 'items', 'count', 'listGroups', 'searchGroups', 'credential'] as const;

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
	part: Operation | 'fuzz' | 'hostile';
	/** Of the data, the filter values, the trigger runs and the changed responses. */
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
	/** All tokens are revoked at the nth list request. */
	revokeAt: number[];
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
	/** The number of input items, each with a client to find. */
	items: number;
	/** How many other executions do the same at the same time with the same key. */
	rivals: number;
	/** The number of changed responses. */
	count: number;
	/** The name of a hostile service or credential. */
	name: string;
}

export const PLAIN: Omit<Case, 'part'> = {
	seed: 1,
	clients: 11,
	isOdd: false,
	behavior: {},
	maxPageLimit: 100,
	requestsPerMinute: 0,
	isSingleToken: false,
	tokenRequests: 0,
	tokenLifetimeMs: 900_000,
	revokeAt: [],
	faults: [],
	moves: 'none',
	limit: 0,
	filters: [],
	options: {},
	items: 1,
	rivals: 0,
	count: 1,
	name: '',
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
/** Requests under these end by the timeout of one second. */
const SLOW_FAULTS = ['hang', 'dribble:ms=100', 'latency:ms=1500'];
const SLOW_TOKENS = 'latency:ms=200,endpoint=token';

const SHORT_LIFE: Partial<Case> = { tokenLifetimeMs: 300 };
const SHORT_LIVES: Array<Partial<Case>> = [
	{ tokenRequests: 25 },
	{ tokenRequests: 4 },
	{ tokenRequests: 2 },
	{ isSingleToken: true },
	{ isSingleToken: true, tokenRequests: 4 },
];

export function drawBehavior(random: Random): Behavior {
	return Object.fromEntries(
		SETTING_NAMES.map((setting) => [setting, random.one<string>(SETTINGS[setting].behaviors)]),
	) as Behavior;
}

/** One violation, or faults, or a list that changes. These are not combined. */
type Disturbance = 'none' | 'violation' | 'faults' | 'moves';

const MAY_BE_VIOLATED: Operation[] = ['list', 'find', 'items', 'count', 'listGroups'];

function drawDisturbance(part: Operation, random: Random): Disturbance {
	const chance = random.next();
	if (chance < 0.15) return MAY_BE_VIOLATED.includes(part) ? 'violation' : 'none';
	if (chance < 0.5) return 'faults';
	return chance < 0.65 && part === 'list' ? 'moves' : 'none';
}

/** A list that does not change, with one or more filters. */
export function drawFilterCase(random: Random): Case {
	const behavior = { ...drawBehavior(random), overLimit: 'granted', rateLimit: 'none' } as const;
	return {
		...PLAIN,
		part: 'list',
		seed: random.below(2 ** 31),
		clients: random.one([11, 61, 250]),
		isOdd: random.chance(0.5),
		behavior,
		filters: [random.one(FILTERS), ...random.some(FILTERS, 0.25)].filter(
			(name, place, all) => all.indexOf(name) === place,
		),
		options: random.chance(0.2) ? { textMatch: 'part' } : {},
	};
}

export function drawCase(part: Operation, random: Random): Case {
	const disturbance = drawDisturbance(part, random);
	const behavior = { ...drawBehavior(random), ...(disturbance === 'violation' && drawViolation(random)) };
	// The credential test does not read the list, so it cannot know that a 404 stands for an empty one.
	if (part === 'credential') behavior.emptyList = 'page';
	// The search for groups has no timeout to set, and waits for 30 seconds.
	if (part === 'searchGroups' && behavior.overLimit === 'hang') behavior.overLimit = 'refused-500';
	const clients = random.chance(0.02) && part === 'list' ? HUGE : random.one(SIZES);
	const faults = disturbance === 'faults' ? drawFaults(part, random) : [];
	const isCalm = disturbance === 'none';
	const isRead = !['credential', 'searchGroups'].includes(part);
	const isShortLived = isCalm && part !== 'credential' && random.chance(0.3);
	return {
		...PLAIN,
		part,
		seed: random.below(2 ** 31),
		clients,
		isOdd: random.chance(0.5),
		behavior,
		maxPageLimit: random.one(capsFor(behavior, clients)),
		requestsPerMinute: behavior.rateLimit !== 'none' && random.chance(0.5) ? 60 : 0,
		// If the service fails for large pages, the many tries take longer than the shortest lifetime.
		...(isShortLived && random.one(isBreaking(behavior) ? SHORT_LIVES : [SHORT_LIFE, ...SHORT_LIVES])),
		revokeAt: disturbance !== 'violation' && random.chance(0.15) ? [2 + random.below(6)] : [],
		faults,
		moves: disturbance === 'moves' && clients > 3 ? random.one(MOVES) : 'none',
		limit: random.chance(0.3) && disturbance !== 'violation' ? random.one([1, 5, 10, 50, 100, 101]) : 0,
		filters: random.chance(0.5) ? random.some(FILTERS, 0.35) : [],
		options: {
			...(random.chance(0.15) && disturbance !== 'moves' && { consistency: 'fast' as const }),
			...(random.chance(0.3) && { pageSize: random.one([1, 7, 10, 100, 1_000].filter(isFew(clients))) }),
			...(random.chance(0.6) && { parallelRequests: random.one([1, 2, 3, 10, 20]) }),
			...(random.chance(0.2) && part !== 'find' && part !== 'items' && { textMatch: 'part' as const }),
			...(random.chance(0.2) && part === 'list' && { sort: random.one(SORTS) }),
			...((faults.some(isSlow) || behavior.overLimit === 'hang') && { timeout: 1 }),
		},
		items: part === 'items' ? random.one([2, 3, 7, 40]) : 1,
		rivals: isShortLived && isRead && clients < HUGE && behavior.rateLimit === 'none' ? random.one([0, 1, 3]) : 0,
	};
}

function drawViolation(random: Random): Partial<Behavior> {
	const setting = random.one(SETTING_NAMES.filter((name) => SETTINGS[name].violations.length > 0));
	const violation = { [setting]: random.one<string>(SETTINGS[setting].violations) };
	// A service without page numbers cannot refuse them: it would return nothing at all.
	return setting === 'pageParameter' ? { ...violation, otherParameters: 'ignored' } : violation;
}

function isFew(clients: number): (pageSize: number) => boolean {
	return (pageSize) => clients / pageSize <= MAX_PAGES;
}

export function isBreaking({ overLimit }: Partial<Behavior>): boolean {
	return overLimit === 'refused-500' || overLimit === 'hang';
}

/** The node goes down to pages of 25 rows after server errors, and to 10 after refusals. */
function capsFor(behavior: Behavior, clients: number): number[] {
	const least = behavior.overLimit === 'capped' ? 1 : isBreaking(behavior) ? 25 : 10;
	return [1, 7, 10, 25, 30, 100, 100, 1_000].filter((cap) => cap >= least).filter(isFew(clients));
}

function drawFaults(part: Operation, random: Random): string[] {
	// Both have a fixed timeout of 30 seconds.
	const mayBeSlow = part !== 'searchGroups' && part !== 'credential';
	if (random.chance(0.05)) return [SLOW_TOKENS];
	return Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => {
		const fault = random.one(mayBeSlow && random.chance(0.05) ? SLOW_FAULTS : FAULTS);
		const endpoint = random.chance(0.2) && !isSlow(fault) ? 'token' : 'list';
		// A busy machine may itself cause timeouts.
		const times = random.one(isSlow(fault) ? [1, 2, Infinity] : [1, 1, 2, 4, Infinity]);
		const schedule = [
			`endpoint=${endpoint}`,
			`skip=${endpoint === 'token' ? 0 : random.below(7)}`,
			...(times === Infinity ? [] : [`times=${times}`]),
		];
		return `${fault}${fault.includes(':') ? ',' : ':'}${schedule.join(',')}`;
	});
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

/** The case as JSON for `--only`, without defaults. */
export function formatCase(testCase: Case): string {
	const entries = Object.entries(testCase).filter(
		([name, value]) => JSON.stringify(value) !== JSON.stringify(PLAIN[name as keyof typeof PLAIN]),
	);
	return JSON.stringify(Object.fromEntries(entries));
}

export function parseCase(text: string): Case {
	return { ...PLAIN, ...(JSON.parse(text) as Case) };
}

const SIMPLIFIED = [
	'isOdd',
	'requestsPerMinute',
	'isSingleToken',
	'tokenRequests',
	'tokenLifetimeMs',
	'revokeAt',
	'moves',
	'limit',
	'items',
	'rivals',
	'maxPageLimit',
] as const;

/** Cases that are simpler in one respect. */
export function simplerCases(testCase: Case): Case[] {
	const fewer = <T,>(list: T[]) => list.map((_, index) => list.filter((__, other) => other !== index));
	const without = <T extends object>(object: T) =>
		Object.keys(object).map(
			(name) => Object.fromEntries(Object.entries(object).filter(([other]) => other !== name)) as T,
		);
	const behavior = Object.fromEntries(
		Object.entries(testCase.behavior).filter(([setting, value]) => DEFAULT_BEHAVIOR[setting as SettingName] !== value),
	) as Partial<Behavior>;
	const changes: Array<Partial<Case>> = [
		...SIZES.filter((size) => size < testCase.clients).map((clients) => ({ clients })),
		...fewer(testCase.faults).map((faults) => ({ faults })),
		...fewer(testCase.filters).map((filters) => ({ filters })),
		...without(behavior).map((simpler) => ({ behavior: simpler })),
		...without(testCase.options).map((options) => ({ options })),
		...SIMPLIFIED.map((name) => ({ [name]: PLAIN[name] })),
	];
	return changes
		.map((change) => ({ ...testCase, behavior, ...change }))
		.filter((simpler) => formatCase(simpler) !== formatCase(testCase));
}
