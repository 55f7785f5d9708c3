const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?Z$/;

/** Microseconds since 1970, or NaN where the text is no UTC timestamp. */
export function parseMicros(text: string): number {
	const match = TIMESTAMP.exec(text);
	if (!match) return Number.NaN;
	const micros = Number((match[1] ?? '').padEnd(6, '0').slice(0, 6));
	return Date.parse(`${text.slice(0, 19)}Z`) * 1000 + micros;
}

export function formatMicros(micros: number): string {
	const ms = Math.floor(micros / 1000);
	const rest = String(micros - ms * 1000).padStart(3, '0');
	return `${new Date(ms).toISOString().slice(0, -1)}${rest}Z`;
}
