/**
 * A date, and perhaps a time, and perhaps a zone. Nothing else is taken for a date: what JavaScript makes of other texts depends
 * on the machine it runs on, and whether 05/06 is in May or in June, nobody can tell.
 */
const TEXT =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?(Z|UTC|GMT|([+-])(\d{2})(?::?(\d{2}))?))?(?:\[[^\]]*\])?)?$/i;
/** The same without signs between the figures. */
const DENSE = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})/i;
const MOST_ZONE_HOURS = 14;
/** A month by its name cannot be mistaken. */
const WITH_MONTH = /\d (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{4} .*(GMT|UTC|[+-]\d{4})$/i;

const EPOCH = /^(\d{9,19})(\.\d+)?$/;
/** By how many figures a number has: seconds, milliseconds, microseconds or nanoseconds since 1970, each for some centuries. */
const EPOCH_UNITS: Array<[mostFigures: number, unitMs: number]> = [
	[11, 1000],
	[14, 1],
	[17, 1 / 1000],
	[Infinity, 1 / 1_000_000],
];

export interface Timestamp {
	/** In milliseconds, with a fraction where it tells microseconds; as if it were in UTC where it names no zone. */
	timeMs: number;
	isZoned: boolean;
}

/** Undefined where the text is no date, or one that is not in the calendar. */
export function readTimestamp(text: string): Timestamp | undefined {
	const parts = TEXT.exec(text.replace(DENSE, '$1-$2-$3T$4:$5:$6'));
	if (!parts) return undefined;
	const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
	const [hour, minute, second] = [Number(parts[4] ?? 0), Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
	const [fraction, zone, sign] = [parts[7] ?? '', parts[8], parts[9]];
	const [zoneHours, zoneMinutes] = [Number(parts[10] ?? 0), Number(parts[11] ?? 0)];
	const whole = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
	// JavaScript takes February 30 for March 2, and the year 50 for 1950.
	const isInCalendar = whole.getUTCDate() === day && whole.getUTCFullYear() === year;
	const isOnClock = minute < 60 && second < 60 && zoneHours <= MOST_ZONE_HOURS && zoneMinutes < 60;
	if (!isInCalendar || !isOnClock) return undefined;
	const zoneMs = Number(`${sign ?? ''}1`) * (zoneHours * 60 + zoneMinutes) * 60_000;
	// To the microsecond.
	const fractionMs = Number(`0.${fraction.slice(0, 6)}`) * 1000;
	return { timeMs: whole.getTime() + fractionMs - zoneMs, isZoned: zone !== undefined };
}

/** A point in time as a service may write it, in UTC where it names no zone; NaN where it cannot be read. */
export function readTimeMs(text: string): number {
	const epoch = EPOCH.exec(text);
	if (epoch) {
		const [, unitMs] = EPOCH_UNITS.find(([most]) => epoch[1].length <= most) as [number, number];
		return Number(text) * unitMs;
	}
	return readTimestamp(text)?.timeMs ?? (WITH_MONTH.test(text) ? Date.parse(text) : NaN);
}
