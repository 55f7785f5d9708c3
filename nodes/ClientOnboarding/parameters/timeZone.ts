import { parseTimestamp } from '../api/timestamp';

/**
 * Milliseconds of a point in time as n8n hands it over: a date object, text with a zone, or text without one, which n8n's
 * date picker means in the time zone of the workflow. Undefined where it is none of these, or not in the calendar.
 */
export function toTimeMs(value: unknown, timeZone: string): number | undefined {
	if (typeof value !== 'string') return isDateObject(value) ? value.valueOf() : undefined;
	const read = parseTimestamp(value.trim());
	if (!read || read.isZoned) return read?.timeMs;
	const asUtcMs = read.timeMs;
	// The second calculation matters if the clocks change between the two points in time.
	const roughMs = asUtcMs - zoneOffsetMs(asUtcMs, timeZone);
	return asUtcMs - zoneOffsetMs(roughMs, timeZone);
}

/** A Date, or one of luxon's, which n8n's expressions make. */
function isDateObject(value: unknown): value is { valueOf(): number } {
	if (typeof value !== 'object' || value === null) return false;
	// A length of time has milliseconds too, but no date.
	const isDate = 'getTime' in value || 'toJSDate' in value;
	return isDate && Number.isFinite(value.valueOf());
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
