import { describe, expect, it, jest } from '@jest/globals';
import { createApp } from '../../sandbox/app.mts';
import { REQUEST_STATUSES } from '../../sandbox/data/client.mts';
import { Clients, type Client } from '../../sandbox/data/clients.mts';
import { parseMicros } from '../../sandbox/data/timestamp.mts';
import { ENVIRONMENT_NAMES } from '../../sandbox/endpoints/environment.mts';

jest.setTimeout(30_000);

const DAY_MS = 86_400_000;
const MILLION = 1_000_000;
const UNTIL_MS = Date.UTC(2026, 5, 17, 9, 30, 12, 345);
const INSTANTS = [UNTIL_MS, Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(2025, 2, 31), Date.UTC(2027, 0, 1)];
const SEEDS = Array.from({ length: 30 }, (_, index) => `${index} sandbox`);
const COUNTS = [0, 1, 2, 7, 8, 9, 10, 64, 250, 1001, 20_000];

interface Population {
	seed?: string;
	createdUntilMs?: number;
}

const now = () => UNTIL_MS + 5000;

function populate(clients: number, { seed = '1 sandbox', createdUntilMs = UNTIL_MS }: Population = {}) {
	return new Clients({ clients, seed, createdUntilMs, now });
}

function populateSteadily(clients: number, seed = '1 sandbox') {
	return new Clients({ clients, seed, now });
}

const microsOf = ({ created_at }: Client) => parseMicros(created_at);
const ageDaysOf = (client: Client, untilMs = UNTIL_MS) => (untilMs * 1000 - microsOf(client)) / (DAY_MS * 1000);

function goMonthsBack(ms: number, months: number) {
	const date = new Date(ms);
	return date.setUTCMonth(date.getUTCMonth() - months);
}

function countByMonth(clients: readonly Client[], untilMs: number) {
	return Array.from({ length: 12 }, (_, month) => {
		const [from, to] = [goMonthsBack(untilMs, month + 1) * 1000, goMonthsBack(untilMs, month) * 1000];
		return clients.filter((client) => microsOf(client) > from && microsOf(client) <= to).length;
	});
}

