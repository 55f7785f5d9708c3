import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../../sandbox/data/clients.mts';
import { SETTINGS, SETTING_NAMES, type Behavior } from '../../../../sandbox/endpoints/behavior.mts';
import { byDepth, oneOf } from '../../../support/depth.mts';
import { startService } from '../../../support/service.mts';

const count = (filters: IDataObject = {}) => ({ operation: 'count', filters }) as never;

/** The same counts, without code of the package. */
function expectedCounts(clients: Client[]) {
	const with_ = (field: 'request_status' | 'client_type', value: string) =>
		clients.filter((client) => client[field].toLowerCase() === value).length;
	return {
		total: clients.length,
		by_request_status: Object.fromEntries(
			['accepted', 'completed', 'declined', 'pending', 'requested'].map((value) => [
				value,
				with_('request_status', value),
			]),
		),
		by_client_type: { company: with_('client_type', 'company'), individual: with_('client_type', 'individual') },
	};
}

describe('Count Clients', () => {
	it('counts a long list with 8 requests', async () => {
		const service = await startService({ clients: byDepth({ quick: 10_000, deep: 100_000, long: 100_000 }) });
		const { json, error } = await service.engine.run({ parameters: count() });
		expect(error).toBeUndefined();
		expect(json).toEqual([expectedCounts([...service.app.environment('sandbox').served()])]);
		expect(service.listRequests()).toHaveLength(8);
		expect(
			service
				.listRequests()
				.slice(1)
				.every(({ query }) => Number(query.page_limit) <= 11),
		).toBe(true);
	});

	// Unknown statuses have a test of their own.
	const behaviors = SETTING_NAMES.filter((setting) => !['rateLimit', 'extras'].includes(setting)).flatMap((setting) =>
		SETTINGS[setting].behaviors.map((behavior) => ({ [setting]: behavior }) as Partial<Behavior>),
	);

	it.each([
		['everything', {}, () => true],
		['one status', { requestStatus: ['declined'] }, ({ request_status: s }: Client) => s.toLowerCase() === 'declined'],
		['a type', { clientType: 'company' }, ({ client_type: t }: Client) => t === 'company'],
		[
			'a status and a type',
			{ clientType: 'company', requestStatus: ['pending'] },
			({ client_type: t, request_status: s }: Client) => t === 'company' && s.toLowerCase() === 'pending',
		],
		[
			'two statuses',
			{ requestStatus: ['pending', 'declined'] },
			({ request_status: s }: Client) => ['pending', 'declined'].includes(s.toLowerCase()),
		],
	] as Array<[string, IDataObject, (client: Client) => boolean]>)(
		'counts %s under each behavior of the service',
		async (_name, filters, isCounted) => {
			for (const behavior of oneOf(5, behaviors)) {
				const service = await startService({ clients: [...evenClients()], behavior });
				const options = behavior.overLimit === 'hang' ? { timeout: 1 } : {};
				const { json, error, hints } = await service.engine.run({
					parameters: { operation: 'count', filters, options } as never,
				});
				const expected = expectedCounts([...service.app.environment('sandbox').served()].filter(isCounted));
				expect({ behavior, error, hints, json }).toEqual({ behavior, error: undefined, hints: [], json: [expected] });
				await service.close();
			}
		},
	);

	it('reads one page for the last status and type, also if it has no clients or full pages', async () => {
		const clients = [...evenClients()].map((client, index) => ({
			...client,
			client_type: index < 20 ? 'individual' : 'company',
			request_status: 'Pending',
		}));
		const service = await startService({ clients });
		const { json } = await service.engine.run({ parameters: count() });
		expect(json).toEqual([expectedCounts(clients)]);
		const queries = service.listRequests().map(({ query }) => query);
		expect(queries).toHaveLength(8);
		expect(queries.find((query) => query.request_status === 'requested')).toMatchObject({ page_limit: '10' });
		expect(queries.find((query) => query.client_type === 'individual')).toMatchObject({ page_limit: '11' });
	});

	it.each([80, 700])('warns if %i clients are reported and some are never returned', async (clients) => {
		const service = await startService({
			clients,
			onAnswer: (_, { body }) => {
				const { data } = body as { data?: { results?: Array<{ reference_id: string }> } };
				if (data?.results) data.results = data.results.filter(({ reference_id: id }) => !id.endsWith('7'));
			},
		});
		const returned = service.ids().filter((id) => !id.endsWith('7')).length;
		expect(returned).toBeLessThan(clients);
		const { json, hints } = await service.engine.run({ parameters: { operation: 'count' } });
		expect(json).toMatchObject([{ total: returned }]);
		expect(hints).toEqual([expect.stringContaining(`reports ${clients} clients but returned ${returned}`)]);
	});

	it('says why the count is 0', async () => {
		const service = await startService({ clients: 30 });
		const filters = { groupName: { __rl: true, mode: 'name', value: 'Wholesael' } };
		const { json, hints } = await service.engine.run({ parameters: { operation: 'count', filters } });
		expect(json).toMatchObject([{ total: 0 }]);
		expect(hints).toEqual([expect.stringContaining('The service returned no client whose group is "Wholesael"')]);
	});

	it.each(SETTINGS.totals.violations)(
		'is right or has a warning when the totals of the service are wrong (%s)',
		async (totals) => {
			const service = await startService({ clients: [...evenClients()], behavior: { totals } });
			const { json, error, hints } = await service.engine.run({ parameters: count() });
			expect(error).toBeUndefined();
			if (hints.length === 0) expect(json).toEqual([expectedCounts([...evenClients()])]);
		},
	);

	it('counts the clients of a group, an email address or a date', async () => {
		const service = await startService({ clients: 300 });
		const clients = [...service.app.environment('sandbox').served()];
		const { group_name: group, email, created_at: created } = clients[42];
		const groupOf = (value: string) => ({ __rl: true, mode: 'name', value });
		for (const [filters, isCounted] of [
			[{ groupName: groupOf(group) }, (client: Client) => client.group_name === group],
			[{ clientEmail: email }, (client: Client) => client.email === email],
			[{ createdAfter: created }, (client: Client) => client.created_at >= created],
		] as const) {
			const { json } = await service.engine.run({ parameters: count(filters) });
			expect(json).toEqual([expectedCounts(clients.filter(isCounted))]);
		}
	});

	it('counts unknown statuses', async () => {
		const service = await startService({ clients: 300, behavior: { extras: 'statuses' } });
		const { json } = await service.engine.run({ parameters: count() });
		const onHold = [...service.app.environment('sandbox').served()].filter(
			({ request_status: s }) => s === 'On Hold',
		).length;
		expect(onHold).toBeGreaterThan(0);
		expect(json[0]).toMatchObject({ total: 300, by_request_status: { 'on hold': onHold } });
	});

	it.each(['any', 'first'] as const)(
		'is right if the service combines status and type by "%s" and the first clients match both',
		async (severalFilters) => {
			const clients = [...evenClients()].sort((a, b) => Number(isPendingCompany(b)) - Number(isPendingCompany(a)));
			const service = await startService({
				clients: clients.map((client, index) => ({
					...client,
					created_at: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
				})),
				behavior: { severalFilters },
			});
			const { json } = await service.engine.run({
				parameters: count({ clientType: 'company', requestStatus: ['pending'] }),
			});
			expect(json).toEqual([expectedCounts(clients.filter(isPendingCompany))]);
		},
	);

	it('returns zeros for an empty list', async () => {
		const service = await startService({ clients: 0 });
		const { json } = await service.engine.run({ parameters: count() });
		expect(json).toEqual([expectedCounts([])]);
	});

	it('reports a refused request instead of zeros', async () => {
		const service = await startService({ faults: [{ kind: 'status', code: 400 }] });
		const { json, error } = await service.engine.run({ parameters: count() });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(/ rejected the request \(status 400\)/);
	});
});

describe('The parameters of Count Clients', () => {
	it.each([
		[{ filters: { requestStatus: 'done' } }, '"Request Status" cannot be "done"'],
		[{ options: { textMatch: 'x' } }, '"Text Match" cannot be "x"'],
	])('%j are refused with a message that names the field and cost no request', async (parameters, message) => {
		const service = await startService();
		const { error } = await service.engine.run({ parameters: { operation: 'count', ...parameters } as never });
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});
});

function isPendingCompany({ client_type: type, request_status: status }: Client): boolean {
	return type === 'company' && status === 'Pending';
}

/** 120 clients, 12 of each status and type. */
function* evenClients(): Generator<Client> {
	for (let index = 0; index < 120; index++) {
		yield {
			reference_id: `ID-${index}`,
			email: `client${index}@example.com`,
			client_name: `Client ${index}`,
			client_type: index % 2 ? 'company' : 'individual',
			group_name: 'Group',
			group_token: '00000000-0000-4000-8000-000000000000',
			request_status: ['Accepted', 'Completed', 'Declined', 'Pending', 'Requested'][Math.floor(index / 2) % 5],
			client_status: 'active',
			created_at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
		};
	}
}
