const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;

/**
 * Milliseconds of a point in time as n8n hands it over: a date object, text with a zone, or text without one, which n8n's
 * date picker means in the time zone of the workflow. Undefined where it is none of these.
 */
export function toTimeMs(value: unknown, timeZone: string): number | undefined {
	if (typeof value === 'object' && value !== null) return validTime(Number(value.valueOf()));
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (!WITHOUT_ZONE.test(text)) return /^\d{4}-\d{2}/.test(text) ? validTime(Date.parse(text)) : undefined;

	const asUtcMs = validTime(Date.parse(`${text.includes(':') ? text.replace(' ', 'T') : `${text}T00:00`}Z`));
	if (asUtcMs === undefined) return undefined;
	// The second look matters where the clocks change between the two points in time.
	const roughMs = asUtcMs - zoneOffsetMs(asUtcMs, timeZone);
	return asUtcMs - zoneOffsetMs(roughMs, timeZone);
}

function zoneOffsetMs(timeMs: number, timeZone: string): number {
	const parts = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(timeMs);
	const { year, month, day, hour, minute, second } = Object.fromEntries(
		parts.map(({ type, value }) => [type, Number(value)]),
	);
	const wholeSecondsMs = Math.floor(timeMs / 1000) * 1000;
	return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecondsMs;
}

function validTime(timeMs: number): number | undefined {
	return Number.isNaN(timeMs) ? undefined : timeMs;
}
