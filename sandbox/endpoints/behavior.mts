export interface Setting {
	/** What the specification leaves open. The first is the default. */
	readonly behaviors: readonly string[];
	/** What contradicts the specification. */
	readonly violations: readonly string[];
	readonly label: string;
	/** All but `common` are folded away in the console. */
	readonly group: 'common' | 'filters' | 'tokens' | 'pages' | 'ends';
	readonly help: string;
	/** Explains values to readers of the command line. The console has words for each value. */
	readonly note?: string;
}

export const SETTINGS = {
	tokenMethod: {
		behaviors: ['GET', 'POST'],
		violations: [],
		label: 'Token request method',
		group: 'tokens',
		help: 'HTTP method of the token request',
	},
	wrongMethod: {
		behaviors: ['405', '404', '501', '403', '400', '422', 'envelope-405', 'redirect', 'html'],
		violations: [],
		label: 'Token request with the wrong method',
		group: 'tokens',
		help: 'response to any other method',
		note: 'envelope-405 and html: with HTTP 200',
	},
	expiresIn: {
		behaviors: ['seconds', 'milliseconds', 'absent'],
		violations: [],
		label: 'Unit of expires_in',
		group: 'tokens',
		help: 'how the token response gives the lifetime of a token',
		note: 'the real lifetime stays the same',
	},
	tokenRefusal: {
		behaviors: [
			'401',
			'403',
			'419',
			'498',
			'400',
			'404',
			'422',
			'500',
			'redirect',
			'envelope-401',
			'envelope-400',
			'envelope-500',
		],
		violations: [],
		label: 'Invalid access token',
		group: 'tokens',
		help: 'response to a missing, expired or revoked token',
		note: 'envelope-*: with HTTP 200',
	},
	pageParameter: {
		behaviors: ['page_no', 'page'],
		violations: ['neither'],
		label: 'Page parameter',
		group: 'pages',
		help: 'name of the page parameter',
		note: 'neither: always page 1',
	},
	otherParameters: {
		behaviors: ['ignored', 'refused-400', 'refused-422'],
		violations: [],
		label: 'Unknown parameters',
		group: 'pages',
		help: 'response to parameters the list endpoint does not know',
	},
	overLimit: {
		behaviors: ['granted', 'capped', 'refused-400', 'refused-413', 'refused-422', 'refused-500', 'hang'],
		violations: ['empty'],
		label: 'page_limit above the maximum',
		group: 'pages',
		help: 'response to a page_limit above the maximum (see --max-page-limit)',
		note: 'hang: no response',
	},
	pageSizes: {
		behaviors: ['any', 'fixed'],
		violations: [],
		label: 'Page sizes',
		group: 'pages',
		help: 'whether the requested page size is used, up to the maximum',
		note: 'fixed: always 25',
	},
	pageLimitEcho: {
		behaviors: ['right'],
		violations: ['absent', 'asked', 'always-ten'],
		label: 'Reported page_limit',
		group: 'pages',
		help: 'the page_limit in the response',
		note: 'asked: the requested one, even if another was used',
	},
	order: {
		behaviors: ['created-ascending', 'created-descending', 'arbitrary', 'last-changed', 'by-status'],
		violations: ['shuffled'],
		label: 'Order of the list',
		group: 'common',
		help: 'order in which clients are listed',
		note: 'shuffled: another order on every request',
	},
	beyondLast: {
		behaviors: ['empty', '404', '400', '204', 'bare-404', 'data-null', 'results-null', 'last-page', 'first-page'],
		violations: ['more-rows'],
		label: 'Page after the last one',
		group: 'ends',
		help: 'response to a page after the last',
		note: 'bare-404: a web page; more-rows: endless made-up clients',
	},
	emptyList: {
		behaviors: ['page', '404', '204', 'results-null', 'data-null'],
		violations: [],
		label: 'Empty list',
		group: 'ends',
		help: 'response to the first page of a list without clients',
	},
	hiddenRows: {
		behaviors: ['none'],
		violations: ['after-paging'],
		label: 'Clients missing from pages',
		group: 'ends',
		help: 'leaves out a third of the clients after the list is split into pages',
	},
	totals: {
		behaviors: ['numbers'],
		violations: ['strings', 'zero', 'absent', 'too-high', 'too-low', 'of-page'],
		label: 'Totals',
		group: 'ends',
		help: 'total_count and total_pages in the response',
		note: 'of-page: the rows of this page, and 1 page',
	},
	emailFilter: {
		behaviors: ['exact', 'contains', 'group-name', 'ignored', 'any-case'],
		violations: [],
		label: 'Filter by email',
		group: 'filters',
		help: 'how client_email is compared',
		note: 'contains: in any case; group-name: with the name of the group',
	},
	groupFilter: {
		behaviors: ['exact', 'any-case', 'contains', 'ignored'],
		violations: [],
		label: 'Filter by group',
		group: 'filters',
		help: 'how group_name is compared',
		note: 'contains: in any case',
	},
	severalFilters: {
		behaviors: ['all', 'any', 'first'],
		violations: [],
		label: 'Several filters',
		group: 'filters',
		help: 'how several filters are combined',
		note: 'first: only one of them counts',
	},
	statusCase: {
		behaviors: ['capitalized', 'lower', 'mixed'],
		violations: [],
		label: 'Case of statuses',
		group: 'common',
		help: 'how request_status is written in records',
	},
	extras: {
		behaviors: ['none', 'fields', 'statuses'],
		violations: [],
		label: 'Unknown fields and statuses',
		group: 'common',
		help: 'unknown fields in every record, or an unknown status in some',
	},
	rateLimit: {
		behaviors: ['none', 'seconds', 'date', 'bare', 'past', 'reset'],
		violations: [],
		label: 'Rate limit',
		group: 'common',
		help: 'responds with 429 above the rate, with this header',
		note: 'bare: no header; reset: X-RateLimit-Reset',
	},
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type Behavior = {
	-readonly [A in SettingName]: (typeof SETTINGS)[A]['behaviors'][number] | (typeof SETTINGS)[A]['violations'][number];
};

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export const DEFAULT_BEHAVIOR = Object.fromEntries(
	SETTING_NAMES.map((setting) => [setting, SETTINGS[setting].behaviors[0]]),
) as Behavior;

/** Behaviors first, then violations. */
export function valuesOf<A extends SettingName>(setting: A): ReadonlyArray<Behavior[A]> {
	const { behaviors, violations }: Setting = SETTINGS[setting];
	return [...behaviors, ...violations] as Array<Behavior[A]>;
}

function isSetting(name: string): name is SettingName {
	return Object.hasOwn(SETTINGS, name);
}

function parseValue<A extends SettingName>(setting: A, value: unknown): Behavior[A] {
	const wanted = String(value).toLowerCase();
	const values = valuesOf(setting);
	const known = values.find((candidate) => candidate.toLowerCase() === wanted);
	if (known === undefined || typeof value === 'object') {
		throw new Error(`${setting} cannot be "${value}". Choose from: ${values.join(', ')}.`);
	}
	return known;
}

export function parseBehavior(values: unknown): Partial<Behavior> {
	if (typeof values !== 'object' || values === null || Array.isArray(values)) {
		throw new Error('The body must be an object such as {"order": "shuffled"}.');
	}
	const entries = Object.entries(values).map(([setting, value]) => {
		if (!isSetting(setting)) {
			throw new Error(`There is no setting "${setting}". Choose from: ${SETTING_NAMES.join(', ')}.`);
		}
		return [setting, parseValue(setting, value)];
	});
	return Object.fromEntries(entries) as Partial<Behavior>;
}
