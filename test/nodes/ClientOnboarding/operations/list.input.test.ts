import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../../sandbox/data/clients.mts';
import { idsOf, startService, type Service } from '../../../support/service.mts';

const at = (reference_id: string, fields: Partial<Client>): Client => ({
	reference_id,
	email: `${reference_id}@example.com`,
	client_name: reference_id,
	client_type: 'individual',
	group_name: 'Retail',
	group_token: '00000000-0000-4000-8000-000000000000',
	request_status: 'Pending',
	client_status: 'active',
	created_at: '2026-01-01T00:00:00.000Z',
	...fields,
});

const CLIENTS = [
	at('ada', { client_type: 'company', request_status: 'Declined' }),
	at('bob', { group_name: 'VIP' }),
	at('cy', { client_type: 'trust', request_status: 'Accepted', created_at: '2026-01-31T08:30:00.000Z' }),
	at('dan', { group_name: 'All', created_at: '2026-03-01T00:00:00.000Z' }),
	at('eve', { group_name: '123' }),
];
const ALL_IDS = ['ada', 'bob', 'cy', 'dan', 'eve'];

const start = async () => await startService({ clients: CLIENTS });

async function list(service: Service, filters: IDataObject | string, json: IDataObject = {}, more: IDataObject = {}) {
	return await service.engine.run({
		parameters: { returnAll: true, filters, ...more } as never,
		input: [{ json }] as never,
		timezone: 'Europe/Berlin',
	});
}

/** Resolves to the value of the input item. */
const VALUE = '={{ $json.value }}';
const FROM_AGENT = "={{ $fromAI('value', 'what to look for', 'string') }}";
const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const fromList = (value: string) => ({ __rl: true, mode: 'list', value });

const FILTERS = [
	{ field: 'Client Email', name: 'clientEmail' },
	{ field: 'Client Type', name: 'clientType' },
	{ field: 'Created After', name: 'createdAfter' },
	{ field: 'Created Before', name: 'createdBefore' },
	{ field: 'Request Status', name: 'requestStatus' },
	{ field: 'Group', name: 'groupName' },
	{ field: 'Client Status', name: 'clientStatus' },
	{ field: 'Created Within (Days)', name: 'createdWithinDays' },
	{ field: 'Created More Than (Days Ago)', name: 'olderThanDays' },
];

describe.each(FILTERS)('The filter "$field"', ({ field, name }) => {
	it('stops the run with a message that names it and costs no request if its expression resolves to nothing', async () => {
		const service = await start();
		for (const value of [undefined, null, '', '  ', [], [''], [[null]]]) {
			const { json, error } = await list(service, { [name]: VALUE }, { value } as IDataObject);
			expect({ value, json }).toEqual({ value, json: [] });
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				message: `"${field}" is empty: its expression has no value. Correct the expression, or have it return "all" for no filter`,
				context: { itemIndex: 0 },
			});
		}
		expect(service.requests).toEqual([]);
	});

	it('filters nothing if its value is "all" in any case, fixed, from an expression or from an AI agent', async () => {
		const service = await start();
		for (const filter of ['all', ' ALL ', VALUE, FROM_AGENT]) {
			for (const value of ['All', ['all']]) {
				const { json, error } = await list(service, { [name]: filter }, { value });
				expect({ filter, error }).toEqual({ filter, error: undefined });
				expect(idsOf(json)).toEqual(ALL_IDS);
			}
		}
	});

	it('filters nothing if it was added and left empty', async () => {
		const service = await start();
		for (const untouched of ['', ' ', [], null]) {
			const { json, error } = await list(service, { [name]: untouched } as never);
			expect({ untouched, error }).toEqual({ untouched, error: undefined });
			expect(idsOf(json)).toEqual(ALL_IDS);
		}
	});

	it('filters nothing if an AI agent leaves it blank', async () => {
		const service = await start();
		for (const filter of [FROM_AGENT, "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('a', ``, 'string', '') }}"]) {
			const { json, error } = await service.engine.run({
				isTool: true,
				parameters: { returnAll: true, filters: { [name]: filter } },
			});
			expect({ filter, error }).toEqual({ filter, error: undefined });
			expect(idsOf(json)).toEqual(ALL_IDS);
		}
	});

	it('stops the run with a message that names it and costs no request if its value has a wrong type', async () => {
		const service = await start();
		for (const value of [{}, { name: 'x' }, [{ value: 'x' }], true, NaN]) {
			const { json, error } = await list(service, { [name]: VALUE }, { value } as IDataObject);
			expect({ value, json }).toEqual({ value, json: [] });
			expect(error?.message).toContain(`"${field}"`);
			expect(error?.message).toMatch(/an object|true|NaN/);
		}
		expect(service.requests).toEqual([]);
	});
});

