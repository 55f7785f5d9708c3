import type { IDataObject } from 'n8n-workflow';
import type { Filters } from '../list/filters';
import type { Sort } from '../list/sorting';
import { SORTS } from '../list/sorting';
import type { Paging } from '../pagination/readList';
import { asRecord, CLIENT_TYPES, folded, REQUEST_STATUSES } from '../api/record';
import { DEFAULTS, fieldsToReturn } from './fields';
import { Given } from './given';
import {
	onlyOf,
	parseChoice,
	parseChoices,
	parseEmail,
	parseNumber,
	parseText,
	parseTime,
	partsOf,
	settingOf,
	wantedBy,
} from './parsing';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Input {
	filters: Filters;
	paging: Paging;
	/** How much is asked of the service at once, and how long its answers are waited for. */
	access: { parallelRequests: number; timeoutMs: number };
	/** Which fields say from when and until when clients are created. */
	rangeFields: { after: string; before: string };
}

/**
 * The filters and options that node and trigger share, as n8n hands them over. Throws an error that names the field where a
 * value cannot be meant.
 */
export function parseInput(filters: Given, options: Given, timeZone: string, nowMs = Date.now()): Input {
	const { rangeFields, ...range } = parseRange(filters, timeZone, nowMs);
	return {
		...parsePaging(options),
		filters: { ...parseFilters(filters, options.at('textMatch')), ...range },
		rangeFields,
	};
}

/** How a list is read for all who want something of it: as carefully as the most careful of them would. */
export function shareReading(inputs: Input[]): Pick<Input, 'paging' | 'access'> {
	const pageSizes = inputs.flatMap(({ paging }) => paging.pageSize ?? []);
	const isExact = inputs.some(({ paging }) => paging.consistency === 'exact');
	return {
		paging: {
			pageSize: pageSizes.length > 0 ? least(pageSizes) : undefined,
			consistency: isExact ? 'exact' : 'fast',
		},
		access: {
			parallelRequests: least(inputs.map(({ access }) => access.parallelRequests)),
			timeoutMs: greatest(inputs.map(({ access }) => access.timeoutMs)),
		},
	};
}

/** Of any number of them; Math.min and Math.max take only so many. */
function least(numbers: number[]): number {
	return numbers.reduce((one, other) => Math.min(one, other));
}

function greatest(numbers: number[]): number {
	return numbers.reduce((one, other) => Math.max(one, other));
}

export function parsePaging(options: Given): Pick<Input, 'paging' | 'access'> {
	const pageSize = settingOf(options.at('pageSize'), 'Page Size');
	const parallelRequests = settingOf(options.at('parallelRequests'), 'Parallel Requests', DEFAULTS.parallelRequests);
	const timeout = settingOf(options.at('timeout'), 'Timeout (Seconds)', DEFAULTS.timeout);
	const whileChanging = 'If the List Changes Meanwhile';
	const consistency = settingOf(options.at('consistency'), whileChanging, 'exact');
	return {
		paging: {
			consistency: parseChoice(consistency, whileChanging, ['exact', 'fast']),
			pageSize: pageSize === undefined ? undefined : parseNumber(pageSize, 'Page Size', { min: 1 }),
		},
		access: {
			parallelRequests: parseNumber(parallelRequests, 'Parallel Requests', { min: 1, max: 20 }),
			timeoutMs: 1000 * parseNumber(timeout, 'Timeout (Seconds)', { min: 1, max: 300, isWhole: false }),
		},
	};
}

