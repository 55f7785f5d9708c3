import { describe, expect, it } from '@jest/globals';
import { toTimeMs } from '../../../../nodes/ClientOnboarding/parameters/timeZone';

/** The parts of a luxon date that the package uses. */
const luxonDate = (ms: number) => ({ toJSDate: () => new Date(ms), valueOf: () => ms });

describe('A point in time', () => {
	it.each([
		['2026-01-31T09:00:00Z', 'America/New_York', '2026-01-31T09:00:00Z'],
		['2026-01-31T09:00:00.250+02:00', 'UTC', '2026-01-31T07:00:00.250Z'],
		['2026-01-31T09:00:00.5Z', 'UTC', '2026-01-31T09:00:00.500Z'],
		['2026-01-31T09:00+14:00', 'UTC', '2026-01-30T19:00:00Z'],
		['2026-01-31', 'UTC', '2026-01-31T00:00:00Z'],
		['2026-01-31', 'Asia/Kolkata', '2026-01-30T18:30:00Z'],
		['2026-01-31 09:00', 'Europe/Berlin', '2026-01-31T08:00:00Z'],
		['2026-07-31T09:00:00', 'Europe/Berlin', '2026-07-31T07:00:00Z'],
		['2026-07-31T09:00:00.125', 'Europe/Berlin', '2026-07-31T07:00:00.125Z'],
		['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59Z'],
		['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
		['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
		['2026-11-01T00:30:00', 'America/New_York', '2026-11-01T04:30:00Z'],
		['  2026-01-31T00:00  ', 'Pacific/Kiritimati', '2026-01-30T10:00:00Z'],
		['2026-01-31 9:00', 'Europe/Berlin', '2026-01-31T08:00:00Z'],
		['2026-01-31t9:05:07', 'America/New_York', '2026-01-31T14:05:07Z'],
		['2026-01-31 9:00 Z', 'Europe/Berlin', '2026-01-31T09:00:00Z'],
		['2026-01-31 09:00 UTC', 'Europe/Berlin', '2026-01-31T09:00:00Z'],
		['2026-01-31 09:00:00.123456+00', 'Europe/Berlin', '2026-01-31T09:00:00.123Z'],
		['2026-01-31T09:00-0330', 'Europe/Berlin', '2026-01-31T12:30:00Z'],
		['2024-02-29', 'UTC', '2024-02-29T00:00:00Z'],
	])('%j in the time zone %s is %s', (text, zone, utc) => {
		expect(new Date(toTimeMs(text, zone) as number).toISOString()).toBe(new Date(utc).toISOString());
	});

	it('can be a Date or a date of luxon', () => {
		const ms = Date.parse('2026-01-31T09:00:00Z');
		expect(toTimeMs(new Date(ms), 'UTC')).toBe(ms);
		expect(toTimeMs(luxonDate(ms), 'UTC')).toBe(ms);
	});

	it.each<unknown>([
		'yesterday',
		'2026-13-01',
		'2026-02-31T25:00',
		'2025-02-29',
		'2025-02-30',
		'2025-02-30T10:00:00Z',
		'2026-04-31T10:00:00+02:00',
		'2026-01-31T24:30',
		'2026-01-31T09:60',
		'2026-01-31T09:00:60Z',
		'2026-01-31T09:00+15:00',
		'2026-01-31T09:00+01:60',
		'2026-01-31 9:00 PM',
		'2026-01-5',
		'2026-1-05',
		'2026-01',
		'2026',
		'0050-01-01',
		'31.01.2026',
		'on 2026-01-31',
		'',
		5,
		true,
		null,
		{},
		[],
		[5],
		new Date(NaN),
		luxonDate(NaN),
		{ valueOf: () => 5 },
		'Jan 31 2026',
	])('cannot be read from %j', (value) => {
		expect(toTimeMs(value, 'UTC')).toBeUndefined();
	});
});