describe('The group as a resource locator', () => {
	it('stops the run with a message and costs no request if its expression resolves to nothing', async () => {
		const service = await start();
		for (const groupName of [byName(VALUE), fromList(VALUE), '={{ { mode: "name", value: $json.value } }}']) {
			const { json, error } = await list(service, { groupName });
			expect(json).toEqual([]);
			expect(error?.message).toMatch(/^"Group" is empty: its expression has no value/);
		}
		expect(service.requests).toEqual([]);
	});

	it('is optional for an AI agent', async () => {
		const service = await start();
		const { json, error } = await list(service, { groupName: byName(FROM_AGENT) });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(ALL_IDS);
	});

	it('filters nothing if it was added and left empty', async () => {
		const service = await start();
		for (const groupName of [fromList(''), byName('  ')]) {
			expect(idsOf((await list(service, { groupName })).json)).toEqual(ALL_IDS);
		}
	});

	it('can be a group called "All" if it is chosen from the list; by name and in an expression, "all" filters nothing', async () => {
		const service = await start();
		expect(idsOf((await list(service, { groupName: fromList('All') })).json)).toEqual(['dan']);
		expect(idsOf((await list(service, { groupName: byName('All') })).json)).toEqual(ALL_IDS);
		expect(idsOf((await list(service, { groupName: fromList(VALUE) }, { value: 'all' })).json)).toEqual(ALL_IDS);
	});
});

