interface Setting {
	/** What the specification leaves open. The first is the default. */
	readonly behaviors: readonly string[];
	/** What contradicts the specification. */
	readonly violations: readonly string[];
	readonly help: string;
}

export const SETTINGS = {
	tokenMethod: {
		behaviors: ['GET', 'POST'],
		violations: [],
		help: 'method of the token request',
	},
	wrongMethod: {
		behaviors: ['405', '404', '501', '403', '400', '422', 'envelope-405', 'redirect', 'html'],
		violations: [],
		help: 'response to another method of the token request; envelope-405, html (a web page): HTTP 200',
	},
	expiresIn: {
		behaviors: ['seconds', 'milliseconds', 'absent'],
		violations: [],
		help: 'how expires_in is written; the real lifetime stays the same',
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
		help: 'how a missing, expired or revoked token is reported; envelope-*: inside an HTTP 200',
	},
	pageParameter: {
		behaviors: ['page_no', 'page'],
		violations: ['neither'],
		help: 'the page parameter that counts; others are unknown to the service; neither: always page 1',
	},
	otherParameters: {
		behaviors: ['ignored', 'refused-400', 'refused-422'],
		violations: [],
		help: 'what happens to parameters the list endpoint does not know',
	},
	overLimit: {
		behaviors: ['granted', 'capped', 'refused-400', 'refused-413', 'refused-422', 'refused-500', 'hang'],
		violations: ['empty'],
		help: 'what happens to a page_limit above the maximum; hang: no response ever',
	},
	pageSizes: {
		behaviors: ['any', 'fixed'],
		violations: [],
		help: 'page sizes up to the maximum: any, or always 25',
	},
	pageLimitEcho: {
		behaviors: ['right'],
		violations: ['absent', 'asked', 'always-ten'],
		help: 'how page_limit is echoed; asked: what was asked for, whatever was granted',
	},
	order: {
		behaviors: ['created-ascending', 'created-descending', 'arbitrary', 'last-changed', 'by-status'],
		violations: ['shuffled'],
		help: 'order of the list; shuffled: another one on every request',
	},
	beyondLast: {
		behaviors: ['empty', '404', '400', '204', 'bare-404', 'data-null', 'results-null', 'last-page', 'first-page'],
		violations: ['more-rows'],
		help: 'response to a page beyond the last; bare: no envelope; more-rows: made-up clients without end',
	},
	emptyList: {
		behaviors: ['page', '404', '204', 'results-null', 'data-null'],
		violations: [],
		help: 'response to the first page of a list without any client',
	},
	hiddenRows: {
		behaviors: ['none'],
		violations: ['after-paging'],
		help: 'clients that are left out of each page after the list was cut into pages',
	},
	totals: {
		behaviors: ['numbers'],
		violations: ['strings', 'zero', 'absent', 'too-high', 'too-low', 'of-page'],
		help: 'how total_count and total_pages are given; of-page: the rows of this page, and one page',
	},
	emailFilter: {
		behaviors: ['exact', 'contains', 'group-name', 'ignored', 'any-case'],
		violations: [],
		help: 'what client_email is compared with, and how (contains: in any case)',
	},
	groupFilter: {
		behaviors: ['exact', 'any-case', 'contains', 'ignored'],
		violations: [],
		help: 'how group_name is compared (contains: in any case)',
	},
	severalFilters: {
		behaviors: ['all', 'any', 'first'],
		violations: [],
		help: 'which filters a client must match; first: only one counts',
	},
	statusCase: {
		behaviors: ['capitalized', 'lower', 'mixed'],
		violations: [],
		help: 'how request_status is written in records',
	},
	extras: {
		behaviors: ['none', 'fields', 'statuses'],
		violations: [],
		help: 'unknown fields in every record, or an unknown status in some',
	},
	rateLimit: {
		behaviors: ['none', 'seconds', 'date', 'bare', 'past', 'reset'],
		violations: [],
		help: '429 above the allowed rate, by kind of Retry-After; bare: without; reset: X-RateLimit-Reset',
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

/** `label` is how the message names the setting. */
export function parseValue<A extends SettingName>(setting: A, value: unknown, label: string = setting): Behavior[A] {
	const wanted = String(value).toLowerCase();
	const values = valuesOf(setting);
	const known = values.find((candidate) => candidate.toLowerCase() === wanted);
	if (known === undefined || typeof value === 'object') {
		throw new Error(`${label} cannot be "${value}". Choose from: ${values.join(', ')}.`);
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
