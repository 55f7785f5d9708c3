import { DEFAULT_DIALECT, type Dialect } from '../../../sandbox/endpoints/dialect.mts';
import { Random } from '../../support/random.mts';

/** What is done under a dialect. */
export const OPERATIONS = [
	'list',
	'find',
	'items',
	'count',
	'listGroups',
	'searchGroups',
	'credential',
	'trigger',
] as const;

export type Operation = (typeof OPERATIONS)[number];

export type FilterName =
	| 'clientEmail'
	| 'clientStatus'
	| 'clientType'
	| 'createdAfter'
	| 'createdBefore'
	| 'groupName'
	| 'requestStatus';

/** All that a run depends on; what a case does not name is as in PLAIN. */
export interface Case {
	part: Operation | 'fuzz' | 'fuzzSockets' | 'hostile';
	/** Of the data, of the values of the filters, of a history, of mutations. */
	seed: number;
	clients: number;
	/** Unicode, quotes, long names, missing fields, unknown statuses. */
	isOdd: boolean;
	dialect: Partial<Dialect>;
	maxPageLimit: number;
	/** A new token revokes the one before. */
	isSingleToken: boolean;
	faults: string[];
	/** All tokens are revoked when the list is asked for the nth time. */
	revokeAt: number[];
	/** A token is good for so many pages; 0 for any number. */
	tokenRequests: number;
	tokenLifetimeMs: number;
	/** What happens to a client each time the list is asked for, three times. */
	moves: (typeof MOVES)[number];
	/** 0 for all clients. */
	limit: number;
	filters: FilterName[];
	options: { pageSize?: number; parallelRequests?: number; sort?: Sort; textMatch?: 'part'; timeout?: number };
	/** So many input items that look for a client. */
	items: number;
	/** So many other executions that do the same at the same time, with the same key. */
	rivals: number;
	/** Of mutations. */
	count: number;
	/** Of a hostile service or credential. */
	name: string;
}

export const SORTS = ['newestFirst', 'oldestFirst', 'name', 'status'] as const;
export type Sort = (typeof SORTS)[number];

/** `imported`: many at once; `overtaken`: one changes, so that it may stand elsewhere, and one leaves. */
const MOVES = ['none', 'added', 'removed', 'swapped', 'changed', 'imported', 'overtaken'] as const;

export const PLAIN: Omit<Case, 'part'> = {
	seed: 1,
	clients: 11,
	isOdd: false,
	dialect: {},
	maxPageLimit: 100,
	isSingleToken: false,
	faults: [],
	revokeAt: [],
	tokenRequests: 0,
	tokenLifetimeMs: 900_000,
	moves: 'none',
	limit: 0,
	filters: [],
	options: {},
	items: 1,
	rivals: 0,
	count: 1,
	name: '',
};

const SIZES = [0, 1, 9, 10, 11, 99, 100, 101, 1_000, 10_000];
const USUAL_SIZES = SIZES.slice(0, -1);
const FILTERS: FilterName[] = [
	'clientEmail',
	'clientStatus',
	'clientType',
	'createdAfter',
	'createdBefore',
	'groupName',
	'requestStatus',
];

/** The redirect leads to a server that nobody may ever ask. */
export const TRAP = 'TRAP';

const QUICK_FAULTS = [
	'rate-limit-seconds:seconds=0',
	'rate-limit-date:seconds=0',
	'status:code=401',
	'status:code=403',
	'html',
	'html:code=403',
	'empty:code=403',
	'wrong-envelope:code=403',
	'html:code=407',
	'wrong-envelope:code=451',
	'html:code=511',
	'empty:code=304',
	'wrong-envelope',
	`redirect:location=${TRAP}`,
	'latency:ms=30',
];
/** The same status says that a page does not exist. Where totals lie too, nobody can tell the two apart. */
const AMBIGUOUS_FAULTS = ['status:code=400', 'status:code=404', 'status:code=418', 'status:code=422', 'empty:code=204'];
const WAITING_FAULTS = [
	'rate-limit-seconds:seconds=1',
	'rate-limit-date:seconds=1',
	'rate-limit-bare',
	'reset-before',
	'reset-during',
	'truncated',
	'empty',
	'html:code=502',
	...[408, 425, 500, 502, 503, 504, 520, 524, 529].map((code) => `status:code=${code}`),
];
const SLOW_FAULTS = ['hang', 'dribble:ms=100', 'latency:ms=1500'];