/** When clients were created: by dates, by their age, or by both, of which the narrower holds. A day has 24 hours here. */
function parseRange(
	filters: Given,
	timeZone: string,
	nowMs: number,
): Pick<Filters, 'createdAfterMs' | 'createdBeforeMs' | 'isAboutAge'> & Pick<Input, 'rangeFields'> {
	const date = (name: string, field: string): Bound => ({
		field,
		ms: parseWanted(filters.at(name), field, (value) => parseTime(value, field, timeZone)),
	});
	const age = (name: string, field: string): Bound => {
		const days = parseWanted(filters.at(name), field, (value) => parseNumber(value, field, { min: 0, isWhole: false }));
		return { field, ms: days === undefined ? undefined : nowMs - days * DAY_MS };
	};
	const olderThan = age('olderThanDays', AGE_FIELDS.olderThan);
	const after = narrower([date('createdAfter', 'Created After'), age('createdWithinDays', AGE_FIELDS.youngerThan)], 1);
	const before = narrower([date('createdBefore', 'Created Before'), olderThan], -1);
	return {
		createdAfterMs: after.ms,
		createdBeforeMs: before.ms,
		...(olderThan.ms !== undefined && { isAboutAge: true }),
		rangeFields: { after: after.field, before: before.field },
	};
}

/** What the filters by age are called. */
export const AGE_FIELDS = { youngerThan: 'Created in the Last (Days)', olderThan: 'Older Than (Days)' };

interface Bound {
	field: string;
	ms?: number;
}

function narrower([one, other]: Bound[], direction: 1 | -1): Bound {
	const isOther = one.ms === undefined || (other.ms !== undefined && (other.ms - one.ms) * direction > 0);
	return isOther ? other : one;
}

function parseFilters(filters: Given, textMatch: Given): Filters {
	const one = <T>(name: string, field: string, parse: (value: unknown, field: string) => T) =>
		parseWanted(filters.at(name), field, parse);
	const some = (name: string, field: string, choices: string[]) =>
		parseChoices(wantedBy(filters.at(name), field, { split: partsOf, isChoice: true }), field, choices);
	return {
		textMatch: parseChoice(settingOf(textMatch, 'Text Filters Match', 'whole'), 'Text Filters Match', [
			'whole',
			'part',
		]),
		clientEmail: one('clientEmail', 'Client Email', parseEmail),
		clientStatus: one('clientStatus', 'Client Status', parseText),
		clientTypes: some('clientType', 'Client Type', CLIENT_TYPES),
		groupName: parseGroup(filters.at('groupName')),
		requestStatuses: some('requestStatus', 'Request Status', REQUEST_STATUSES),
	};
}

function parseWanted<T>(given: Given, field: string, parse: (value: unknown, field: string) => T): T | undefined {
	const wanted = wantedBy(given, field);
	return wanted.length === 0 ? undefined : parse(onlyOf(wanted, field), field);
}

/** From a resource locator, or from the name alone where an expression or an AI agent gives it. */
function parseGroup(given: Given): string | undefined {
	const locator = asRecord(given.value);
	const name = locator && 'value' in locator ? given.at('value') : given;
	// Chosen from the list, so it is the name of a group, even if that is "all".
	if (locator?.mode === 'list' && name.isFixed && !name.isEmpty) return parseText(name.value, 'Group');
	return parseWanted(name, 'Group', parseText);
}

const FIELD_NAMES = new Map(
	fieldsToReturn.options.flatMap(({ name, value }) => [name, value].map((text) => [folded(text), value])),
);

/** Which fields to return, given as a list or as text with commas; none for all of them. */
export function parseFields(given: Given): string[] {
	const field = 'Fields to Return';
	const names = wantedBy(given, field, { split: partsOf, all: 'all fields' }).map((name) => parseText(name, field));
	return names.map((name) => FIELD_NAMES.get(folded(name)) ?? name);
}

/** In which order clients are wanted; undefined for that of the service. */
export function parseSort(given: Given): Sort | undefined {
	const sort = settingOf(given, 'Sort');
	return sort === undefined ? undefined : (parseChoice(sort, 'Sort', [...SORTS]) as Sort);
}

/** The records with only these fields; with all of them where none is named. Throws where no record has any of them. */
export function pickFields(records: IDataObject[], names: string[]): IDataObject[] {
	if (names.length === 0 || records.length === 0) return records;
	if (!names.some((name) => records.some((record) => Object.hasOwn(record, name)))) {
		throw new Error(`"Fields to Return" names nothing that clients have: ${names.join(', ')}. Choose from the list`);
	}
	return records.map((record) =>
		Object.fromEntries(names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]])),
	);
}
