import { describe, expect, it } from '@jest/globals';
import { createdMs } from '../../../../nodes/ClientOnboarding/service/client';
import { readTimestamp } from '../../../../nodes/ClientOnboarding/service/dates';

const TIME_MS = Date.UTC(2026, 4, 31, 9, 30);

describe('When a client was created', () => {
	it.each([
		['2026-05-31T09:30:00Z', TIME_MS],
		['2026-05-31T09:30:00.000250Z', TIME_MS + 0.25],
		['2026-05-31T09:30:00.123456789Z', TIME_MS + 123.456],
		[' 2026-05-31T09:30:00.1Z\n', TIME_MS + 100],
		['2026-05-31T09:30:00,123Z', TIME_MS + 123],
		['2026-05-31T09:30:00', TIME_MS],
		['2026-05-31 09:30:00', TIME_MS],
		['2026-05-31 09:30:00+00', TIME_MS],
		['2026-05-31T14:30:00+05', TIME_MS],
		['2026-05-31T05:00:00-0430', TIME_MS],
		['2026-05-31T23:30:00+14', TIME_MS],
		['2026-05-31 9:30', TIME_MS],
		['2026-05-31T09:30:59Z', TIME_MS + 59_000],
		['2026-05-31t09:30:00z', TIME_MS],
		['2026-05-31T11:30:00+02:00[Europe/Berlin]', TIME_MS],
		['20260531T093000Z', TIME_MS],
		['20260531T093000.250Z', TIME_MS + 250],
		['2026-05-31', Date.UTC(2026, 4, 31)],
		['Sun, 31 May 2026 09:30:00 GMT', TIME_MS],
		['31 May 2026 11:30:00 +0200', TIME_MS],
		['31 December 2026 09:30:00 UTC', Date.UTC(2026, 11, 31, 9, 30)],
		[TIME_MS / 1000, TIME_MS],
		[TIME_MS / 1000 + 0.25, TIME_MS + 250],
		[String(TIME_MS / 1000), TIME_MS],
		[TIME_MS + 123, TIME_MS + 123],
		[TIME_MS * 1000 + 250, TIME_MS + 0.25],
		[`${TIME_MS}000000`, TIME_MS],
		[100_000_000, 100_000_000_000],
		[99_999_999_999, 99_999_999_999_000],
		[100_000_000_000, 100_000_000_000],
		[99_999_999_999_999, 99_999_999_999_999],
		[100_000_000_000_000, 100_000_000_000],
		['99999999999999999', 100_000_000_000_000],
		['100000000000000000', 100_000_000_000],
	])('is read from %j', (created_at, timeMs) => {
		expect(createdMs({ created_at })).toBeCloseTo(timeMs, 3);
	});

	it.each([
		'',
		'soon',
		null,
		true,
		{ date: '2026-05-31' },
		12_345_678,
		'05/06/2026',
		'05/06/2026 09:30:00 GMT',
		'31.05.2026',
		'2026-02-30 09:30:00',
		'2026-13-01',
		'2026-05-31 09:60',
		'2026-05-31 09:30:60',
		'2026-05-31 24:00',
		'2026-05-31T09:30:00+15:00',
		'2026-05-31T09:30:00+02:60',
		'x2026-05-31',
		'2026-05-31x',
		'2026-05-31 09:30:00 Zulu',
		'2026-05-31 09:30:00.',
		'0050-01-01',
		'2026-00-10',
		'Sun, 31 May 2026 09:30:00 GMT (later)',
		'1780219800.',
		'1780219800.5x',
		'x1780219800',
		'May 2026',
		'31 May 2026 09:30:00',
		'20260531T0930',
		'x20260531T093000Z',
		'12345678901234567890',
	])('cannot be read from %j', (created_at) => {
		expect(createdMs({ created_at })).toBeNaN();
	});
});

describe('A point in time', () => {
	it.each([
		['2026-05-31 09:30', false],
		['2026-05-31', false],
		['2026-05-31 09:30Z', true],
		['2026-05-31 09:30 UTC', true],
		['2026-05-31 09:30+00:00', true],
	])('%s names its zone: %s', (text, isZoned) => {
		expect(readTimestamp(text)).toMatchObject({ isZoned });
	});
});