describe('Clients made up until a given time', () => {
	it('are created in each of the twelve months before it with every seed', () => {
		for (const createdUntilMs of INSTANTS) {
			for (const seed of SEEDS) {
				const months = countByMonth([...populate(250, { seed, createdUntilMs }).all()], createdUntilMs);
				expect(Math.min(...months)).toBeGreaterThan(0);
			}
		}
	});

	it('are at most twelve months old, and even a few of them cover most of these months', () => {
		for (const seed of SEEDS) {
			for (const count of [10, 250, 5000]) {
				const [oldest] = populate(count, { seed }).all();
				expect(microsOf(oldest)).toBeGreaterThan((goMonthsBack(UNTIL_MS, 12) - DAY_MS) * 1000);
				expect(ageDaysOf(oldest)).toBeGreaterThan(270);
			}
		}
	});

	it('include one of the last three hours, however few or many they are', () => {
		for (const seed of SEEDS) {
			for (const count of [1, 2, 8, 10, 16, 250, 5000]) {
				const newest = [...populate(count, { seed }).all()].at(-1)!;
				expect(ageDaysOf(newest)).toBeLessThan(1 / 8);
			}
		}
	});

	it('are more in the last month than in the first', () => {
		const months = countByMonth([...populate(10_000).all()], UNTIL_MS);
		expect(months[0]).toBeGreaterThan(2 * months[11]);
		expect(months[0]).toBeLessThan(8 * months[11]);
	});

	it.each([...COUNTS, MILLION])('are not later than it and stay in the order of creation: %p of them', (count) => {
		const { columns } = populate(count);
		let [before, disorder] = [0, 0];
		for (let row = 0; row < count; row++) {
			const micros = columns.createdMicros(row);
			if (micros < before) disorder += 1;
			before = micros;
		}
		expect(disorder).toBe(0);
		expect(before).toBeLessThanOrEqual(UNTIL_MS * 1000);
		expect(microsOf(columns.invent())).toBeLessThanOrEqual(UNTIL_MS * 1000);
	});

	it('have the same creation time and status in columns and records', () => {
		const clients = populate(2000);
		const all = [...clients.all()];
		expect(Array.from(clients.rows('created'))).toEqual(all.map((_, index) => index));
		expect(all.map((_, row) => clients.columns.requestStatus(row))).toEqual(all.map((client) => client.request_status));
		expect(all.map((_, row) => clients.columns.createdMicros(row))).toEqual(all.map(microsOf));
	});

	it('share some creation times, as imported clients do', () => {
		for (const name of ENVIRONMENT_NAMES) {
			const all = [...populate(250, { seed: `1 ${name}` }).all()];
			const instants = new Set(all.map(({ created_at }) => created_at));
			expect(instants.size).toBeLessThan(250);
			expect(instants.size).toBeGreaterThan(150);
		}
	});

	it('are the same for the same seed and time, and keep their ages if the time moves', () => {
		const all = [...populate(500).all()];
		expect([...populate(500).all()]).toEqual(all);
		expect([...populate(500, { seed: '2 sandbox' }).all()]).not.toEqual(all);
		const later = [...populate(500, { createdUntilMs: UNTIL_MS + DAY_MS }).all()];
		expect(later.map((client) => ageDaysOf(client, UNTIL_MS + DAY_MS))).toEqual(all.map((client) => ageDaysOf(client)));
		expect(later.map((client) => client.request_status)).toEqual(all.map((client) => client.request_status));
	});

	it('differ from those without such a time only in status and creation time', () => {
		const strip = ({ created_at, request_status, ...rest }: Client) => rest;
		expect([...populate(1000).all()].map(strip)).toEqual([...populateSteadily(1000).all()].map(strip));
	});

	it('are followed by added clients, which are created now', () => {
		const clients = populate(250);
		const added = clients.add();
		expect(added).toMatchObject({ created_at: '2026-06-17T09:30:17.345000Z', request_status: 'Pending' });
		expect(clients.ids().at(-1)).toBe(added.reference_id);
	});
});

describe('Statuses of made-up clients by age:', () => {
	const all = [...populate(10_000).all()];

	function shareOf(statuses: string[], fromDays: number, toDays: number) {
		const aged = all.filter((client) => ageDaysOf(client) >= fromDays && ageDaysOf(client) < toDays);
		return aged.filter(({ request_status }) => statuses.includes(request_status)).length / aged.length;
	}

	it.each([
		{
			who: 'most clients older than 90 days are completed or declined',
			statuses: ['Completed', 'Declined'],
			from: 90,
			to: 366,
			least: 0.8,
			most: 0.95,
		},
		{
			who: 'some clients older than 90 days are accepted',
			statuses: ['Accepted'],
			from: 90,
			to: 366,
			least: 0.03,
			most: 0.15,
		},
		{
			who: 'a few clients older than 90 days are pending or requested',
			statuses: ['Pending', 'Requested'],
			from: 90,
			to: 366,
			least: 0.02,
			most: 0.1,
		},
		{
			who: 'some clients older than 30 days are declined',
			statuses: ['Declined'],
			from: 30,
			to: 366,
			least: 0.08,
			most: 0.25,
		},
		{
			who: 'many clients of the last month are accepted',
			statuses: ['Accepted'],
			from: 7,
			to: 30,
			least: 0.2,
			most: 0.45,
		},
		{
			who: 'many clients of the last month are pending or requested',
			statuses: ['Pending', 'Requested'],
			from: 7,
			to: 30,
			least: 0.2,
			most: 0.45,
		},
		{
			who: 'most clients of the last week are pending or requested',
			statuses: ['Pending', 'Requested'],
			from: 1,
			to: 7,
			least: 0.5,
			most: 0.8,
		},
		{
			who: 'nearly all clients of today are pending or requested',
			statuses: ['Pending', 'Requested'],
			from: 0,
			to: 1,
			least: 0.8,
			most: 1,
		},
		{
			who: 'no client of today is completed or declined',
			statuses: ['Completed', 'Declined'],
			from: 0,
			to: 1,
			least: 0,
			most: 0,
		},
	])('$who', ({ statuses, from, to, least, most }) => {
		const share = shareOf(statuses, from, to);
		expect(share).toBeGreaterThanOrEqual(least);
		expect(share).toBeLessThanOrEqual(most);
	});

	describe.each(ENVIRONMENT_NAMES)('among the clients that %s starts with', (name) => {
		const started = [...createApp({ createdUntilMs: UNTIL_MS }).environment(name).clients.all()];

		it.each([7, 14, 30, 90])('some are pending and some requested for more than %p days', (days) => {
			const stalled = started.filter((client) => ageDaysOf(client) > days);
			for (const status of ['Pending', 'Requested']) {
				expect(stalled.some(({ request_status }) => request_status === status)).toBe(true);
			}
		});

		it('every status occurs', () => {
			expect(new Set(started.map(({ request_status }) => request_status)).size).toBe(5);
		});
	});
});

