import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import type { Client } from '../../../../sandbox/data/clients.mts';
import { SETTINGS, type SettingName, type Behavior } from '../../../../sandbox/endpoints/behavior.mts';
import { oneOf } from '../../../support/depth.mts';
import { idsOf, startService, type Service } from '../../../support/service.mts';

const CLIENTS = 130;

const is = (field: keyof Client, value: string) => (client: Client) =>
	client[field].toLowerCase() === value.toLowerCase();

const ageOf = ({ created_at: created }: Client) => (Date.now() - Date.parse(created)) / 86_400_000;

/** Filters as a user sets them, and a predicate that shares no code with the package. */
const FILTERS: Array<{
	name: string;
	filters: (sample: Client) => INodeParameters;
	promise: (sample: Client) => (client: Client) => boolean;
}> = [
	{
		name: 'email',
		filters: ({ email }) => ({ clientEmail: email }),
		promise: ({ email }) => is('email', email),
	},
	{
		name: 'email in another case',
		filters: ({ email }) => ({ clientEmail: `  ${email.toUpperCase()} ` }),
		promise: ({ email }) => is('email', email),
	},
	{
		name: 'group by name',
		filters: ({ group_name: value }) => ({ groupName: { __rl: true, mode: 'name', value } }),
		promise: ({ group_name: value }) => is('group_name', value),
	},
	{
		name: 'group in another case, from the list',
		filters: ({ group_name: value }) => ({ groupName: { __rl: true, mode: 'list', value: value.toUpperCase() } }),
		promise: ({ group_name: value }) => is('group_name', value),
	},
	{ name: 'type', filters: () => ({ clientType: 'company' }), promise: () => is('client_type', 'company') },
	{
		name: 'one status',
		filters: () => ({ requestStatus: ['declined'] }),
		promise: () => is('request_status', 'declined'),
	},
	{
		name: 'two statuses',
		filters: () => ({ requestStatus: ['declined', 'pending'] }),
		promise: () => (client) => ['declined', 'pending'].includes(client.request_status.toLowerCase()),
	},
	{
		name: 'client status',
		filters: ({ client_status: clientStatus }) => ({ clientStatus: clientStatus.toUpperCase() }),
		promise: ({ client_status: value }) => is('client_status', value),
	},
	{
		name: 'age',
		filters: (sample) => ({ olderThanDays: ageOf(sample) - 100, createdWithinDays: ageOf(sample) + 100 }),
		promise: (sample) => (client) => Math.abs(ageOf(client) - ageOf(sample)) < 100,
	},
	{
		name: 'created dates',
		filters: ({ created_at: createdAfter }) => ({ createdAfter }),
		promise:
			({ created_at: createdAfter }) =>
			(client) =>
				Date.parse(client.created_at) >= Date.parse(createdAfter),
	},
	{
		name: 'all at once',
		filters: (sample) => ({
			clientEmail: sample.email,
			groupName: { __rl: true, mode: 'name', value: sample.group_name },
			clientType: sample.client_type.toLowerCase(),
			requestStatus: [sample.request_status.toLowerCase()],
			createdBefore: '2100-01-01T00:00:00Z',
		}),
		promise: (sample) => (client) =>
			(['email', 'group_name', 'client_type', 'request_status'] as const).every((field) =>
				is(field, sample[field])(client),
			),
	},
	{
		name: 'a group and a status',
		filters: (sample) => ({
			groupName: { __rl: true, mode: 'name', value: sample.group_name },
			requestStatus: [sample.request_status.toLowerCase()],
		}),
		promise: (sample) => (client) =>
			is('group_name', sample.group_name)(client) && is('request_status', sample.request_status)(client),
	},
];

const behaviorsOf = (setting: SettingName) =>
	SETTINGS[setting].behaviors.map((behavior) => ({ [setting]: behavior }) as Partial<Behavior>);

