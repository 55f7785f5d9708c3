/**
 * An ISO 8601 date, perhaps with a time and a zone. Nothing else is taken for a date: what JavaScript makes of other texts
 * depends on the machine it runs on.
 */
const ISO =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?(Z|UTC|GMT|([+-])(\d{2})(?::?(\d{2}))?))?(?:\[[^\]]*\])?)?$/i;
const MAX_ZONE_HOURS = 14;

interface Timestamp {
	/** With a fraction where the text has microseconds; as if it were in UTC where it names no zone. */
	timeMs: number;
	isZoned: boolean;
}

/** Undefined if the text is not a date, or one that is not in the calendar. */
export function parseTimestamp(text: string): Timestamp | undefined {
	const parts = ISO.exec(text);
	if (!parts) return undefined;
	const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
	const [hour, minute, second] = [Number(parts[4] ?? 0), Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
	const [fraction, zone, sign] = [parts[7] ?? '', parts[8], parts[9]];
	const [zoneHours, zoneMinutes] = [Number(parts[10] ?? 0), Number(parts[11] ?? 0)];
	const whole = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
	// JavaScript takes February 30 for March 2, and the year 50 for 1950.
	const isInCalendar = whole.getUTCDate() === day && whole.getUTCFullYear() === year;
	const isOnClock = minute < 60 && second < 60 && zoneHours <= MAX_ZONE_HOURS && zoneMinutes < 60;
	if (!isInCalendar || !isOnClock) return undefined;
	const zoneMs = Number(`${sign ?? ''}1`) * (zoneHours * 60 + zoneMinutes) * 60_000;
	const fractionMs = Number(`0.${fraction.slice(0, 6)}`) * 1000;
	return { timeMs: whole.getTime() + fractionMs - zoneMs, isZoned: zone !== undefined };
}
