import { CLIENT_TYPES, REQUEST_STATUSES } from '../data/client.mts';
import type { Behavior } from './behavior.mts';
import { Refusal } from './envelope.mts';

export type Query = Readonly<Record<string, string>>;

/** In the order in which the value "first" of severalFilters picks the one filter that counts. */
export const FILTER_NAMES = ['client_email', 'request_status', 'client_type', 'group_name'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

export interface ListQuery {
	page: number;
	/** How many rows a page has, which need not be how many were asked for. */
	limit: number;
	/** Above the maximum, where the service returns no rows for that. */
	isTooLarge: boolean;
	askedLimit: number;
	filters: ReadonlyArray<{ name: FilterName; value: string }>;
}

const CHOICES: Partial<Record<FilterName, readonly string[]>> = {
	request_status: REQUEST_STATUSES.map((status) => status.toLowerCase()),
	client_type: CLIENT_TYPES,
};

const DEFAULT_PAGE = 1;
const DEFAULT_PAGE_LIMIT = 10;

function readPositiveInteger(query: Query, name: string): number | undefined {
	const text = query[name];
	if (text === undefined) return undefined;
	const value = Number(text);
	if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(value)) {
		throw new Refusal(400, `${name} must be a positive integer.`);
	}
	return value;
}

function pageNames({ pageParameter }: Behavior): readonly string[] {
	return pageParameter === 'neither' ? [] : [pageParameter];
}

function refuseOthers(query: Query, behavior: Behavior) {
	if (behavior.otherParameters === 'ignored') return;
	const known = [...pageNames(behavior), 'page_limit', ...FILTER_NAMES];
	const other = Object.keys(query).find((name) => !known.includes(name));
	if (other === undefined) return;
	const status = behavior.otherParameters === 'refused-400' ? 400 : 422;
	throw new Refusal(status, `There is no parameter "${other}". Choose from: ${known.join(', ')}.`);
}

function readPage(query: Query, behavior: Behavior): number {
	const pages = pageNames(behavior).map((name) => readPositiveInteger(query, name));
	return pages.find((page) => page !== undefined) ?? DEFAULT_PAGE;
}

function readLimit(query: Query, { overLimit }: Behavior, maxPageLimit: number): number {
	const limit = readPositiveInteger(query, 'page_limit') ?? Math.min(DEFAULT_PAGE_LIMIT, maxPageLimit);
	if (limit <= maxPageLimit) return limit;
	if (overLimit === 'granted' || overLimit === 'empty' || overLimit === 'hang') return limit;
	if (overLimit === 'capped') return maxPageLimit;
	const status = { 'refused-400': 400, 'refused-413': 413, 'refused-422': 422, 'refused-500': 500 }[overLimit];
	throw new Refusal(status, `page_limit must not be greater than ${maxPageLimit}.`);
}

const FIXED_SIZE = 25;

function readFilters(query: Query): ListQuery['filters'] {
	return FILTER_NAMES.flatMap((name) => {
		const value = query[name];
		if (value === undefined) return [];
		const choices = CHOICES[name];
		if (choices && !choices.includes(value)) {
			throw new Refusal(400, `${name} must be one of: ${choices.join(', ')}.`);
		}
		return [{ name, value }];
	});
}

export function readListQuery(query: Query, behavior: Behavior, maxPageLimit: number): ListQuery {
	refuseOthers(query, behavior);
	const isFixed = behavior.pageSizes === 'fixed';
	const limit = isFixed ? Math.min(FIXED_SIZE, maxPageLimit) : readLimit(query, behavior, maxPageLimit);
	return {
		page: readPage(query, behavior),
		limit,
		isTooLarge: behavior.overLimit !== 'granted' && limit > maxPageLimit,
		askedLimit: Number(query.page_limit) || limit,
		filters: readFilters(query),
	};
}
