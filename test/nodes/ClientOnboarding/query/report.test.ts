import { describe, expect, it } from '@jest/globals';
import { buildReport } from '../../../../nodes/ClientOnboarding/query/report';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const report = (clients: object[], dimensions: string[], timeZone = 'UTC') =>
	buildReport(clients as never, dimensions as never, { nowMs: NOW, timeZone });
const createdAgo = (days: number, offsetMs = 0) => ({
	created_at: new Date(NOW - days * DAY_MS - offsetMs).toISOString(),
});

describe('A report', () => {
	it('groups by age, with the limit in the younger group, and with unknown dates last', () => {
		const clients = [
			...[91, 400, 90, 30, 7, 0].map((days) => createdAgo(days)),
			createdAgo(7, 1),
			createdAgo(30, 1),
			createdAgo(90, 1),
			createdAgo(-1),
			{ created_at: 'yesterday' },
		];
		expect(report(clients, ['age'])).toStrictEqual([
			{ age: 'Up to 7 days', clients: 3, oldest_created_at: '2026-11-11T12:00:00.000Z' },
			{ age: '7 to 30 days', clients: 2, oldest_created_at: '2026-10-19T12:00:00.000Z' },
			{ age: '30 to 90 days', clients: 2, oldest_created_at: '2026-08-20T12:00:00.000Z' },
			{ age: 'Over 90 days', clients: 3, oldest_created_at: createdAgo(400).created_at },
			{ age: 'unknown', clients: 1, oldest_created_at: null },
		]);
	});

	it('groups by the month in the time zone of the workflow', () => {
		const clients = [
			{ created_at: '2026-10-31T23:30:00Z' },
			{ created_at: '2026-01-02T00:00:00Z' },
			{ created_at: '' },
			{ created_at: '2026-11-05T00:00:00Z' },
		];
		const months = (timeZone: string) =>
			report(clients, ['monthCreated'], timeZone).map((item) => [item.month_created, item.clients]);
		expect(months('UTC')).toStrictEqual([
			['2026-01', 1],
			['2026-10', 1],
			['2026-11', 1],
			['unknown', 1],
		]);
		expect(months('Europe/Berlin')).toStrictEqual([
			['2026-01', 1],
			['2026-11', 2],
			['unknown', 1],
		]);
	});

	it('takes statuses that differ only in case for one, and shows the first spelling', () => {
		const clients = ['Pending', 'declined', ' PENDING', null, 'On Hold'].map((request_status) => ({ request_status }));
		expect(report(clients, ['requestStatus']).map((item) => [item.request_status, item.clients])).toStrictEqual([
			['declined', 1],
			['On Hold', 1],
			['Pending', 2],
			['unknown', 1],
		]);
	});

	it('separates groups with the same name by their tokens', () => {
		const clients = [
			{ group_name: 'Retail', group_token: '2' },
			{ group_name: 'Retail', group_token: '1' },
			{ group_name: 'Factory', group_token: '3' },
			{ group_name: 'Retail', group_token: '2' },
		];
		expect(report(clients, ['group']).map((item) => [item.group_name, item.group_token, item.clients])).toStrictEqual([
			['Factory', '3', 1],
			['Retail', '1', 1],
			['Retail', '2', 2],
		]);
	});

	it('is sorted by its dimensions in the order in which they were chosen', () => {
		const clients = [
			{ client_type: 'individual', request_status: 'Accepted' },
			{ client_type: 'company', request_status: 'Pending' },
			{ client_type: 'company', request_status: 'Accepted' },
		];
		const rows = (dimensions: string[]) =>
			report(clients, dimensions).map((item) => `${item.client_type} ${item.request_status}`);
		expect(rows(['clientType', 'requestStatus'])).toStrictEqual([
			'company Accepted',
			'company Pending',
			'individual Accepted',
		]);
		expect(rows(['requestStatus', 'clientType'])).toStrictEqual([
			'company Accepted',
			'individual Accepted',
			'company Pending',
		]);
	});

	it('has no items without clients', () => {
		expect(report([], ['age', 'group'])).toStrictEqual([]);
	});
});
