interface Axis {
	/** The first reading is the default. */
	readonly readings: readonly string[];
	readonly help: string;
}

export const AXES = {
	tokenMethod: {
		readings: ['GET', 'POST', 'both'],
		help: 'method of the token request',
	},
	wrongMethod: {
		readings: ['405', '404', '501', 'envelope-405', 'envelope-404'],
		help: 'answer to a token request by any other method; envelope-*: inside an HTTP 200',
	},
	expiresIn: {
		readings: ['seconds', 'milliseconds', 'minutes', 'epoch', 'text', 'zero', 'negative', 'absent'],
		help: 'how expires_in is written; the real lifetime stays the same',
	},
	tokenRefusal: {
		readings: ['401', '403', 'envelope-401', 'envelope-403'],
		help: 'how a refused token is signalled; envelope-*: inside an HTTP 200',
	},
	pageParameter: {
		readings: ['page_no', 'page', 'both', 'neither'],
		help: 'the page parameter that counts; others are unknown to the service; neither: always page 1',
	},
	otherParameters: {
		readings: ['ignored', 'refused-400', 'refused-422'],
		help: 'what happens to parameters the list endpoint does not know',
	},
	pageNumber: {
		readings: ['right', 'from-zero', 'always-one', 'absent'],
		help: 'how the page number is echoed',
	},
	overLimit: {
		readings: ['granted', 'capped', 'refused-400', 'refused-413', 'refused-422', 'refused-500', 'empty'],
		help: 'what happens to a page_limit above the maximum',
	},
	pageSizes: {
		readings: ['any', 'minimum', 'steps', 'fixed'],
		help: 'sizes of page up to the maximum: any, 20 or more, one of 10, 25, 50, 100, …, or always 25',
	},
	pageLimitEcho: {
		readings: ['right', 'absent', 'asked', 'always-ten'],
		help: 'how page_limit is echoed; asked: what was asked for, whatever was granted',
	},
	order: {
		readings: [
			'created-ascending',
			'created-descending',
			'arbitrary',
			'shuffled',
			'last-changed',
			'by-status',
			'ties-by-size',
			'by-page',
		],
		help: 'shuffled: new every time; ties-by-size: by day, then size; by-page: even pages backwards',
	},
	beyondLast: {
		readings: [
			'empty',
			'404',
			'400',
			'last-page',
			'204',
			'410',
			'416',
			'bare-404',
			'data-null',
			'data-empty',
			'results-null',
			'first-page',
			'more-rows',
		],
		help: 'answer to a page beyond the last; bare: no envelope; more-rows: made-up clients for ever',
	},
	emptyList: {
		readings: ['page', '404', '204', 'bare-404', 'results-null'],
		help: 'answer to the first page of a list without any client',
	},
	hiddenRows: {
		readings: ['none', 'after-paging'],
		help: 'clients nobody may see, left out of each page after the list was cut into pages',
	},
	totals: {
		readings: ['numbers', 'strings', 'zero', 'absent', 'pages-only', 'too-high', 'too-low', 'of-page'],
		help: 'how total_count and total_pages are given; of-page: the rows of this page, and one page',
	},
	emailFilter: {
		readings: ['exact', 'contains', 'group-name', 'ignored', 'any-case'],
		help: 'what client_email is compared with, and how (contains: in any case)',
	},
	groupFilter: {
		readings: ['exact', 'any-case', 'contains'],
		help: 'how group_name is compared (contains: in any case)',
	},
	choiceFilters: {
		readings: ['documented', 'any-case', 'as-stored', 'nobody'],
		help: 'how request_status and client_type are compared; as-stored: exactly; nobody: none comes',
	},
	severalFilters: {
		readings: ['all', 'any', 'first'],
		help: 'which filters a client must match; first: only one counts',
	},
	statusCase: {
		readings: ['capitalised', 'lower', 'mixed'],
		help: 'how request_status is written in records',
	},
	extras: {
		readings: ['none', 'fields', 'statuses'],
		help: 'unknown fields in every record, or an unknown status in some',
	},
	rateLimit: {
		readings: ['none', 'seconds', 'date', 'bare', 'zero', 'past'],
		help: '429 above the allowed rate; how Retry-After is given (bare: not at all; past: a date)',
	},
} as const satisfies Record<string, Axis>;

export type AxisName = keyof typeof AXES;
export type Dialect = { -readonly [A in AxisName]: (typeof AXES)[A]['readings'][number] };

export const AXIS_NAMES = Object.keys(AXES) as AxisName[];

export const DEFAULT_DIALECT = Object.fromEntries(AXIS_NAMES.map((axis) => [axis, AXES[axis].readings[0]])) as Dialect;

function isAxis(name: string): name is AxisName {
	return Object.hasOwn(AXES, name);
}

/** `label` is what the complaint calls the axis. */
export function parseReading<A extends AxisName>(axis: A, value: unknown, label: string = axis): Dialect[A] {
	const wanted = String(value).toLowerCase();
	const readings: readonly string[] = AXES[axis].readings;
	const reading = readings.find((candidate) => candidate.toLowerCase() === wanted);
	if (reading === undefined || typeof value === 'object') {
		throw new Error(`${label} cannot be "${value}". Choose from: ${readings.join(', ')}.`);
	}
	return reading as Dialect[A];
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
