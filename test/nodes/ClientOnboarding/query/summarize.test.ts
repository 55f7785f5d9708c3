import { describe, expect, it } from '@jest/globals';
import { groupBy } from '../../../../nodes/ClientOnboarding/query/groupBy';
import { summarizeClients, summarizeGroups } from '../../../../nodes/ClientOnboarding/query/summarize';

const client = (group_name: unknown, group_token: unknown, request_status: unknown, client_type: unknown = 'Company') =>
	({ group_name, group_token, request_status, client_type }) as never;

describe('The counts of clients', () => {
	it('have each known value in alphabetical order, also without a client, then the others', () => {
		const clients = [
			client('G', 'g', 'Pending'),
			client('G', 'g', 'On Hold', 'trust'),
			client('G', 'g', ' PENDING', 'Individual'),
			client('G', 'g', null, null),
		];
		const summary = summarizeClients(clients);
		expect(summary).toEqual({
			total: 4,
			by_request_status: { accepted: 0, completed: 0, declined: 0, pending: 2, requested: 0, 'on hold': 1, unknown: 1 },
			by_client_type: { company: 1, individual: 1, trust: 1, unknown: 1 },
		});
		expect(Object.keys(summary.by_request_status).slice(0, 5)).toEqual(
			Object.keys(summary.by_request_status).slice(0, 5).sort(),
		);
		expect(Object.keys(summary.by_client_type)).toEqual(['company', 'individual', 'trust', 'unknown']);
	});
});

describe('Groups', () => {
	it('are sorted by name, and by token where names are equal; clients without a group are one of them', () => {
		const clients = [
			client('Retail', '2', 'Pending'),
			client('Émile', '1', 'Pending'),
			client(null, undefined, 'Pending'),
			client('Retail', '1', 'Pending'),
			client('Factory', '1', 'Pending'),
			client('Retail', '2', 'Declined'),
			client('', '', 'Pending'),
		];
		const groups = summarizeGroups(clients);
		expect(groups.map(({ group_name, group_token, clients: size }) => [group_name, group_token, size])).toEqual([
			['', '', 2],
			['Émile', '1', 1],
			['Factory', '1', 1],
			['Retail', '1', 1],
			['Retail', '2', 2],
		]);
		expect(groups[4].by_request_status).toEqual({ accepted: 0, completed: 0, declined: 1, pending: 1, requested: 0 });
	});

	it('have their clients in the order of the list', () => {
		const [a, b, c] = ['a', 'b', 'c'].map((reference_id) => ({ reference_id, size: reference_id === 'b' ? '2' : '1' }));
		expect(groupBy([a, b, c], ({ size }) => String(size))).toEqual(
			new Map([
				['1', [a, c]],
				['2', [b]],
			]),
		);
	});
});
