import { CLIENT_TYPES, REQUEST_STATUSES } from '../data/client.mts';
import type { Dialect } from './dialect.mts';
import { Refusal } from './envelope.mts';

export type Query = Readonly<Record<string, string>>;

/** In the order in which the reading "first" looks for the one filter that counts. */
export const FILTER_NAMES = ['client_email', 'request_status', 'client_type', 'group_name'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

export interface ListQuery {
	page: number;
	limit: number;
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

function readPage(query: Query, { pageParameter }: Dialect): number {
	const names = pageParameter === 'both' ? ['page_no', 'page'] : [pageParameter];
	const pages = names.map((name) => readPositiveInteger(query, name));
	return pages.find((page) => page !== undefined) ?? DEFAULT_PAGE;
}

function readLimit(query: Query, { overLimit }: Dialect, maxPageLimit: number): number {
	const limit = readPositiveInteger(query, 'page_limit') ?? Math.min(DEFAULT_PAGE_LIMIT, maxPageLimit);
	if (limit <= maxPageLimit || overLimit === 'granted') return limit;
	if (overLimit === 'capped') return maxPageLimit;
	const status = overLimit === 'refused-400' ? 400 : 422;
	throw new Refusal(status, `page_limit must not be greater than ${maxPageLimit}.`);
}

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

export function readListQuery(query: Query, dialect: Dialect, maxPageLimit: number): ListQuery {
	return {
		page: readPage(query, dialect),
		limit: readLimit(query, dialect, maxPageLimit),
		filters: readFilters(query),
	};
}
