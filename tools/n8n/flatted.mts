/** Reads n8n's run data: a table in which every text inside an object or array is the number of another entry. */
export function parseFlatted(text: string): unknown {
	const table = JSON.parse(text) as unknown[];
	const known = new Map<number, unknown>();

	function resolve(index: number): unknown {
		const entry = table[index];
		if (typeof entry !== 'object' || entry === null) return entry;
		if (known.has(index)) return known.get(index);
		const value: Record<string, unknown> | unknown[] = Array.isArray(entry) ? [] : {};
		known.set(index, value);
		for (const [key, part] of Object.entries(entry)) {
			(value as Record<string, unknown>)[key] = typeof part === 'string' ? resolve(Number(part)) : part;
		}
		return value;
	}
	return resolve(0);
}
