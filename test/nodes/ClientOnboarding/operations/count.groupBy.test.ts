import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import { Random } from '../../../support/random.mts';
import { startService } from '../../../support/service.mts';

const DAY_MS = 24 * 60 * 60 * 1000;
const STATUSES = ['Accepted', 'Completed', 'Declined', 'Pending', 'Requested'];
const grouped = (groupBy: unknown, filters = {}) => ({ operation: 'count', groupBy, filters }) as INodeParameters;

function randomClients(random: Random, count: number) {
	const nowMs = Date.now();
	return Array.from({ length: count }, (_, index) => ({
		reference_id: `ONB-${index}`,
		client_type: random.one(['company', 'individual']),
		request_status: random.one(STATUSES),
		group_name: random.one(['Retail', 'Wholesale', 'Partners']),
		group_token: 'one',
		created_at: new Date(nowMs - random.below(200 * 24) * (DAY_MS / 24) - DAY_MS / 48).toISOString(),
	}));
}

type Row = ReturnType<typeof randomClients>[number];

/** What each dimension says of a client, worked out without code of the package. */
const EXPECTED: Record<string, (client: Row) => Record<string, string>> = {
	requestStatus: ({ request_status }) => ({ request_status }),
	clientType: ({ client_type }) => ({ client_type }),
	group: ({ group_name, group_token }) => ({ group_name, group_token }),
	monthCreated: ({ created_at }) => ({ month_created: created_at.slice(0, 7) }),
	age: ({ created_at }) => {
		const days = (Date.now() - Date.parse(created_at)) / DAY_MS;
		const [name] = [
			days <= 7 && 'Up to 7 days',
			days <= 30 && '7 to 30 days',
			days <= 90 && '30 to 90 days',
			'Over 90 days',
		].filter(Boolean);
		return { age: String(name) };
	},
};

function expectedRows(clients: Row[], dimensions: string[]) {
	const rows = new Map<string, { clients: number; oldest_created_at: string }>();
	for (const client of clients) {
		const place = JSON.stringify(Object.assign({}, ...dimensions.map((name) => EXPECTED[name](client))));
		const row = rows.get(place) ?? { clients: 0, oldest_created_at: client.created_at };
		const oldest = row.oldest_created_at < client.created_at ? row.oldest_created_at : client.created_at;
		rows.set(place, { clients: row.clients + 1, oldest_created_at: oldest });
	}
	return [...rows].map(([place, row]) => ({ ...JSON.parse(place), ...row }));
}

const inAnyOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();

describe('Count Clients with Group By', () => {
	it('gives the counts and the oldest dates that the list itself has, in 20 random lists', async () => {
		const random = new Random(39);
		for (let list = 0; list < 20; list++) {
			const clients = randomClients(random, 1 + random.below(600));
			const dimensions = random.some(Object.keys(EXPECTED), 0.5);
			const chosen = dimensions.length > 0 ? dimensions : ['requestStatus'];
			const service = await startService({ clients: clients as never });
			const { json, error, hints } = await service.engine.run({ parameters: grouped(chosen), timezone: 'UTC' });
			expect({ error, hints }).toStrictEqual({ error: undefined, hints: [] });
			expect(inAnyOrder(json)).toStrictEqual(inAnyOrder(expectedRows(clients, chosen)));
			await service.close();
		}
	});

	it('counts only clients that match the filters', async () => {
		const clients = randomClients(new Random(1), 300);
		const service = await startService({ clients: clients as never });
		const { json } = await service.engine.run({ parameters: grouped(['group'], { requestStatus: ['pending'] }) });
		const pending = clients.filter((client) => client.request_status === 'Pending');
		expect(inAnyOrder(json)).toStrictEqual(inAnyOrder(expectedRows(pending, ['group'])));
	});

	it('gives the totals in one item if nothing is chosen', async () => {
		const service = await startService({ clients: 30 });
		const { json } = await service.engine.run({ parameters: grouped([]) });
		expect(json).toEqual([expect.objectContaining({ total: 30 })]);
	});

	it('says why there are no items', async () => {
		const service = await startService({ clients: 0 });
		const { json, hints } = await service.engine.run({ parameters: grouped(['age']) });
		expect(json).toStrictEqual([]);
		expect(hints).toStrictEqual([
			'The service lists no clients. If there are any, check "Environment" in the credential.',
		]);
	});

	it('accepts the text of an expression, and names the field if it cannot', async () => {
		const service = await startService({ clients: 30 });
		const { json } = await service.engine.run({ parameters: grouped('={{ "clientType, requestStatus" }}') });
		expect(json[0]).toMatchObject({ client_type: expect.any(String), request_status: expect.any(String) });
		const { error } = await service.engine.run({ parameters: grouped(['country']) });
		expect(error?.message).toContain('"Group By" cannot be "country". Use one of: age, clientType');
	});
});
