import type { IDataObject } from 'n8n-workflow';
import type { TextMatch } from '../service/filters';

/** A number the user or an expression gave, or an error that names the field. */
export function parseNumber(
	value: unknown,
	field: string,
	{ min, max = Infinity, isWhole = true }: { min: number; max?: number; isWhole?: boolean },
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isValid =
		typeof number === 'number' && number >= min && number <= max && (!isWhole || Number.isInteger(number));
	if (isValid) return number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new Error(`"${field}" has to be ${kind} ${range}, not ${JSON.stringify(value) ?? 'empty'}`);
}

export interface ReadingOptions {
	pageSize?: number;
	parallelRequests: number;
	textMatch: TextMatch;
	timeoutMs: number;
}

/** The options that say how the list is read; throws an error that names the option where a value cannot be meant. */
export function parseReadingOptions({
	pageSize,
	parallelRequests = 5,
	textMatch = 'whole',
	timeout = 30,
}: IDataObject): ReadingOptions {
	return {
		pageSize: pageSize === undefined ? undefined : parseNumber(pageSize, 'Page Size', { min: 1 }),
		parallelRequests: parseNumber(parallelRequests, 'Parallel Requests', { min: 1, max: 20 }),
		textMatch: parseChoice(textMatch, 'Text Filters Match', ['whole', 'part']),
		timeoutMs: 1000 * parseNumber(timeout, 'Timeout', { min: 1, max: 300, isWhole: false }),
	};
}

/** One of the choices, or an error that names the field. */
export function parseChoice<T extends string>(value: unknown, field: string, choices: readonly T[]): T {
	const choice = choices.find((candidate) => candidate === value);
	if (choice) return choice;
	throw new Error(`"${field}" has no choice ${JSON.stringify(value)}. Use one of: ${choices.join(', ')}`);
}

/** Text that is not blank, or an error that names the field. */
export function parseText(value: unknown, field: string): string {
	const text = String(value ?? '').trim();
	if (text !== '') return text;
	throw new Error(`"${field}" is empty. Fill it in, or check the expression in it`);
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
