import { describe, expect, it } from '@jest/globals';
import { asRecord, capitalize, clientKey, createdMs, folded } from '../../../../nodes/ClientOnboarding/api/record';

describe('The key of a client', () => {
	it.each([
		['A-1', 'A-1'],
		[123, '123'],
		[0, '0'],
	])('is its reference ID %j, whatever else changes', (reference_id, key) => {
		expect(clientKey({ reference_id })).toBe(key);
		expect(clientKey({ reference_id, request_status: 'Pending' })).toBe(key);
	});

	it.each([undefined, null, ''])('is the whole record if the reference ID is %j', (reference_id) => {
		const key = (client_name: string) => clientKey({ reference_id, client_name } as never);
		expect(key('Ada')).toBe(key('Ada'));
		expect(key('Ada')).not.toBe(key('Bob'));
	});
});

describe('A value from outside', () => {
	it('is a record if it is an object, but not a list', () => {
		const record = { a: 1 };
		expect(asRecord(record)).toBe(record);
		for (const value of [undefined, null, 'a', 1, [record]]) expect(asRecord(value)).toBeUndefined();
	});

	it('is compared without case, spaces around it and the way its accents are written', () => {
		expect(folded(' E\u0301MILE ')).toBe('\u00e9mile');
		expect([folded(null), folded(undefined), folded(5), folded({ toString: 1 })]).toEqual([
			'',
			'',
			'5',
			'{"tostring":1}',
		]);
	});

	it('begins with a capital letter as a label', () => {
		expect(capitalize('pending')).toBe('Pending');
	});
});

describe('The creation time of a client', () => {
	const TIME_MS = Date.UTC(2026, 4, 31, 9, 30);

	it.each([
		['2026-05-31T09:30:00Z', TIME_MS],
		['2026-05-31T09:30:00.000250Z', TIME_MS + 0.25],
		['2026-05-31T09:30:00.123456789Z', TIME_MS + 123.456],
		[' 2026-05-31T09:30:00.1Z\n', TIME_MS + 100],
		['2026-05-31T09:30:00', TIME_MS],
		['2026-05-31T11:30:00+02:00[Europe/Berlin]', TIME_MS],
		['2026-05-31T05:00:00-0430', TIME_MS],
		['2026-05-31T23:30:00+14', TIME_MS],
		['2026-05-31', Date.UTC(2026, 4, 31)],
	])('is read from %j', (created_at, timeMs) => {
		expect(createdMs({ created_at })).toBeCloseTo(timeMs, 3);
	});

	it.each([
		'',
		'soon',
		null,
		true,
		1_780_219_800,
		'05/06/2026',
		'2026-02-30 09:30:00',
		'2026-13-01',
		'2026-05-31 09:60',
		'2026-05-31 09:30:60',
		'2026-05-31 24:00',
		'2026-05-31T09:30:00+15:00',
		'2026-05-31T09:30:00+02:60',
		'x2026-05-31',
		'2026-05-31x',
		'0050-01-01',
		'Sun, 31 May 2026 09:30:00 GMT',
	])('is unknown for %j', (created_at) => {
		expect(createdMs({ created_at } as never)).toBeNaN();
	});
});
