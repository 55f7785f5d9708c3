import type { Filters, TextMatch } from '../query/filters';
import type { Sort } from '../query/sort';
import { SORTS } from '../query/sort';
import type { Paging } from '../pagination/readList';
import { asRecord, CLIENT_TYPES, folded, REQUEST_STATUSES } from '../api/record';
import {
	onlyValue,
	parseChoice,
	parseChoices,
	parseEmail,
	filterValues,
	parseNumber,
	valueOrDefault,
	parseText,
	parseTime,
	splitValues,
} from './parsing';
import { DEFAULTS, fieldsToReturn } from './properties';
import type { ParameterValue } from './value';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How the list is read. */
export interface ReadSettings {
	paging: Paging;
	parallelRequests: number;
	timeoutMs: number;
}

export function parseReadSettings(options: ParameterValue): ReadSettings {
	const pageSize = valueOrDefault(options.at('pageSize'), 'Page Size');
	const parallelRequests = valueOrDefault(
		options.at('parallelRequests'),
		'Parallel Requests',
		DEFAULTS.parallelRequests,
	);
	const timeout = valueOrDefault(options.at('timeout'), 'Timeout (Seconds)', DEFAULTS.timeout);
	const consistency = valueOrDefault(options.at('consistency'), 'If the List Changes Meanwhile', 'exact');
	return {
		paging: {
			consistency: parseChoice(consistency, 'If the List Changes Meanwhile', ['exact', 'fast']),
			pageSize: pageSize === undefined ? undefined : parseNumber(pageSize, 'Page Size', { min: 1 }),
		},
		parallelRequests: parseNumber(parallelRequests, 'Parallel Requests', { min: 1, max: 20 }),
		timeoutMs: 1000 * parseNumber(timeout, 'Timeout (Seconds)', { min: 1, max: 300, isWhole: false }),
	};
}

export function parseFilters(filters: ParameterValue, options: ParameterValue, timeZone: string): Filters {
	const one = <T>(name: string, field: string, parse: (value: unknown, field: string) => T) =>
		parseOne(filters.at(name), field, parse);
	const choices = (name: string, field: string, values: string[]) =>
		parseChoices(filterValues(filters.at(name), field, { split: splitValues, isChoice: true }), field, values);
	const time = (value: unknown, field: string) => parseTime(value, field, timeZone);
	const days = (value: unknown, field: string) => DAY_MS * parseNumber(value, field, { min: 0, isWhole: false });
	const match = parseTextMatch(options.at('textMatch'));
	const text = (wanted: string | undefined, how: TextMatch) =>
		wanted === undefined ? undefined : { text: wanted, match: how };
	return {
		texts: {
			email: text(one('clientEmail', 'Client Email', parseEmail), match),
			client_status: text(one('clientStatus', 'Client Status', parseText), 'whole'),
			group_name: text(parseGroup(filters.at('groupName')), match),
		},
		choices: {
			client_type: choices('clientType', 'Client Type', CLIENT_TYPES),
			request_status: choices('requestStatus', 'Request Status', REQUEST_STATUSES),
		},
		createdAfterMs: one('createdAfter', 'Created After', time),
		createdBeforeMs: one('createdBefore', 'Created Before', time),
		youngerThanMs: one('createdWithinDays', 'Created in the Last (Days)', days),
		olderThanMs: one('olderThanDays', 'Older Than (Days)', days),
	};
}

function parseTextMatch(value: ParameterValue): TextMatch {
	return parseChoice(valueOrDefault(value, 'Text Filters Match', 'whole'), 'Text Filters Match', ['whole', 'part']);
}

/** A resource locator, or the name alone if an expression or an AI agent gives it. */
function parseGroup(value: ParameterValue): string | undefined {
	const locator = asRecord(value.value);
	const name = locator && 'value' in locator ? value.at('value') : value;
	// Chosen from the list, it is the name of a group, even if that is "all".
	if (locator?.mode === 'list' && name.isFixed && !name.isEmpty) return parseText(name.value, 'Group');
	return parseOne(name, 'Group', parseText);
}

function parseOne<T>(value: ParameterValue, field: string, parse: (value: unknown, field: string) => T): T | undefined {
	const wanted = filterValues(value, field);
	return wanted.length === 0 ? undefined : parse(onlyValue(wanted, field), field);
}

const FIELD_NAMES = new Map(
	fieldsToReturn.options.flatMap(({ name, value }) => [name, value].map((text) => [folded(text), value])),
);

/** A list, or text with commas; none for all fields. */
export function parseFields(value: ParameterValue): string[] {
	const field = 'Fields to Return';
	const names = filterValues(value, field, { split: splitValues, all: 'all fields' });
	return names.map((name) => FIELD_NAMES.get(folded(parseText(name, field))) ?? parseText(name, field));
}

/** Undefined for the order of the service. */
export function parseSort(value: ParameterValue): Sort | undefined {
	const sort = valueOrDefault(value, 'Sort');
	return sort === undefined ? undefined : parseChoice(sort, 'Sort', SORTS);
}
