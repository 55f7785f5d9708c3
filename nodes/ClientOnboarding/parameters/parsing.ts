import { folded } from '../api/record';
import type { Given } from './given';
import { isBlank, valuesOf } from './given';
import { toTimeMs } from './time';

const YES = ['true', 'yes', 'on', '1'];
const NO = ['false', 'no', 'off', '0'];

/** What agents say where they mean nothing. */
const NOTHING = ['any', 'none'];

const MOST_LETTERS = 60;

/** A value in the words of a message. */
function show(value: unknown): string {
	if (isBlank(value)) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value !== 'string') return String(value);
	return JSON.stringify(value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)}…` : value);
}

/**
 * What a setting was given, or what holds where it was left alone, which an agent does by leaving it blank. Throws where an
 * expression came to nothing.
 */
export function settingOf(given: Given, field: string, otherwise?: unknown): unknown {
	if (given.isMissing) {
		throw new Error(`"${field}" is empty: its expression came to nothing. Check it, or enter a value instead`);
	}
	const isLeftAlone = given.value === undefined || (given.isFromAgent && given.isEmpty);
	return isLeftAlone ? otherwise : given.value;
}

interface FilterKind {
	/** Which values there are in what was given. */
	split?: (value: unknown) => unknown[];
	/** The choices are known, so that words for nothing cannot be meant as one of them. */
	isChoice?: boolean;
	/** What "all" stands for. */
	all?: string;
}

/**
 * What to filter by; nothing where there is no such filter. Throws where an expression came to nothing: one blank row must
 * not mean everybody.
 */
export function wantedBy(
	given: Given,
	field: string,
	{ split = valuesOf, isChoice = false, all = 'no filter' }: FilterKind = {},
): unknown[] {
	const hasWords = isChoice || given.isFromAgent;
	const wanted = split(given.value).filter((value) => !(hasWords && NOTHING.includes(folded(value))));
	if (wanted.length === 0 && !given.isFixed && !given.isFromAgent) {
		throw new Error(
			`"${field}" is empty: its expression came to nothing. Check it, remove it, or enter the word all for ${all}`,
		);
	}
	return wanted.length === 1 && folded(wanted[0]) === 'all' ? [] : wanted;
}

/** The parts of a list, or of text with commas. */
export function partsOf(value: unknown): unknown[] {
	return valuesOf(value).flatMap((part) => (typeof part === 'string' ? valuesOf(part.split(',')) : [part]));
}

/** The one value there is, or an error that names the field. */
export function onlyOf(values: unknown[], field: string): unknown {
	if (values.length === 1) return values[0];
	throw new Error(`"${field}" takes one value, not ${values.length}. Give one, or split the list into one item each`);
}

/** A number the user or an expression gave, or an error that names the field. */
export function parseNumber(
	value: unknown,
	field: string,
	{ min, max = Infinity, isWhole = true }: { min: number; max?: number; isWhole?: boolean },
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isNumber = isWhole ? Number.isInteger(number) : Number.isFinite(number);
	if (isNumber && (number as number) >= min && (number as number) <= max) return number as number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new Error(`"${field}" has to be ${kind} ${range}, not ${show(value)}`);
}

/** Yes or no, also as the text that expressions and agents make of it, or an error that names the field. */
export function parseBoolean(value: unknown, field: string): boolean {
	const text = folded(value);
	if (YES.includes(text)) return true;
	if (NO.includes(text)) return false;
	throw new Error(`"${field}" has to be true or false, not ${show(value)}`);
}

/** One of the choices, in any case, or an error that names the field. */
export function parseChoice<T extends string>(value: unknown, field: string, choices: readonly T[]): T {
	const choice = choices.find((candidate) => folded(candidate) === folded(value));
	if (choice !== undefined) return choice;
	const trouble = isBlank(value) ? 'is empty' : `has no choice ${show(value)}`;
	throw new Error(`"${field}" ${trouble}. Use one of: ${choices.join(', ')}`);
}

/** Some of the choices, given as a list or as text with commas, or an error that names the field. */
export function parseChoices<T extends string>(value: unknown, field: string, choices: readonly T[]): T[] {
	return [...new Set(partsOf(value).map((part) => parseChoice(part, field, choices)))];
}

/** Text without the space around it, or an error that names the field. */
export function parseText(value: unknown, field: string): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'bigint' || Number.isFinite(value)) return String(value);
	const advice = typeof value === 'object' ? '. Choose the one field in it that you mean' : '';
	throw new Error(`"${field}" has to be text, not ${show(value)}${advice}`);
}

/** One e-mail address, or an error that names the field. */
export function parseEmail(value: unknown, field: string): string {
	const email = parseText(value, field);
	const addresses = email.split(/[\s,;]+/).filter((part) => part.includes('@'));
	return addresses.length > 1 ? parseText(onlyOf(addresses, field), field) : email;
}

/** Text that is not blank, or an error that names the field. */
export function requireText(value: unknown, field: string, parse = parseText): string {
	const values = valuesOf(value);
	if (values.length > 0) return parse(onlyOf(values, field), field);
	throw new Error(`"${field}" is empty. Fill it in, or check the expression in it`);
}

/** A point in time, or an error that names the field. */
export function parseTime(value: unknown, field: string, timeZone: string): number {
	const timeMs = toTimeMs(value, timeZone);
	if (timeMs !== undefined) return timeMs;
	throw new Error(`"${field}" is not a date: ${show(value)}. Use a date like 2026-01-31 or 2026-01-31T09:00:00Z`);
}
