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
	const consistency = valueOrDefault(options.at('consistency'), 'Read Mode', 'exact');
	return {
		paging: {
			consistency: parseChoice(consistency, 'Read Mode', ['exact', 'fast']),
			pageSize: pageSize === undefined ? undefined : parseNumber(pageSize, 'Page Size', { min: 1 }),
		},
		parallelRequests: parseNumber(parallelRequests, 'Parallel Requests', { min: 1, max: 20 }),
		timeoutMs: 1000 * parseNumber(timeout, 'Timeout (Seconds)', { min: 1, max: 300, isWhole: false }),
	};
}

export function parseFilters(filters: ParameterValue, options: ParameterValue, timeZone: string): Filters {
	const textMatch = parseTextMatch(options.at('textMatch'));
	const readText = (name: string, label: string, match: TextMatch, parse = parseText) =>
		toTextFilter(parseOne(filters.at(name), label, parse), match);
	const readChoices = (name: string, label: string, choices: string[]) =>
		parseChoices(filterValues(filters.at(name), label, { split: splitValues, isChoice: true }), label, choices);
	const readTime = (name: string, label: string) =>
		parseOne(filters.at(name), label, (value) => parseTime(value, label, timeZone));
	const readDays = (name: string, label: string) =>
		parseOne(filters.at(name), label, (value) => DAY_MS * parseNumber(value, label, { min: 0, isWhole: false }));
	return {
		texts: {
			email: readText('clientEmail', 'Client Email', textMatch, parseEmail),
			// A status is a word: part of it would be another status.
			client_status: readText('clientStatus', 'Client Status', 'whole'),
			group_name: toTextFilter(parseGroup(filters.at('groupName')), textMatch),
		},
		choices: {
			client_type: readChoices('clientType', 'Client Type', CLIENT_TYPES),
			request_status: readChoices('requestStatus', 'Request Status', REQUEST_STATUSES),
		},
		createdAfterMs: readTime('createdAfter', 'Created After'),
		createdBeforeMs: readTime('createdBefore', 'Created Before'),
		youngerThanMs: readDays('createdWithinDays', 'Created Within (Days)'),
		olderThanMs: readDays('olderThanDays', 'Created More Than (Days Ago)'),
	};
}

function toTextFilter(text: string | undefined, match: TextMatch): { text: string; match: TextMatch } | undefined {
	return text === undefined ? undefined : { text, match };
}

function parseTextMatch(value: ParameterValue): TextMatch {
	return parseChoice(valueOrDefault(value, 'Text Match', 'whole'), 'Text Match', ['whole', 'part']);
}

/** A resource locator, or the name alone if an expression or an AI agent gives it. */
function parseGroup(value: ParameterValue): string | undefined {
	const locator = asRecord(value.value);
	const name = locator && 'value' in locator ? value.at('value') : value;
	// Chosen from the list, it is the name of a group, even if that is "all".
	if (locator?.mode === 'list' && name.isFixed && !name.isEmpty) return parseText(name.value, 'Group');
	return parseOne(name, 'Group', parseText);
}

function parseOne<T>(value: ParameterValue, label: string, parse: (value: unknown, label: string) => T): T | undefined {
	const wanted = filterValues(value, label);
	return wanted.length === 0 ? undefined : parse(onlyValue(wanted, label), label);
}

const FIELD_NAMES = new Map(
	fieldsToReturn.options.flatMap(({ name, value }) => [name, value].map((text) => [folded(text), value])),
);

/** A list, or text with commas; none for all fields. */
export function parseFields(value: ParameterValue): string[] {
	const label = 'Fields to Return';
	const names = filterValues(value, label, { split: splitValues, all: 'all fields' });
	return names.map((name) => FIELD_NAMES.get(folded(parseText(name, label))) ?? parseText(name, label));
}

/** Undefined for the order of the service. */
export function parseSort(value: ParameterValue): Sort | undefined {
	const sort = valueOrDefault(value, 'Sort');
	return sort === undefined ? undefined : parseChoice(sort, 'Sort', SORTS);
}
