import { describe, expect, it } from '@jest/globals';
import type { INodeParameters } from 'n8n-workflow';
import type { Client } from '../../../../sandbox/data/clients.mts';
import { AXES, type Dialect } from '../../../../sandbox/endpoints/dialect.mts';
import type { RequestInfo } from '../../../../sandbox/endpoints/endpoints.mts';
import type { ServiceAnswer } from '../../../../sandbox/faults/damage.mts';
import { oneOf } from '../../../support/depth.mts';
import { idsOf, startService } from '../../../support/service.mts';

const CLIENTS = 300;

const is = (field: keyof Client, value: string) => (client: Client) =>
	client[field].toLowerCase() === value.toLowerCase();

const ageOf = ({ created_at: created }: Client) => (Date.now() - Date.parse(created)) / 86_400_000;

/** Filters as a user sets them, and what they promise, said once more in other words. */
const FILTERS: Array<{
	name: string;
	filters: (sample: Client) => INodeParameters;
	promise: (sample: Client) => (client: Client) => boolean;
}> = [
	{
		name: 'e-mail',
		filters: ({ email }) => ({ clientEmail: email }),
		promise: ({ email }) => is('email', email),
	},
	{
		name: 'e-mail in other letters',
		filters: ({ email }) => ({ clientEmail: `  ${email.toUpperCase()} ` }),
		promise: ({ email }) => is('email', email),
	},
	{
		name: 'group by name',
		filters: ({ group_name: value }) => ({ groupName: { __rl: true, mode: 'name', value } }),
		promise: ({ group_name: value }) => is('group_name', value),
	},
	{
		name: 'group in other letters, from the list',
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

const DIALECTS: Array<Partial<Dialect>> = [
	...(['emailFilter', 'groupFilter', 'severalFilters', 'beyondLast', 'totals', 'overLimit'] as const).flatMap((axis) =>
		AXES[axis].readings.map((reading) => ({ [axis]: reading }) as Partial<Dialect>),
	),
	...AXES.choiceFilters.readings.flatMap((choiceFilters) =>
		AXES.statusCase.readings.map((statusCase) => ({ choiceFilters, statusCase })),
	),
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

describe('A choice that nobody has', () => {
	const declined = { parameters: { returnAll: true, filters: { requestStatus: ['declined'] } } };

	it.each([
		['documented', 'capitalised', 8],
		['any-case', 'capitalised', 5],
		['as-stored', 'capitalised', 10],
	] as const)('is believed where the filter works (%s, records %s)', async (choiceFilters, statusCase, most) => {
		const service = await startService({ clients: 3_000, dialect: { choiceFilters, statusCase, overLimit: 'capped' } });
		const { clients } = service.app.environment('sandbox');
		for (const id of clients.ids())
			if (clients.get(id)?.request_status === 'Declined') clients.update(id, { request_status: 'Accepted' });
		const { json, error, hints } = await service.engine.run(declined);
		expect({ json, error, hints }).toEqual({ json: [], error: undefined, hints: [] });
		expect(service.listRequests().length).toBeLessThanOrEqual(most);
	});
});

it.each(['as-stored', 'nobody'] as const)(
	'A choice that some have is found where filters are %s',
	async (choiceFilters) => {
		const service = await startService({ clients: 300, dialect: { choiceFilters } });
		const { json, error, hints } = await service.engine.run({
			parameters: { returnAll: true, filters: { requestStatus: ['declined'], clientType: 'company' } },
		});
		expect({ error, hints }).toEqual({ error: undefined, hints: [] });
		const served = [...service.app.environment('sandbox').served()];
		const wanted = served.filter((client) => client.request_status === 'Declined' && client.client_type === 'company');
		expect(wanted.length).toBeGreaterThan(0);
		expect(idsOf(json)).toEqual(idsOf(wanted));
	},
);

describe.each(FILTERS)('The filter $name', ({ filters, promise }) => {
	it('gives every client that matches and no other, under every reading of the specification', async () => {
		for (const dialect of oneOf(4, DIALECTS)) {
			const service = await startService({ clients: CLIENTS, dialect });
			const clients = [...service.app.environment('sandbox').served()];
			const sample = clients[137];
			const { json, error, hints } = await service.engine.run({
				parameters: { returnAll: true, filters: filters(sample) },
			});
			// A total that is too high speaks of others.
			const doubts = dialect.totals === 'too-high' ? [expect.stringMatching(/^The service speaks of /)] : [];
			expect({ dialect, error, hints }).toEqual({ dialect, error: undefined, hints: doubts });
			const expected = idsOf(clients.filter(promise(sample)));
			expect(expected.length).toBeGreaterThan(0);
			expect({ dialect, ids: idsOf(json) }).toEqual({ dialect, ids: expected });
			await service.close();
		}
	});
});

describe('A service that minds case', () => {
	it.each(['exact', 'any-case', 'contains'] as const)(
		'keeps back nobody who is written otherwise (%s)',
		async (reading) => {
			const service = await startService({ clients: 120, dialect: { emailFilter: reading, groupFilter: reading } });
			const { clients } = service.app.environment('sandbox');
			const ids = ['ada@example.com', 'Ada@Example.com', 'ADA@EXAMPLE.COM'].map(
				(email, index) => clients.add({ email, group_name: ['vip', 'Vip', 'VIP'][index] }).reference_id,
			);
			for (const filters of [
				{ clientEmail: 'ada@example.com' },
				{ clientEmail: 'Ada@Example.COM' },
				{ groupName: { __rl: true, mode: 'name', value: 'vip' } },
			]) {
				const { json } = await service.engine.run({ parameters: { returnAll: true, filters } });
				expect(idsOf(json)).toEqual([...ids].sort());
			}
		},
	);

	it('in how accents are written keeps back nobody', async () => {
		const service = await startService({ clients: 120 });
		const { clients } = service.app.environment('sandbox');
		const ids = ['Caf\u00e9', 'Cafe\u0301'].map((group_name) => clients.add({ group_name }).reference_id);
		for (const value of ['caf\u00e9', 'CAFE\u0301']) {
			const { json, hints } = await service.engine.run({
				parameters: { returnAll: true, filters: { groupName: { __rl: true, mode: 'name', value } } },
			});
			expect({ ids: idsOf(json), hints }).toEqual({ ids: [...ids].sort(), hints: [] });
		}
	});

	it('in letters with accents only keeps back nobody', async () => {
		const asciiFold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
		let wanted = '';
		const service = await startService({
			clients: 120,
			dialect: { groupFilter: 'exact' },
			onRequest: ({ endpoint, query }) => {
				const asked = query as Record<string, string>;
				if (endpoint !== 'list' || !asked.group_name) return;
				wanted = asciiFold(asked.group_name);
				// The sandbox has nothing like it: the group that is written alike but for plain letters.
				asked.group_name = groups.find((group) => asciiFold(group) === wanted) ?? 'nobody';
			},
		});
		const groups = ['Ärzte', 'ärzte'];
		const { clients } = service.app.environment('sandbox');
		const ids = groups.map((group_name) => clients.add({ group_name }).reference_id);
		const { json } = await service.engine.run({
			parameters: { returnAll: true, filters: { groupName: { __rl: true, mode: 'name', value: 'Ärzte' } } },
		});
		expect(idsOf(json)).toEqual([...ids].sort());
	});

	it('also in the type of clients, keeps back nobody either', async () => {
		const [field, stored] = ['client_type', 'Company'] as const;
		const unknown = new Set<number>();
		const service = await startService({
			clients: 120,
			onRequest: ({ endpoint, query, count }) => {
				const asked = query as Record<string, string>;
				if (endpoint !== 'list' || !asked[field]) return;
				if (asked[field] !== stored) unknown.add(count);
				asked[field] = stored.toLowerCase();
			},
			onAnswer: ({ endpoint, count }, { body }) => {
				if (endpoint !== 'list' || !unknown.has(count)) return;
				Object.assign((body as { data: object }).data, { results: [], total_count: 0, total_pages: 0 });
			},
		});
		const all = [...service.app.environment('sandbox').served()];
		const expected = all.filter((client) => client[field].toLowerCase() === stored.toLowerCase());
		const parameters = { returnAll: true, filters: { clientType: 'company' } };
		const { json, error } = await service.engine.run({ parameters });
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(idsOf(expected));
	});

	it.each([400, 422])('or refuses a filter altogether with %i, is read without it', async (code) => {
		const service = await startService({
			clients: 120,
			dialect: { otherParameters: code === 400 ? 'refused-400' : 'refused-422' },
			onRequest: ({ endpoint, query }) => {
				const asked = query as Record<string, string>;
				if (endpoint !== 'list' || !asked.group_name) return;
				asked.unknown_group_name = asked.group_name;
			},
		});
		const all = [...service.app.environment('sandbox').served()];
		const group = all[7].group_name;
		const { json, error } = await service.engine.run({
			parameters: { returnAll: true, filters: { groupName: { __rl: true, mode: 'name', value: group } } },
		});
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(idsOf(all.filter((client) => client.group_name === group)));
	});
});

describe('A first page without anybody', () => {
	const emptyFirst = ({ endpoint }: RequestInfo, { body }: ServiceAnswer) => {
		if (endpoint !== 'list') return;
		const { data } = body as { data: { page_number: number; results: unknown[] } };
		if (data.page_number === 1) data.results = [];
	};

	it('does not hide those who match and come later', async () => {
		const service = await startService({ clients: 120, dialect: { totals: 'absent' }, onAnswer: emptyFirst });
		const { clients } = service.app.environment('sandbox');
		const ids = [1, 2, 3].map(() => clients.add({ email: 'ada@example.com' }).reference_id);
		const { json, error } = await service.engine.run({
			parameters: { returnAll: true, filters: { clientEmail: 'ada@example.com' }, options: { pageSize: 1 } },
		});
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual([...ids].sort());
	});

	it('does not prove which name of the page parameter counts', async () => {
		const service = await startService({
			clients: 60,
			dialect: { pageParameter: 'page', totals: 'absent' },
			onAnswer: emptyFirst,
		});
		const { json } = await service.engine.run({ parameters: { returnAll: true, options: { pageSize: 10 } } });
		expect(idsOf(json)).toEqual(service.app.environment('sandbox').clients.ids().slice(10).sort());
	});
});

describe('A filter nobody matches', () => {
	it.each(['empty', '404', '400', 'last-page'] as const)('gives no client and no error (%s)', async (beyondLast) => {
		for (const filters of [
			{ requestStatus: ['declined'], createdAfter: '2100-01-01' },
			{ createdAfter: '2100-01-01' },
		]) {
			const service = await startService({ clients: 120, dialect: { beyondLast } });
			const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true, filters } });
			expect({ json, error, hints }).toEqual({ json: [], error: undefined, hints: [] });
		}
	});

	it('gives no client where the service knows no first page of an empty list', async () => {
		const service = await startService({
			clients: 120,
			onAnswer: ({ endpoint, query }, answer) => {
				if (endpoint === 'list' && query.request_status) {
					Object.assign(answer, { status: 404, body: { status_code: 404, message: 'No such page.', data: null } });
				}
			},
		});
		const declined = [...service.app.environment('sandbox').served()].filter(
			({ request_status: s }) => s === 'Declined',
		);
		const { json, error } = await service.engine.run({
			parameters: { returnAll: true, filters: { requestStatus: ['declined'] } },
		});
		expect(error).toBeUndefined();
		expect(idsOf(json)).toEqual(idsOf(declined));
	});
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

describe('The option "Text Filters Match"', () => {
	it('finds a part of the value without asking the service for it', async () => {
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
	])('the status %j is understood', async (requestStatus, sent) => {
		const service = await startService({ clients: 50 });
		const { error } = await service.engine.run({ parameters: { filters: { requestStatus } } });
		expect(error).toBeUndefined();
		expect(service.listRequests()[0].query.request_status).toBe(sent);
	});

	it.each(['', ' ', 'none', 'all', 'Any'])('the status and type %j mean no filter', async (value) => {
		const service = await startService({ clients: 30 });
		const { json } = await service.engine.run({ parameters: { filters: { requestStatus: value, clientType: value } } });
		expect(json).toHaveLength(30);
	});
});

describe('Created dates without a time zone', () => {
	it('are meant in the time zone of the workflow', async () => {
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

describe('A client whose date cannot be read', () => {
	const at = (created_at: string, reference_id: string) => ({ ...SAMPLE, created_at, reference_id });
	const misdated = [
		at('05/06/2026', 'slashed'),
		at('soon', 'promised'),
		{ ...at('soon', 'other'), group_name: 'Other' },
	];
	const clients = [at(new Date().toISOString(), 'dated'), at('', 'undated'), ...misdated];
	const left = (count: number) =>
		`The date of creation cannot be read for ${count} of the clients: filters by date leave them out.`;

	it.each(['list', 'count', 'listGroups'])('is left out by a filter by date, and %s says so', async (operation) => {
		const service = await startService({ clients });
		for (const filters of [{ createdWithinDays: 7 }, { createdBefore: '2999-01-01' }]) {
			const { json, hints } = await service.engine.run({ parameters: { operation, returnAll: true, filters } });
			const counts = { list: json.length, count: json[0].total, listGroups: json[0].clients };
			expect(counts[operation as keyof typeof counts]).toBe(1);
			expect(hints).toEqual([left(3)]);
		}
	});

	it('is not spoken of where another filter leaves it out, or none asks for a date', async () => {
		const service = await startService({ clients });
		const group = { groupName: { __rl: true, mode: 'name', value: 'Other' } };
		for (const [filters, ids, hint] of [
			[{ createdWithinDays: 7, ...group }, [], [left(1)]],
			[{ createdWithinDays: 7, requestStatus: ['declined'] }, [], []],
			[{}, idsOf(clients), []],
		] as const) {
			const { json, hints } = await service.engine.run({ parameters: { returnAll: true, filters } as never });
			expect({ ids: idsOf(json), hints }).toEqual({ ids, hints: hint });
		}
	});

	it('is counted once where several items share the list', async () => {
		const service = await startService({ clients });
		const { hints } = await service.engine.run({
			input: [{ json: { days: 7 } }, { json: { days: 8 } }, { json: { days: 9 } }],
			parameters: { returnAll: true, filters: { createdWithinDays: '={{ $json.days }}' } },
		});
		expect(hints).toEqual([left(3)]);
	});
});

describe('A service that has no list where nobody matches', () => {
	it.each(['404', '204', 'bare-404', 'results-null'] as const)(
		'is no reason to stop, whichever of its filters finds nobody (%s)',
		async (emptyList) => {
			const service = await startService({
				clients: 30,
				// The text is found where any filter will do, and nobody is left without it.
				dialect: { emptyList, emailFilter: 'exact', severalFilters: 'any' },
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

describe('A service that shows a client only to those who ask for it', () => {
	const archived = { reference_id: 'ARCHIVED', email: 'gone@example.com', request_status: 'Declined' };

	it.each([1, 2])('is believed, for %i items', async (count) => {
		const service = await startService({
			clients: 5_000,
			dialect: { emailFilter: 'exact' },
			onAnswer({ query }, { body }) {
				if (query.client_email !== archived.email) return;
				const { data } = body as { data: object };
				Object.assign(data, { results: [archived], total_count: 1, total_pages: 1 });
			},
		});
		const filters = { clientEmail: '={{ $json.email }}' };
		const input = [archived.email, 'nobody@example.com'].slice(0, count).map((email) => ({ json: { email } }));
		const { json } = await service.engine.run({ parameters: { returnAll: true, filters }, input });
		expect(json).toEqual([archived]);
	});
});

describe('A filter that was added and left empty', () => {
	it.each([
		[{ requestStatus: [] }, ['Empty filters were not used: "Request Status".']],
		[
			{ clientEmail: ' ', groupName: { __rl: true, mode: 'name', value: '' }, clientType: 'company' },
			['Empty filters were not used: "Client Email", "Group".'],
		],
		[{ requestStatus: '={{ "all" }}', clientType: 'company' }, []],
		[{}, []],
	])('is named in a hint: %j', async (filters, expected) => {
		const service = await startService({ clients: 20 });
		const { json, hints, error } = await service.engine.run({ parameters: { returnAll: true, filters } });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		expect(hints).toEqual(expected);
	});
});