describe("Values in another form than the field's own", () => {
	it.each<[IDataObject, unknown, string[]]>([
		[{ clientType: VALUE }, 'company,individual', ['ada', 'bob', 'dan', 'eve']],
		[{ clientType: VALUE }, ['Company', ' individual'], ['ada', 'bob', 'dan', 'eve']],
		[{ clientType: VALUE }, ['company'], ['ada']],
		[{ clientEmail: VALUE }, ['ADA@example.com'], ['ada']],
		[{ clientEmail: VALUE }, [[' bob@example.com '], ''], ['bob']],
		[{ groupName: VALUE }, ['vip'], ['bob']],
		[{ groupName: byName(VALUE) }, 123, ['eve']],
		[{ groupName: '={{ { value: "VIP" } }}' }, undefined, ['bob']],
		[{ requestStatus: VALUE }, [['Declined '], ['accepted', '']], ['ada', 'cy']],
		[{ requestStatus: VALUE }, ' declined ,, ACCEPTED,', ['ada', 'cy']],
		[{ requestStatus: ['={{ $json.value }}', 'accepted'] }, 'declined', ['ada', 'cy']],
		[{ createdAfter: VALUE }, ['2026-02-01'], ['dan']],
		[{ createdAfter: VALUE }, '2026-01-31 9:30', ['cy', 'dan']],
		[{ createdAfter: VALUE }, '2026-01-31 09:30', ['cy', 'dan']],
		[{ createdAfter: '={{ DateTime.fromISO("2026-02-01") }}' }, undefined, ['dan']],
		[{ createdAfter: '={{ new Date("2026-02-01") }}' }, undefined, ['dan']],
		[{ createdAfter: '={{ "2026-02-01".toDateTime() }}' }, undefined, ['dan']],
	])('are accepted: %j with the value %j', async (filters, value, expected) => {
		const { json, error } = await list(await start(), filters, { value } as IDataObject);
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(expected);
	});

	it.each<[unknown, number]>([
		['true', 5],
		['Yes ', 5],
		[1, 5],
		[true, 5],
		['false', 2],
		['0', 2],
		[0, 2],
		[false, 2],
	])('are accepted for Return All: %j returns %j clients', async (returnAll, count) => {
		const service = await start();
		// If Return All is fixed and neither true nor false, n8n does not pass the limit.
		for (const given of count === 5 ? [returnAll, VALUE] : [VALUE]) {
			const parameters = { returnAll: given, limit: 2 } as never;
			const { json, error } = await service.engine.run({
				parameters,
				input: [{ json: { value: returnAll } }] as never,
			});
			expect(error).toBeUndefined();
			expect(json).toHaveLength(count);
		}
	});

	it.each<[unknown, string[]]>([
		[['email'], ['email']],
		[[['email', ' client_name ']], ['email', 'client_name']],
		['Email, Client Name', ['email', 'client_name']],
		['CLIENT_NAME,', ['client_name']],
		['all', Object.keys(CLIENTS[0])],
	])('are accepted for Fields to Return: %j selects %j', async (value, expected) => {
		const { json, error } = await list(await start(), {}, { value } as IDataObject, { options: { fields: VALUE } });
		expect(error).toBeUndefined();
		expect(Object.keys(json[0]).sort()).toEqual([...expected].sort());
	});

	it('count as not set if an AI agent leaves them blank', async () => {
		const service = await startService({ clients: 60 });
		const { json, error } = await service.engine.run({
			isTool: true,
			parameters: {
				returnAll: FROM_AGENT,
				limit: FROM_AGENT,
				options: {
					fields: FROM_AGENT,
					pageSize: FROM_AGENT,
					parallelRequests: FROM_AGENT,
					textMatch: FROM_AGENT,
					timeout: FROM_AGENT,
				},
			},
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(50);
	});
});

describe('A bad value', () => {
	const several = (field: string) =>
		`"${field}" takes one value, not 2. Enter one, or use the Split Out node to get one item for each`;
	const empty = (field: string) => `"${field}" is empty: its expression has no value`;

	it.each<[string, IDataObject, unknown, string]>([
		['two addresses', { filters: { clientEmail: VALUE } }, ['a@b.c', 'd@e.f'], several('Client Email')],
		['two addresses in a text', { filters: { clientEmail: VALUE } }, 'a@b.c, d@e.f', several('Client Email')],
		['two groups', { filters: { groupName: byName(VALUE) } }, ['VIP', 'Retail'], several('Group')],
		['two dates', { filters: { createdAfter: VALUE } }, ['2026-01-01', '2026-01-02'], several('Created After')],
		[
			'a day that does not exist',
			{ filters: { createdAfter: VALUE } },
			'2025-02-30',
			'"Created After" is not a date: "2025-02-30"',
		],
		[
			'no date',
			{ filters: { createdBefore: VALUE } },
			5,
			'"Created Before" is not a date: 5. Use a date like 2026-01-31',
		],
		[
			'a broken date',
			{ filters: { createdBefore: '={{ DateTime.fromISO("x") }}' } },
			0,
			'"Created Before" is not a date',
		],
		['commas alone', { filters: { requestStatus: VALUE } }, ' , ', empty('Request Status')],
		['a word for nothing', { filters: { requestStatus: VALUE } }, 'none', empty('Request Status')],
		['all and more', { filters: { requestStatus: VALUE } }, 'all, pending', '"Request Status" cannot be "all"'],
		['an unknown type', { filters: { clientType: VALUE } }, ['company', 'robot'], '"Client Type" cannot be "robot"'],
		['a switch without a value', { returnAll: VALUE }, undefined, empty('Return All')],
		[
			'a switch that is neither on nor off',
			{ returnAll: VALUE },
			'maybe',
			'"Return All" must be true or false, not "maybe"',
		],
		['a switch as a list', { returnAll: VALUE }, [true], '"Return All" must be true or false, not a list'],
		['no limit', { limit: VALUE }, undefined, empty('Limit')],
		['a limit that is no number', { limit: VALUE }, NaN, '"Limit" must be a whole number of at least 1, not NaN'],
		['an infinite limit', { limit: VALUE }, 'Infinity', '"Limit" must be a whole number of at least 1, not "Infinity"'],
		[
			'no fields',
			{ options: { fields: VALUE } },
			'',
			`${empty('Fields to Return')}. Correct the expression, or have it return "all" for all`,
		],
		[
			'an object for fields',
			{ options: { fields: VALUE } },
			{ email: true },
			'"Fields to Return" must be text, not an object',
		],
		['no page size', { options: { pageSize: VALUE } }, '', empty('Page Size')],
		['no timeout', { options: { timeout: VALUE } }, null, empty('Timeout (Seconds)')],
		['no choice for text filters', { options: { textMatch: VALUE } }, undefined, empty('Text Match')],
		[
			'a page size that was deleted',
			{ options: { pageSize: '' } },
			0,
			'"Page Size" must be a whole number of at least 1, not empty',
		],
		['a long text', { limit: VALUE }, 'x'.repeat(1000), `not "${'x'.repeat(60)}…"`],
	])('(%s) is reported with its field and item and costs no request', async (_, parameters, value, message) => {
		const service = await start();
		const { json, error } = await service.engine.run({
			parameters: parameters as never,
			input: [{ json: { value } }] as never,
		});
		expect(json).toEqual([]);
		expect(error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 0 } });
		expect(error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});

	it('of one input item does not affect the others with Continue On Fail', async () => {
		const service = await start();
		const { items } = await service.engine.run({
			continueOnFail: true,
			parameters: { filters: { clientEmail: '={{ $json.email }}' } },
			input: [{ json: { email: 'bob@example.com' } }, { json: {} }, { json: { email: 'eve@example.com' } }],
		});
		expect(items.map(({ json }) => json.reference_id ?? json.error)).toEqual([
			'bob',
			expect.stringMatching(/^"Client Email" is empty/),
			'eve',
		]);
		expect(items[1].json).toEqual({ error: expect.any(String) });
	});
});
