import { describe, expect, it } from '@jest/globals';
import { clientKey, createdMs } from '../../../../nodes/ClientOnboarding/service/client';

describe('What makes a client the same client', () => {
	it.each([
		['A-1', 'A-1'],
		[123, '123'],
		[0, '0'],
	])('is its reference ID %j, whatever else changes', (reference_id, key) => {
		expect(clientKey({ reference_id })).toBe(key);
		expect(clientKey({ reference_id, request_status: 'Pending' })).toBe(key);
	});

	it.each([undefined, null, '', {}, 2 ** 53, 1.5])(
		'is the whole record where its reference ID is %j',
		(reference_id) => {
			const key = (client_name: string) => clientKey({ reference_id, client_name } as never);
			expect(key('Ada')).toBe(key('Ada'));
			expect(key('Ada')).not.toBe(key('Bob'));
		},
	);
});

describe('When a client was created', () => {
	it.each([
		['2025-01-15T10:00:00Z', Date.UTC(2025, 0, 15, 10)],
		['2025-01-15T10:00:00.000250Z', Date.UTC(2025, 0, 15, 10) + 0.25],
		[1_736_935_200, 1_736_935_200_000],
		['1736935200', 1_736_935_200_000],
		[1_736_935_200_123, 1_736_935_200_123],
		['', NaN],
		['soon', NaN],
		[null, NaN],
	])('is read from %j', (created_at, timeMs) => {
		expect(createdMs({ created_at })).toBe(timeMs);
	});
});
