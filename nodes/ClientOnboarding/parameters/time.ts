import { microsecondsMs } from '../service/client';

/**
 * A date, and perhaps a time, and perhaps a zone. Nothing else is taken for a date: what JavaScript makes of other texts depends
 * on the machine it runs on.
 */
const TEXT =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?: ?(Z|UTC|GMT|([+-])(\d{2})(?::?(\d{2}))?))?)?$/i;
const MOST_ZONE_HOURS = 14;

/**
 * Milliseconds of a point in time as n8n hands it over: a date object, text with a zone, or text without one, which n8n's
 * date picker means in the time zone of the workflow. Undefined where it is none of these, or not in the calendar.
 */
export function toTimeMs(value: unknown, timeZone: string): number | undefined {
	if (typeof value !== 'string') return isDateObject(value) ? value.valueOf() : undefined;
	const parts = TEXT.exec(value.trim());
	if (!parts) return undefined;
	const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
	const [fraction = '', zone, sign, zoneHours = '0', zoneMinutes = '0'] = parts.slice(7);
	const wholeMs = Date.UTC(year, month - 1, day, hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
	const asUtcMs = wholeMs + microsecondsMs(fraction);
	// JavaScript takes February 30 for March 2.
	const isInCalendar = new Date(asUtcMs).toISOString().startsWith(parts[0].slice(0, 10));
	const isOnClock = minute < 60 && second < 60 && Number(zoneHours) <= MOST_ZONE_HOURS && Number(zoneMinutes) < 60;
	if (!isInCalendar || !isOnClock) return undefined;

	if (sign) return asUtcMs - Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
	if (zone) return asUtcMs;
	// The second look matters where the clocks change between the two points in time.
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