export function drawCase(part: Operation, dialect: Dialect, random: Random): Case {
	const isSmall = part === 'trigger' || dialect.rateLimit !== 'none' || dialect.pageSizes === 'fixed';
	// The search for groups and the test of a credential wait as long as they please.
	const hasTimeout = part !== 'searchGroups' && part !== 'credential';
	const faults = drawFaults(dialect, random).filter((fault) => hasTimeout || !isSlow(fault));
	const usual = isSmall || !random.chance(0.04) ? random.one(USUAL_SIZES) : 10_000;
	// Each of the hundreds of polls of a history reads a list again and again whose total is never reached.
	const clients = part === 'trigger' && dialect.totals === 'too-high' ? Math.min(usual, 101) : usual;
	// A history polls some hundred times: with pages held back by a limit, it would not come to its end.
	const mostPages = part === 'trigger' && dialect.rateLimit !== 'none' ? 15 : 150;
	const pageSizes = [1, 7, 10, 100, 1_000].filter((size) => clients / size <= mostPages);
	// A service that refuses pages of ten rows gives nothing to read.
	const caps = [10, 25, 30, 100, 100, 1_000, ...(dialect.overLimit === 'capped' ? [1, 7] : [])].filter(
		(cap) => clients / cap <= mostPages,
	);
	const moves = random.chance(0.2) && clients > 3 ? random.one(MOVES) : 'none';
	// Pages in two orders with one client each look like the same page again.
	const isBreaking = dialect.overLimit === 'refused-500';
	// A service that breaks over small pages is found out with every poll anew, and has no tries left for other troubles.
	const leastCap = isBreaking && (part === 'trigger' || faults.length > 0) ? 100 : 1;
	const least = dialect.pageParameter === 'neither' ? 10 : dialect.order === 'by-page' ? 7 : 1;
	const isFinding = part === 'find' || part === 'items';
	const drawn: Case = {
		...PLAIN,
		part,
		seed: random.below(2 ** 31),
		clients,
		isOdd: random.chance(0.5),
		dialect: readable(dialect, part, clients),
		maxPageLimit: Math.max(least, leastCap, random.one(caps)),
		isSingleToken: random.chance(0.2),
		faults,
		revokeAt: random.chance(0.15) ? [1 + random.below(6)] : [],
		// A token that dies while another is fetched may be dead on arrival where requests are held back, or large pages are read in the same process.
		...(random.chance(0.1) && dialect.rateLimit === 'none' && clients < 10_000 && random.one(SHORT_LIVES)),
		// What moves shows that the number of a page counts, even where it does not.
		moves: part === 'list' && dialect.pageParameter !== 'neither' ? moves : 'none',
		limit: random.chance(0.3) ? random.one([1, 5, 10, 50, 100, 101]) : 0,
		// Nor can a filtered list without clients, but with made-up ones, be told from a long one.
		filters: random.chance(0.5) && dialect.beyondLast !== 'more-rows' ? random.some(FILTERS, 0.35) : [],
		options: {
			...(random.chance(0.3) && { pageSize: Math.max(least, random.one(pageSizes)) }),
			...(random.chance(0.6) && { parallelRequests: random.one([1, 2, 3, 10, 20]) }),
			...(random.chance(0.2) && !isFinding && { textMatch: 'part' as const }),
			...(random.chance(0.2) && part === 'list' && { sort: random.one(SORTS) }),
			...(faults.some(isSlow) && { timeout: 1 }),
		},
		items: part === 'items' ? random.one([2, 3, 7, 40]) : 1,
	};
	if (part !== 'list') return withRivals(drawn);
	return withRivals(
		random.chance(0.05) ? withHole(drawn, random) : random.chance(0.05) ? withGaps(drawn, random) : drawn,
	);
}

/** Drawn apart, so that what else is drawn stays as it was. */
function withRivals(testCase: Case): Case {
	return isContended(testCase) ? { ...testCase, rivals: new Random(testCase.seed).one([0, 1, 3, 7]) } : testCase;
}

/** Whether executions can end each other's tokens, and nothing else is the matter. */
function isContended(testCase: Case): boolean {
	const { part, clients, dialect, faults, revokeAt, moves } = testCase;
	const isOperation = !['trigger', 'credential', 'searchGroups'].includes(part);
	const isCalm = faults.length + revokeAt.length === 0 && moves === 'none' && dialect.rateLimit === 'none';
	return isOperation && isCalm && clients <= 1_000 && (testCase.isSingleToken || isShortLived(testCase));
}

/** Whether a token may be dead before a list is read. */
export function isShortLived({ tokenRequests, tokenLifetimeMs }: Case): boolean {
	return tokenRequests > 0 || tokenLifetimeMs < PLAIN.tokenLifetimeMs;
}

