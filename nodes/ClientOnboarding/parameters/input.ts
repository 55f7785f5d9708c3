import type { IDataObject } from 'n8n-workflow';
import type { Filters } from '../list/filters';
import type { Paging } from '../list/snapshot';
import { asRecord } from '../service/answer';
import { CLIENT_TYPES, REQUEST_STATUSES } from '../service/client';
import { DEFAULTS } from './fields';
import { parseChoice, parseChoices, parseNumber, parseText, parseTime } from './parsing';

export interface Input {
	filters: Filters;
	paging: Paging;
	timeoutMs: number;
}

/**
 * The filters and options that node and trigger share, as n8n hands them over. Throws an error that names the field where a
 * value cannot be meant.
 */
export function parseInput(filters: IDataObject, options: IDataObject, timeZone: string): Input {
	return { ...parsePaging(options), filters: parseFilters(filters, options.textMatch, timeZone) };
}

export function parsePaging({
	pageSize,
	parallelRequests = DEFAULTS.parallelRequests,
	timeout = DEFAULTS.timeout,
}: IDataObject): Omit<Input, 'filters'> {
	return {
		paging: {
			pageSize: pageSize === undefined ? undefined : parseNumber(pageSize, 'Page Size', { min: 1 }),
			parallelRequests: parseNumber(parallelRequests, 'Parallel Requests', { min: 1, max: 20 }),
		},
		timeoutMs: 1000 * parseNumber(timeout, 'Timeout', { min: 1, max: 300, isWhole: false }),
	};
}

function parseFilters(raw: IDataObject, textMatch: unknown, timeZone: string): Filters {
	return {
		textMatch: parseChoice(textMatch ?? 'whole', 'Text Filters Match', ['whole', 'part']),
		clientEmail: parseText(raw.clientEmail),
		clientType: parseChoices(raw.clientType, 'Client Type', CLIENT_TYPES).at(0),
		createdAfterMs: parseTime(raw.createdAfter, 'Created After', timeZone),
		createdBeforeMs: parseTime(raw.createdBefore, 'Created Before', timeZone),
		// A resource locator, or the name alone where an expression or an AI agent gives it.
		groupName: parseText((asRecord(raw.groupName) ?? { value: raw.groupName }).value),
		requestStatuses: parseChoices(raw.requestStatus, 'Request Status', REQUEST_STATUSES),
	};
}

/** The records with only these fields, given as a list or as text with commas; with all of them where none is given. */
export function pickFields(records: IDataObject[], fields: unknown): IDataObject[] {
	const texts = Array.isArray(fields) ? fields : String(fields ?? '').split(',');
	const names = texts.map((name) => String(name).trim()).filter(Boolean);
	if (names.length === 0) return records;
	return records.map((record) =>
		Object.fromEntries(names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]])),
	);
}