const BEHAVIORS: Array<Partial<Behavior>> = [
	...(['emailFilter', 'groupFilter', 'severalFilters', 'statusCase'] as const).flatMap(behaviorsOf),
	...oneOf(4, (['beyondLast', 'overLimit', 'emptyList', 'order'] as const).flatMap(behaviorsOf)),
];

const SAMPLE: Client = {
	reference_id: '1',
	email: 'a@example.com',
	client_name: 'A',
	client_type: 'individual',
	group_name: 'G',
	group_token: '00000000-0000-4000-8000-000000000000',
	request_status: 'Pending',
	client_status: 'active',
	created_at: '2026-01-01T00:00:00.000Z',
};

describe.each(FILTERS)('The filter by $name', ({ filters, promise }) => {
	it('returns every client that matches and no other under each behavior of the service', async () => {
		for (const behavior of BEHAVIORS) {
			const service = await startService({ clients: CLIENTS, behavior });
			const clients = [...service.app.environment('sandbox').served()];
			const sample = clients[CLIENTS - 30];
			const options = behavior.overLimit === 'hang' ? { timeout: 1 } : {};
			const { json, error, hints } = await service.engine.run({
				parameters: { returnAll: true, filters: filters(sample), options },
			});
			expect({ behavior, error, hints }).toEqual({ behavior, error: undefined, hints: [] });
			const expected = idsOf(clients.filter(promise(sample)));
			expect(expected.length).toBeGreaterThan(0);
			expect({ behavior, ids: idsOf(json) }).toEqual({ behavior, ids: expected });
			await service.close();
		}
	});
});

describe('A filter by request status or client type', () => {
	it('is trusted when it matches no client', async () => {
		const clients = Array.from({ length: 200 }, (_, index) => ({ ...SAMPLE, reference_id: String(index) }));
		const service = await startService({ clients });
		for (const filters of [{ requestStatus: ['declined'] }, { clientType: 'company' }]) {
			const before = service.listRequests().length;
			const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true, filters } });
			expect({ json, error, hints }).toEqual({ json: [], error: undefined, hints: ['No client matches the filters.'] });
			expect(service.listRequests()).toHaveLength(before + 1);
		}
	});
});