/** The service never gives the second of many pages. Only an honest total tells that from the end of the list. */
function withHole(testCase: Case, random: Random): Case {
	return {
		...testCase,
		clients: 101,
		dialect: {
			...testCase.dialect,
			pageParameter: 'both',
			overLimit: 'capped',
			totals: 'numbers',
			hiddenRows: 'none',
			beyondLast: 'empty',
			rateLimit: 'none',
		},
		maxPageLimit: random.one([10, 25, 30]),
		faults: [random.one(['status:code=404,page=2', 'status:code=410,page=2', 'status:code=422,page=2'])],
		moves: 'none',
		limit: 0,
		filters: [],
	};
}

/**
 * A page comes without its clients now and then. A list that begins so, or a filtered one, cannot be told from an empty one;
 * nor, without a right total, a page that never comes from the end of the list.
 */
function withGaps(testCase: Case, random: Random): Case {
	const { dialect, clients, maxPageLimit, options } = testCase;
	const pages = Math.ceil(clients / Math.min(maxPageLimit, options.pageSize ?? Infinity));
	const often = [2, 3, 5, 7].map((every) => `every=${every}`);
	const atPage = [1, 2, 4].map((times) => `page=${2 + random.below(pages)},times=${times}`);
	const schedule = random.one(isHonest(dialect) ? ['times=1', 'times=2', 'times=4', ...often, ...atPage] : ['times=1']);
	return {
		...testCase,
		dialect: {
			...dialect,
			pageParameter: 'both',
			overLimit: 'capped',
			hiddenRows: 'none',
			...(dialect.beyondLast === 'more-rows' && { beyondLast: 'empty' }),
			...(isUnsteady(dialect) && !isHonest(dialect) && { totals: 'numbers' }),
			...(!isHonest(dialect) && { pageLimitEcho: 'right' }),
		},
		faults: [`no-rows:skip=${2 + random.below(6)},${schedule}`],
		filters: [],
	};
}

export function hasGaps({ faults }: Case): boolean {
	return faults.some((fault) => fault.startsWith('no-rows'));
}

/** Whether they may come too often, or for no reason that can be seen, to read past them. */
export function hasLastingGaps(testCase: Case): boolean {
	const isOften = testCase.faults.some((fault) => /every|times=4/.test(fault));
	return hasGaps(testCase) && (isOften || !isHonest(testCase.dialect));
}

/** Whether a page in the middle never comes. */
export function isHoled({ faults }: Case): boolean {
	return faults.some((fault) => /^status.*page=/.test(fault));
}

/** On a busy machine a token of half a second would be dead on arrival, three times in a row. */
const SHORT_LIVES = [{ tokenRequests: 1 }, { tokenRequests: 25 }, { tokenLifetimeMs: 2_000 }];

/** Some worlds cannot be told from others, whoever reads. */
function readable(dialect: Dialect, part: Operation, clients: number): Dialect {
	const isTrue = isHonest(dialect);
	const mayLookComplete = ['too-low', 'of-page'].includes(dialect.totals);
	return {
		...dialect,
		// A short page is the whole list where the total says so, and nothing else gives away that it is a full page.
		...(mayLookComplete && dialect.pageLimitEcho !== 'absent' && { pageLimitEcho: 'right' }),
		// Without a total, nothing tells made-up clients from real ones; and only a list can come with a hint about them.
		...(dialect.beyondLast === 'more-rows' &&
			!(isTrue && part === 'list' && clients > 0 && !isUnsteady(dialect)) && { beyondLast: 'first-page' }),
		// Pages in two orders may look like one page again; only an honest total, and a number that counts, tell.
		...(dialect.order === 'by-page' && {
			hiddenRows: 'none',
			pageParameter: 'page_no',
			...(!isTrue && { totals: 'numbers' }),
		}),
		...((dialect.beyondLast === 'more-rows' || (isUnsteady(dialect) && !isTrue)) && { hiddenRows: 'none' }),
		// A page with hidden rows looks like the last one where the total says no more than has come, or nothing says how large it is.
		// Nor can anybody tell hidden rows from a backend that gives nothing now and then where the total speaks of more.
		...((mayLookComplete || dialect.totals === 'too-high' || (!isTrue && dialect.pageLimitEcho === 'absent')) && {
			hiddenRows: 'none',
		}),
		...(['asked', 'always-ten'].includes(dialect.pageLimitEcho) && { hiddenRows: 'none' }),
		// Where the number of a page counts for nothing, smaller pages tell, and a hint, which not all have room for.
		...(dialect.pageParameter === 'neither' && {
			otherParameters: 'ignored',
			beyondLast: 'empty',
			hiddenRows: 'none',
			pageSizes: 'any',
			...(!isTrue && { totals: 'numbers' }),
			...(!['list', 'count', 'find', 'items', 'listGroups'].includes(part) && { pageParameter: 'both' }),
		}),
		// Without a true total, each of the hundreds of polls of a history would find out anew that large pages come empty.
		...(part === 'trigger' && dialect.overLimit === 'empty' && !isTrue && { overLimit: 'capped' }),
		// "Nothing is there" instead of an empty list is told as a trouble, also to a trigger.
		emptyList: part === 'trigger' || part === 'credential' ? 'page' : dialect.emptyList,
		// A trigger tells nothing of a list in a new order every time, unless it fits one page.
		...(part === 'trigger' && isUnsteady(dialect) && { pageSizes: 'any', hiddenRows: 'none', totals: 'numbers' }),
	};
}

