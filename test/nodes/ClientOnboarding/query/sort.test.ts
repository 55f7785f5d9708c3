import { describe, expect, it } from '@jest/globals';
import type { Sort } from '../../../../nodes/ClientOnboarding/query/sort';
import { sortClients } from '../../../../nodes/ClientOnboarding/query/sort';

const CLIENTS = [
	{ reference_id: 'b', client_name: 'Zoe', request_status: 'Pending', created_at: '2026-03-01' },
	{ reference_id: 'd' },
	{ reference_id: 'a', client_name: 'zoe', request_status: 'PENDING', created_at: '2026-03-01' },
	{ reference_id: 'c', client_name: ' ', request_status: '', created_at: 'soon' },
	{ reference_id: 'e', client_name: 'Émile', request_status: 'Declined', created_at: '2026-01-01T00:00:00Z' },
	{ reference_id: 'f', client_name: 'Fritz', request_status: 'Requested', created_at: '2026-03-01T00:00:01Z' },
];

describe('Sorted clients', () => {
	it.each<[Sort, string]>([
		['newestFirst', 'f a b e c d'],
		['oldestFirst', 'e a b f c d'],
		['name', 'e f a b c d'],
		['status', 'e a b f c d'],
	])('by %s are %s: equal ones by ID, those without the value last', (sort, ids) => {
		for (const clients of [CLIENTS, [...CLIENTS].reverse()])
			expect(sortClients(clients, sort).map(({ reference_id }) => reference_id)).toEqual(ids.split(' '));
	});

	it('are a new list', () => {
		const given = [...CLIENTS];
		sortClients(given, 'name');
		expect(given).toEqual(CLIENTS);
	});
});