describe('A text filter', () => {
	const group = (value: string) => ({ groupName: { __rl: true, mode: 'name', value } });
	const list = async (service: Service, filters: object) => {
		const before = service.listRequests().length;
		const { json, error } = await service.engine.run({ parameters: { returnAll: true, filters } as never });
		expect(error).toBeUndefined();
		const sent = service.listRequests().slice(before);
		return { ids: idsOf(json), sent: sent.map(({ query }) => query.client_email ?? query.group_name) };
	};

	it.each([
		['email', 'ada@example.com', { clientEmail: 'Ada@Example.COM' }],
		['group_name', 'VIP', group('vip')],
		['group_name', 'Cafe\u0301', group('caf\u00e9')],
		['group_name', '\u00c4rzte', group('\u00e4rzte')],
	])('finds the %s %j in another spelling at a service that compares exactly', async (field, value, filters) => {
		const service = await startService({ clients: 120, behavior: { emailFilter: 'exact', groupFilter: 'exact' } });
		const { reference_id: id } = service.app.environment('sandbox').clients.add({ [field]: value });
		expect((await list(service, filters)).ids).toEqual([id]);
	});

	it('is sent once when it returns a match', async () => {
		const service = await startService({ clients: 120, behavior: { emailFilter: 'exact' } });
		const { reference_id: id } = service.app.environment('sandbox').clients.add({ email: 'ada@example.com' });
		const found = await list(service, { clientEmail: 'ada@example.com' });
		expect(found).toEqual({ ids: [id], sent: ['ada@example.com'] });
	});

	it('that matches no client makes the node read the list, until the filter has returned a match', async () => {
		const service = await startService({ clients: 120, behavior: { emailFilter: 'exact' } });
		const { reference_id: id } = service.app.environment('sandbox').clients.add({ email: 'ada@example.com' });
		const nobody = { clientEmail: 'nobody@example.com' };
		expect(await list(service, nobody)).toEqual({ ids: [], sent: ['nobody@example.com', undefined, undefined] });
		expect((await list(service, { clientEmail: 'ada@example.com' })).ids).toEqual([id]);
		expect(await list(service, nobody)).toEqual({ ids: [], sent: ['nobody@example.com'] });
		// Other filters have not shown that they work.
		expect((await list(service, group('nobody'))).sent).toContain(undefined);
	});

	it('with capital letters makes the node read the list, until a match has shown that case is ignored', async () => {
		const service = await startService({ clients: 120, behavior: { emailFilter: 'any-case' } });
		const { reference_id: id } = service.app.environment('sandbox').clients.add({ email: 'ada@example.com' });
		const nobody = { clientEmail: 'Nobody@example.com' };
		// A case-sensitive service returns this one, too.
		expect((await list(service, { clientEmail: 'ada@example.com' })).ids).toEqual([id]);
		expect((await list(service, nobody)).sent).toContain(undefined);
		expect((await list(service, { clientEmail: 'Ada@Example.com' })).ids).toEqual([id]);
		expect(await list(service, nobody)).toEqual({ ids: [], sent: ['Nobody@example.com'] });
	});

	it('finds a client in another spelling after the exact spelling has matched at a case-sensitive service', async () => {
		const service = await startService({ clients: 120, behavior: { emailFilter: 'exact' } });
		const { reference_id: id } = service.app.environment('sandbox').clients.add({ email: 'ada@example.com' });
		expect((await list(service, { clientEmail: 'ada@example.com' })).ids).toEqual([id]);
		expect((await list(service, { clientEmail: 'Ada@Example.com' })).ids).toEqual([id]);
	});

	it('finds a group in another spelling although the service only ignores the case of emails', async () => {
		const service = await startService({ clients: 120, behavior: { emailFilter: 'any-case', groupFilter: 'exact' } });
		const { clients } = service.app.environment('sandbox');
		const { reference_id: id } = clients.add({ email: 'ada@example.com', group_name: 'VIP' });
		expect((await list(service, { clientEmail: 'Ada@Example.com' })).ids).toEqual([id]);
		expect((await list(service, group('vip'))).ids).toEqual([id]);
	});

	it('that the service ignores makes the node read the list once', async () => {
		const service = await startService({ clients: 120, behavior: { emailFilter: 'ignored' } });
		const { ids, sent } = await list(service, { clientEmail: 'nobody@example.com' });
		expect(ids).toEqual([]);
		expect(new Set(sent)).toEqual(new Set(['nobody@example.com']));
	});
});

describe('A filter that matches no client', () => {
	it.each(SETTINGS.beyondLast.behaviors)(
		'returns no clients and no error under each behavior for pages beyond the last (%s)',
		async (beyondLast) => {
			for (const filters of [
				{ requestStatus: ['declined'], createdAfter: '2100-01-01' },
				{ createdAfter: '2100-01-01' },
			]) {
				const service = await startService({ clients: 120, behavior: { beyondLast } });
				const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true, filters } });
				expect({ json, error, hints }).toEqual({
					json: [],
					error: undefined,
					hints: ['No client matches the filters.'],
				});
			}
		},
	);
});

describe('Created dates', () => {
	it.each([
		[{ createdAfter: '2025-01-01T00:00:00.000950Z' }, ['later']],
		[{ createdBefore: '2025-01-01T00:00:00.000950Z' }, ['earlier']],
		[{ createdAfter: '2025-01-01T00:00:00.000900Z' }, ['earlier', 'later']],
		[{ createdBefore: '2025-01-01T00:00:00.001Z' }, ['earlier', 'later']],
	])('are compared to the microsecond: %j', async (filters, names) => {
		const service = await startService({ clients: 0 });
		const { clients } = service.app.environment('sandbox');
		clients.add({ client_name: 'earlier', created_at: '2025-01-01T00:00:00.000900Z' });
		clients.add({ client_name: 'later', created_at: '2025-01-01T00:00:00.000950Z' });
		const { json } = await service.engine.run({ parameters: { returnAll: true, filters } });
		expect(json.map(({ client_name }) => client_name).sort()).toEqual(names);
	});
});

