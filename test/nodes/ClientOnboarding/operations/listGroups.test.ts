import { describe, expect, it } from '@jest/globals';
import { startService } from '../../../support/service.mts';

describe('List Groups', () => {
	it('returns each group once with its number of clients by status, sorted by name', async () => {
		const service = await startService({ clients: 1200 });
		const clients = [...service.app.environment('sandbox').served()];
		const { json, error } = await service.engine.run({ parameters: { operation: 'listGroups' } });
		expect(error).toBeUndefined();

		const tokens = [...new Set(clients.map(({ group_token: token }) => token))];
		expect(json.map(({ group_token: token }) => token).sort()).toEqual(tokens.sort());
		for (const { group_name, group_token, clients: size, by_request_status } of json) {
			const members = clients.filter((client) => client.group_token === group_token);
			expect(size).toBe(members.length);
			expect(new Set(members.map((client) => client.group_name))).toEqual(new Set([group_name]));
			for (const [status, number] of Object.entries(by_request_status as object)) {
				expect(number).toBe(members.filter((client) => client.request_status.toLowerCase() === status).length);
			}
		}
		const names = json.map(({ group_name: name }) => String(name));
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	});

	it('returns clients without a group as one group without a name', async () => {
		const nobody = [{ group_name: null }, { group_name: '', group_token: null }, { group_token: '' }, {}];
		const service = await startService({
			clients: 4,
			onAnswer: ({ endpoint }, { body }) => {
				if (endpoint !== 'list') return;
				const { results } = (body as { data: { results: Array<Record<string, unknown>> } }).data;
				results.forEach(({ reference_id }, index) => (results[index] = { reference_id, ...nobody[index] }));
			},
		});
		const { json } = await service.engine.run({ parameters: { operation: 'listGroups' } });
		expect(json).toEqual([
			{
				group_name: '',
				group_token: '',
				clients: 4,
				by_request_status: { accepted: 0, completed: 0, declined: 0, pending: 0, requested: 0, unknown: 4 },
			},
		]);
	});

	it('says why there are no groups', async () => {
		const service = await startService({ clients: 0 });
		const { json, hints } = await service.engine.run({ parameters: { operation: 'listGroups' } });
		expect({ json, hints }).toEqual({
			json: [],
			hints: ['The service lists no clients. If there are any, check "Environment" in the credential.'],
		});
	});

	it('refuses a bad option and sends no request', async () => {
		const service = await startService();
		const options = { pageSize: 0 };
		const { error } = await service.engine.run({ parameters: { operation: 'listGroups', options } });
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(service.requests).toEqual([]);
	});
});

describe('Fields that are not text', () => {
	it('are listed, counted and filtered like texts', async () => {
		const service = await startService({
			clients: 3,
			onAnswer: (_info, { body }) => {
				for (const client of (body as { data: { results?: object[] } }).data.results ?? []) {
					Object.assign(client, {
						group_name: { toString: 1 },
						group_token: 'one',
						request_status: { toString: 1 },
						created_at: { toString: 1 },
					});
				}
			},
		});
		const run = async (parameters: object) => (await service.engine.run({ parameters: parameters as never })).json;
		const status = '{"tostring":1}';
		expect(await run({ operation: 'count' })).toMatchObject([{ total: 3, by_request_status: { [status]: 3 } }]);
		expect(await run({ operation: 'listGroups' })).toMatchObject([
			{ group_name: '{"toString":1}', by_request_status: { [status]: 3 } },
		]);
		expect(await run({ filters: { requestStatus: ['pending'], createdAfter: '2025-01-01' } })).toEqual([]);
	});
});

describe('List Groups with filters', () => {
	it('counts only clients that match', async () => {
		const service = await startService({ clients: 300 });
		const filters = { requestStatus: ['declined'], clientType: 'company' };
		const { json } = await service.engine.run({ parameters: { operation: 'listGroups', filters } });
		const matching = [...service.app.environment('sandbox').served()].filter(
			(client) => client.client_type === 'company' && client.request_status === 'Declined',
		);
		expect(json.reduce((sum, { clients }) => sum + Number(clients), 0)).toBe(matching.length);
		expect(json.map(({ group_token }) => group_token).sort()).toEqual(
			[...new Set(matching.map(({ group_token }) => group_token))].sort(),
		);
	});
});
