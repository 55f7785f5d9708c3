import { folded } from '../api/record';
import { toTimeMs } from './timeZone';
import type { ParameterValue } from './value';
import { isBlank, valuesOf } from './value';

const YES = ['true', 'yes', 'on', '1'];
const NO = ['false', 'no', 'off', '0'];

/** What AI agents enter to mean no filter. */
const NOTHING = ['any', 'none'];

const MOST_LETTERS = 60;

/** A value as a message shows it. */
function show(value: unknown): string {
	if (isBlank(value)) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value !== 'string') return String(value);
	return JSON.stringify(value.length > MOST_LETTERS ? `${value.slice(0, MOST_LETTERS)}…` : value);
}

/** The value of an option, or its default if it was not added or an AI agent left it blank. */
export function valueOrDefault(value: ParameterValue, label: string, defaultValue?: unknown): unknown {
	if (value.isMissing) {
		throw new Error(`"${label}" is empty: its expression has no value. Correct the expression, or enter a value`);
	}
	const isUnset = value.value === undefined || (value.isFromAgent && value.isEmpty);
	return isUnset ? defaultValue : value.value;
}

interface FilterKind {
	/** Finds the values in the input. */
	split?: (value: unknown) => unknown[];
	/** The choices are known, so words for "nothing" cannot be one of them. */
	isChoice?: boolean;
	/** What "all" stands for in the message. */
	all?: string;
}

/**
 * The values to filter by; none for no filter. An expression that resolves to nothing is refused: one blank row must not mean
 * all clients.
 */
export function filterValues(
	value: ParameterValue,
	label: string,
	{ split = valuesOf, isChoice = false, all = 'no filter' }: FilterKind = {},
): unknown[] {
	const mayMeanNothing = isChoice || value.isFromAgent;
	const wanted = split(value.value).filter((item) => !(mayMeanNothing && NOTHING.includes(folded(item))));
	if (wanted.length === 0 && !value.isFixed && !value.isFromAgent) {
		throw new Error(
			`"${label}" is empty: its expression has no value. Correct the expression, or have it return "all" for ${all}`,
		);
	}
	return wanted.length === 1 && folded(wanted[0]) === 'all' ? [] : wanted;
}

/** The values of a list, or of text with commas. */
export function splitValues(value: unknown): unknown[] {
	return valuesOf(value).flatMap((part) => (typeof part === 'string' ? valuesOf(part.split(',')) : [part]));
}

export function onlyValue(values: unknown[], label: string): unknown {
	if (values.length === 1) return values[0];
	throw new Error(
		`"${label}" takes one value, not ${values.length}. Enter one, or use the Split Out node to get one item for each`,
	);
}

export function parseNumber(
	value: unknown,
	label: string,
	{ min, max = Infinity, isWhole = true }: { min: number; max?: number; isWhole?: boolean },
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isNumber = isWhole ? Number.isInteger(number) : Number.isFinite(number);
	if (isNumber && (number as number) >= min && (number as number) <= max) return number as number;
	const kind = isWhole ? 'a whole number' : 'a number';
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	throw new Error(`"${label}" must be ${kind} ${range}, not ${show(value)}`);
}

/** Also accepts the text forms that expressions and AI agents return. */
export function parseBoolean(value: unknown, label: string): boolean {
	const text = folded(value);
	if (YES.includes(text)) return true;
	if (NO.includes(text)) return false;
	throw new Error(`"${label}" must be true or false, not ${show(value)}`);
}

/** Case is ignored. */
export function parseChoice<T extends string>(value: unknown, label: string, choices: readonly T[]): T {
	const choice = choices.find((candidate) => folded(candidate) === folded(value));
	if (choice !== undefined) return choice;
	const reason = isBlank(value) ? 'is empty' : `cannot be ${show(value)}`;
	throw new Error(`"${label}" ${reason}. Use one of: ${choices.join(', ')}`);
}

/** A list, or text with commas. */
export function parseChoices<T extends string>(value: unknown, label: string, choices: readonly T[]): T[] {
	return [...new Set(splitValues(value).map((part) => parseChoice(part, label, choices)))];
}

export function parseText(value: unknown, label: string): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'bigint' || Number.isFinite(value)) return String(value);
	const advice = typeof value === 'object' ? '. Use one of its fields' : '';
	throw new Error(`"${label}" must be text, not ${show(value)}${advice}`);
}

export function parseEmail(value: unknown, label: string): string {
	const email = parseText(value, label);
	const addresses = email.split(/[\s,;]/).filter((part) => part.includes('@'));
	return addresses.length > 1 ? parseText(onlyValue(addresses, label), label) : email;
}

export function requireText(value: unknown, label: string, parse = parseText): string {
	const values = valuesOf(value);
	if (values.length > 0) return parse(onlyValue(values, label), label);
	throw new Error(`"${label}" is empty. Enter a value, or check its expression`);
}

export function parseTime(value: unknown, label: string, timeZone: string): number {
	const timeMs = toTimeMs(value, timeZone);
	if (timeMs !== undefined) return timeMs;
	throw new Error(`"${label}" is not a date: ${show(value)}. Use a date like 2026-01-31 or 2026-01-31T09:00:00Z`);
}