function drawFaults(dialect: Dialect, random: Random): string[] {
	if (random.chance(0.4)) return [];
	const mayTell = isHonest(dialect) && dialect.order !== 'by-page' && dialect.beyondLast !== 'more-rows';
	return Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => {
		const kinds = random.chance(0.7)
			? [...QUICK_FAULTS, ...(mayTell ? AMBIGUOUS_FAULTS : [])]
			: random.chance(0.9)
				? WAITING_FAULTS
				: SLOW_FAULTS;
		const fault = random.one(kinds);
		const isAmbiguous = AMBIGUOUS_FAULTS.includes(fault);
		const endpoint = random.chance(0.2) && !isSlow(fault) ? 'token' : 'list';
		const times = isAmbiguous ? 1 : random.one([1, 1, 2, 4, Infinity]);
		const schedule = [
			`endpoint=${endpoint}`,
			`skip=${endpoint === 'token' ? 0 : random.below(7)}`,
			...(times === Infinity ? [] : [`times=${times}`]),
		];
		return `${fault}${fault.includes(':') ? ',' : ':'}${schedule.join(',')}`;
	});
}

/** The totals are right. */
function isHonest({ totals = 'numbers' }: Partial<Dialect>): boolean {
	return ['numbers', 'strings'].includes(totals);
}

/** Rows stand in several orders, so that some may be on no page. */
export function isUnsteady({ order }: Partial<Dialect>): boolean {
	return order === 'shuffled' || order === 'by-page';
}

/** Whether a request under this fault ends by the timeout of one second. */
export function isSlow(fault: string): boolean {
	return SLOW_FAULTS.some((slow) => fault.startsWith(slow));
}

/** The case as the words of a command: only what is not plain. */
export function formatCase(testCase: Case): string {
	const entries = Object.entries(testCase).filter(
		([name, value]) => JSON.stringify(value) !== JSON.stringify(PLAIN[name as keyof typeof PLAIN]),
	);
	return JSON.stringify(Object.fromEntries(entries));
}

export function parseCase(text: string): Case {
	return { ...PLAIN, ...(JSON.parse(text) as Case) };
}

/** Cases that differ from this one by being simpler in one respect. */
export function simplerCases(testCase: Case): Case[] {
	const fewer = <T,>(list: T[]) => list.map((_, index) => list.filter((__, other) => other !== index));
	const without = <T extends object>(object: T) =>
		Object.keys(object).map(
			(name) => Object.fromEntries(Object.entries(object).filter(([other]) => other !== name)) as T,
		);
	const readings = Object.fromEntries(
		Object.entries(testCase.dialect).filter(([axis, reading]) => DEFAULT_DIALECT[axis as keyof Dialect] !== reading),
	) as Partial<Dialect>;
	const changes: Array<Partial<Case>> = [
		...SIZES.filter((size) => size < testCase.clients).map((clients) => ({ clients })),
		...fewer(testCase.faults).map((faults) => ({ faults })),
		...fewer(testCase.filters).map((filters) => ({ filters })),
		...without(readings).map((dialect) => ({ dialect })),
		...without(testCase.options).map((options) => ({ options })),
		...(
			[
				'isOdd',
				'isSingleToken',
				'revokeAt',
				'tokenRequests',
				'tokenLifetimeMs',
				'moves',
				'limit',
				'items',
				'rivals',
				'maxPageLimit',
			] as const
		).map((name) => ({
			[name]: PLAIN[name],
		})),
	];
	return changes
		.map((change) => ({ ...testCase, dialect: readings, ...change }))
		.filter((simpler) => formatCase(simpler) !== formatCase(testCase));
}
