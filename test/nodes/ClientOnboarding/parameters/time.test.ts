import { describe, expect, it } from '@jest/globals';
import { toTimeMs } from '../../../../nodes/ClientOnboarding/parameters/time';

describe('A point in time', () => {
	it.each([
		['2026-01-31T09:00:00Z', 'America/New_York', '2026-01-31T09:00:00Z'],
		['2026-01-31T09:00:00.250+02:00', 'UTC', '2026-01-31T07:00:00.250Z'],
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
	])('%j in %s is %s', (text, zone, utc) => {
		expect(new Date(toTimeMs(text, zone) as number).toISOString()).toBe(new Date(utc).toISOString());
	});

	it('may be a date object of any kind', () => {
		const ms = Date.parse('2026-01-31T09:00:00Z');
		expect(toTimeMs(new Date(ms), 'UTC')).toBe(ms);
		expect(toTimeMs({ valueOf: () => ms }, 'UTC')).toBe(ms);
	});

	it.each(['yesterday', '2026-13-01', '2026-02-31T25:00', '2026', '31.01.2026', '', 5, true, null, {}, 'Jan 31 2026'])(
		'is not %j',
		(value) => {
			expect(toTimeMs(value, 'UTC')).toBeUndefined();
		},
	);
});