describe('The option "Text Match"', () => {
	it('finds clients by a part of the value, which is not sent to the service', async () => {
		const service = await startService({ clients: CLIENTS });
		const part = 'EXAMPLE';
		const clients = [...service.app.environment('sandbox').served()];
		const { json } = await service.engine.run({
			parameters: { returnAll: true, filters: { clientEmail: part }, options: { textMatch: 'part' } },
		});
		const expected = clients.filter(({ email }) => email.toLowerCase().includes(part.toLowerCase()));
		expect(expected.length).toBeGreaterThan(0);
		expect(idsOf(json)).toEqual(idsOf(expected));
		expect(service.listRequests().every(({ query }) => !('client_email' in query))).toBe(true);
	});
});

describe('Values from expressions and AI agents', () => {
	it.each([
		['PENDING ', 'pending'],
		[' Pending', 'pending'],
		[['Pending '], 'pending'],
		['pending, declined', undefined],
	])('can give the status as %j', async (requestStatus, sent) => {
		const service = await startService({ clients: 50 });
		const { error } = await service.engine.run({ parameters: { filters: { requestStatus } } });
		expect(error).toBeUndefined();
		expect(service.listRequests()[0].query.request_status).toBe(sent);
	});

	it.each(['', ' ', 'none', 'all', 'Any'])('mean no filter if status and type are %j', async (value) => {
		const service = await startService({ clients: 30 });
		const { json } = await service.engine.run({ parameters: { filters: { requestStatus: value, clientType: value } } });
		expect(json).toHaveLength(30);
	});
});

describe('Created dates without a time zone', () => {
	it('are interpreted in the time zone of the workflow', async () => {
		const at = (created_at: string, reference_id: string) => ({ ...SAMPLE, created_at, reference_id });
		const clients = [at('2026-03-01T04:59:59.999Z', 'before'), at('2026-03-01T05:00:00.000Z', 'at')];
		const service = await startService({ clients });
		const run = async (timezone: string) =>
			idsOf(
				(await service.engine.run({ timezone, parameters: { filters: { createdAfter: '2026-03-01T00:00:00' } } })).json,
			);
		expect(await run('America/New_York')).toEqual(['at']);
		expect(await run('UTC')).toEqual(['at', 'before']);
	});
});

describe('An empty result of a service that has a special response for it', () => {
	it.each(SETTINGS.emptyList.behaviors)(
		'is returned as no clients and no error if one of two filters matches no client (%s)',
		async (emptyList) => {
			const service = await startService({
				clients: 30,
				// The email filter alone has a match, and the status filter alone has none.
				behavior: { emptyList, emailFilter: 'exact', severalFilters: 'any' },
			});
			const { clients } = service.app.environment('sandbox');
			for (const id of clients.ids()) clients.setStatus(id, 'Pending');
			const [{ email }] = clients.all();
			const { json, error } = await service.engine.run({
				parameters: { returnAll: true, filters: { clientEmail: email, requestStatus: ['declined'] } },
			});
			expect(error).toBeUndefined();
			expect(json).toEqual([]);
		},
	);
});

describe('A filter that was added and left empty', () => {
	it.each([
		[{ requestStatus: [] }, ['These filters are empty and were ignored: "Request Status".']],
		[
			{ clientEmail: ' ', groupName: { __rl: true, mode: 'name', value: '' }, clientType: 'company' },
			['These filters are empty and were ignored: "Client Email", "Group".'],
		],
		[{ requestStatus: '={{ "all" }}', clientType: 'company' }, []],
		[{}, []],
	])('is not used and is named in a hint: %j', async (filters, expected) => {
		const service = await startService({ clients: 20 });
		const { json, hints, error } = await service.engine.run({ parameters: { returnAll: true, filters } });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		expect(hints).toEqual(expected);
	});
});
