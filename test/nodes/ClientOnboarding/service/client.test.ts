import { describe, expect, it } from '@jest/globals';
import { clientKey } from '../../../../nodes/ClientOnboarding/service/client';

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
