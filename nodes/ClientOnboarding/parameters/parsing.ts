import { folded } from '../service/client';
import { toTimeMs } from './time';

/** What a user or an AI agent puts where nothing is to be chosen. */
const MEANS_NOTHING = ['', 'all', 'any', 'none'];

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

/** One of the choices, or an error that names the field. */
export function parseChoice<T extends string>(value: unknown, field: string, choices: readonly T[]): T {
	const choice = choices.find((candidate) => candidate === value);
	if (choice) return choice;
	throw new Error(`"${field}" has no choice ${JSON.stringify(value)}. Use one of: ${choices.join(', ')}`);
}

/** Some of the choices, given as a list or as text with commas, or an error that names the field. */
export function parseChoices(value: unknown, field: string, choices: readonly string[]): string[] {
	const texts = (Array.isArray(value) ? value : String(value ?? '').split(',')).map(folded);
	const chosen = texts.filter((text) => !MEANS_NOTHING.includes(text));
	const unknown = chosen.find((text) => !choices.includes(text));
	if (unknown !== undefined) {
		throw new Error(`"${field}" has no choice "${unknown}". Use one of: ${choices.join(', ')}`);
	}
	return [...new Set(chosen)];
}

/** Text without the space around it; undefined where there is none. */
export function parseText(value: unknown): string | undefined {
	const text = String(value ?? '').trim();
	return text === '' ? undefined : text;
}

/** Text that is not blank, or an error that names the field. */
export function requireText(value: unknown, field: string): string {
	const text = parseText(value);
	if (text !== undefined) return text;
	throw new Error(`"${field}" is empty. Fill it in, or check the expression in it`);
}

/** A point in time; undefined where there is none, or an error that names the field. */
export function parseTime(value: unknown, field: string, timeZone: string): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const timeMs = toTimeMs(value, timeZone);
	if (timeMs !== undefined) return timeMs;
	throw new Error(
		`"${field}" is not a date: ${JSON.stringify(value)}. Use a date like 2026-01-31 or 2026-01-31T09:00:00Z`,
	);
}
