import { describe, expect, it } from '@jest/globals';
import { startService } from '../../../support/service.mts';

describe('List Clients as a tool of an AI agent', () => {
	it('says on the last client that more clients match than the limit', async () => {
		const service = await startService({ clients: 120 });
		const { json } = await service.engine.run({
			isTool: true,
			parameters: { limit: 10, options: { fields: ['email'] } },
		});
		expect(json).toHaveLength(10);
		expect(json.slice(0, 9).every((client) => Object.keys(client).join() === 'reference_id,email')).toBe(true);
		expect(json[9]).toMatchObject({
			reference_id: expect.any(String),
			more_clients: 'More clients match. The list was cut at the limit of 10.',
		});
		expect(service.listRequests().map(({ query }) => query.page_limit)).toEqual(['11']);
	});

	it('says nothing about more clients if the limit is not exceeded or Return All is on', async () => {
		const service = await startService({ clients: 10 });
		for (const parameters of [{ limit: 10 }, { limit: 11 }, { returnAll: true }]) {
			const { json } = await service.engine.run({ isTool: true, parameters });
			expect(json).toHaveLength(10);
			expect(json.filter((client) => 'more_clients' in client)).toEqual([]);
		}
	});

	it('always returns the reference ID, also from Find Client and if it is not among the chosen fields', async () => {
		const service = await startService({ clients: 10 });
		const [id] = service.ids();
		const find = { operation: 'find', findBy: 'referenceId', referenceId: id, options: { fields: ['client_name'] } };
		const { json } = await service.engine.run({ isTool: true, parameters: find });
		expect(json).toEqual([{ reference_id: id, client_name: expect.any(String) }]);
		const outside = await service.engine.run({ parameters: find });
		expect(outside.json).toEqual([{ client_name: expect.any(String) }]);
	});

	it.each([
		[
			{ operation: 'list', filters: { requestStatus: ['declined'], groupName: 'Nowhere' } },
			/^No client matches the filters\./,
		],
		[{ operation: 'find', findBy: 'email', email: 'x@example.com', options: {} }, /^No client has the email address/],
		[{ operation: 'count', filters: { createdAfter: '2100-01-01' } }, /^No client matches the filters\./],
	])('says why there is no result (%j)', async (parameters, message) => {
		const service = await startService({ clients: 10 });
		const { json } = await service.engine.run({ isTool: true, parameters });
		expect(json).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
	});

	it('adds nothing about more clients if it does not run as a tool', async () => {
		const service = await startService({ clients: 120 });
		const { json } = await service.engine.run({ parameters: { limit: 10 } });
		expect(json.filter((client) => 'more_clients' in client)).toEqual([]);
	});
});
