interface Axis {
	/** What the specification leaves open. The first is the default. */
	readonly behaviors: readonly string[];
	/** What contradicts the specification. */
	readonly violations: readonly string[];
	readonly help: string;
}

export const AXES = {
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
		behaviors: ['capitalised', 'lower', 'mixed'],
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
} as const satisfies Record<string, Axis>;

export type AxisName = keyof typeof AXES;
export type Dialect = {
	-readonly [A in AxisName]: (typeof AXES)[A]['behaviors'][number] | (typeof AXES)[A]['violations'][number];
};

export const AXIS_NAMES = Object.keys(AXES) as AxisName[];

export const DEFAULT_DIALECT = Object.fromEntries(AXIS_NAMES.map((axis) => [axis, AXES[axis].behaviors[0]])) as Dialect;

/** Behaviors first, then violations. */
export function valuesOf<A extends AxisName>(axis: A): ReadonlyArray<Dialect[A]> {
	const { behaviors, violations }: Axis = AXES[axis];
	return [...behaviors, ...violations] as Array<Dialect[A]>;
}

function isAxis(name: string): name is AxisName {
	return Object.hasOwn(AXES, name);
}

/** `label` is what the complaint calls the axis. */
export function parseReading<A extends AxisName>(axis: A, value: unknown, label: string = axis): Dialect[A] {
	const wanted = String(value).toLowerCase();
	const readings = valuesOf(axis);
	const reading = readings.find((candidate) => candidate.toLowerCase() === wanted);
	if (reading === undefined || typeof value === 'object') {
		throw new Error(`${label} cannot be "${value}". Choose from: ${readings.join(', ')}.`);
	}
	return reading;
}

export function parseDialect(values: unknown): Partial<Dialect> {
	if (typeof values !== 'object' || values === null || Array.isArray(values)) {
		throw new Error('A dialect is an object such as {"order": "shuffled"}.');
	}
	const entries = Object.entries(values).map(([axis, value]) => {
		if (!isAxis(axis)) {
			throw new Error(`There is no axis "${axis}". Choose from: ${AXIS_NAMES.join(', ')}.`);
		}
		return [axis, parseReading(axis, value)];
	});
	return Object.fromEntries(entries) as Partial<Dialect>;
}