describe('Clients made up without a given time', () => {
	it('are the same as in earlier versions', () => {
		const sandbox = [...populateSteadily(10_000).all()];
		expect(sandbox[0]).toEqual({
			reference_id: 'ONB-6C609337',
			email: 'office.0@millers-mill.example',
			client_name: "Miller's Mill ApS",
			client_type: 'company',
			group_name: 'Retail',
			group_token: '064c8be3-1c25-46d4-90aa-1bc817a0fef6',
			request_status: 'Completed',
			client_status: 'active',
			created_at: '2024-01-01T00:00:19.326843Z',
		});
		expect(sandbox[1].created_at).toBe(sandbox[0].created_at);
		const countOf = (status: string) => sandbox.filter(({ request_status }) => request_status === status).length;
		expect(REQUEST_STATUSES.map(countOf)).toEqual([1485, 774, 4514, 2010, 1217]);
	});

	it.each([
		['1 sandbox', 249, 'ONB-5B4D65C1', 'Accepted', '2024-01-01T04:13:24.291586Z'],
		['1 sandbox', 999_999, 'ONB-49EFB93C', 'Completed', '2025-12-07T00:25:49.629762Z'],
		['1 production', 0, 'ONB-B99DCE65', 'Accepted', '2024-01-01T00:00:04.203018Z'],
		['1 production', 777, 'ONB-DC26FAF3', 'Completed', '2024-01-01T13:10:33.384270Z'],
		['1 production', 999_999, 'ONB-E9F36C17', 'Declined', '2025-12-07T00:26:16.252089Z'],
	])('are the same as in earlier versions: seed %p, row %p', (seed, row, reference_id, request_status, created_at) => {
		const { columns } = populateSteadily(MILLION, seed);
		expect(columns.record(row)).toMatchObject({ reference_id, request_status, created_at });
		expect(columns.requestStatus(row)).toBe(request_status);
		expect(columns.createdMicros(row)).toBe(parseMicros(created_at));
	});
});

describe('A million clients made up until a given time', () => {
	const MOST_TIMES_SLOWER = 5;

	const timeMs = (start: () => Clients) => {
		const before = performance.now();
		for (let run = 0; run < 20; run++) {
			const { columns } = start();
			columns.record(0);
			columns.record(MILLION - 1);
		}
		return performance.now() - before;
	};
	const findMedian = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

	it('are created at most five times slower than without one', () => {
		const [recentMs, steadyMs]: number[][] = [[], []];
		for (let run = 0; run < 40; run++) {
			recentMs.push(timeMs(() => populate(MILLION)));
			steadyMs.push(timeMs(() => populateSteadily(MILLION)));
		}
		expect(findMedian(recentMs) / findMedian(steadyMs)).toBeLessThan(MOST_TIMES_SLOWER);
	});
});
