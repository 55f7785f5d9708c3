/** A number the user or an expression gave, or an error that names the field. */
export function parseNumber(
	value: unknown,
	field: string,
	{ min, max = Infinity, isWhole = true }: { min: number; max?: number; isWhole?: boolean },
): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isValid = typeof number === 'number' && number >= min && number <= max && (!isWhole || Number.isInteger(number));
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

/** Names from a list, or from text with commas between them. */
export function parseNames(value: unknown): string[] {
	const names = Array.isArray(value) ? value : String(value ?? '').split(',');
	return names.map((name) => String(name).trim()).filter(Boolean);
}
