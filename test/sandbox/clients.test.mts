import { afterEach, describe, expect, it } from '@jest/globals';
import { REQUEST_STATUSES } from '../../sandbox/data/client.mts';
import { Clients, type Client, type ClientsOptions } from '../../sandbox/data/clients.mts';
import { parseMicros } from '../../sandbox/data/timestamp.mts';
import { valuesOf } from '../../sandbox/endpoints/behavior.mts';
import { ENVIRONMENT_NAMES } from '../../sandbox/endpoints/environment.mts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.mts';
import { byDepth } from '../support/depth.mts';
import { createCaller, pathOf, send } from './ask.mts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 17, 9, 30, 12, 345);

const populate = (clients: number, options: Partial<ClientsOptions> = {}) =>
	new Clients({ clients, seed: '1 sandbox', now: () => NOW_MS, ...options });
const recent = (clients: number, seed = '1 sandbox', createdUntilMs = NOW_MS) => [
	...populate(clients, { seed, createdUntilMs }).all(),
];
const ageDaysOf = ({ created_at }: Client, nowMs = NOW_MS) => (nowMs - parseMicros(created_at) / 1000) / DAY_MS;
const pickIds = (clients: Client[]) => clients.map(({ reference_id }) => reference_id);
const isOpen = ({ request_status }: Client) => ['Pending', 'Requested'].includes(request_status);

describe('The generated clients of the sandbox', () => {
	it('are the same for a seed in every version, and the first ones whatever their number', () => {
		const clients = populate(1_000_000);
		expect(clients.columns.record(0)).toEqual({
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
		expect(clients.columns.record(999_999)).toMatchObject({
			reference_id: 'ONB-49EFB93C',
			request_status: 'Completed',
			created_at: '2025-12-07T00:25:49.629762Z',
		});
		expect(populate(2, { seed: '1 production' }).columns.referenceId(0)).toBe('ONB-B99DCE65');
	});

	it('have the fields of the specification, in all their variety', () => {
		const clients = populate(2000);
		const all = [...clients.all()];
		const values = (field: keyof Client) => [...new Set(all.map((client) => client[field]))].sort();
		expect(values('reference_id')).toHaveLength(2000);
		expect(values('request_status')).toEqual([...REQUEST_STATUSES].sort());
		expect(values('client_type')).toEqual(['company', 'individual']);
		expect(values('client_status')).toEqual(['active', 'inactive']);
		expect([values('group_name').length, values('group_token').length]).toEqual([11, 12]);
		expect(values('email').length).toBeLessThan(1900);
		expect(values('created_at').length).toBeLessThan(1900);
		for (const script of [/[À-ž]/, /'/, /"/, /\p{Script=Han}/u, /\p{Script=Hangul}/u]) {
			expect(values('client_name').filter((name) => script.test(name))).not.toEqual([]);
		}
		const shapes = {
			created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
			group_token: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
			email: /^[\w.-]+@[a-z.-]+$/,
		};
		for (const [field, shape] of Object.entries(shapes)) {
			expect(values(field as keyof Client).filter((value) => !shape.test(value))).toEqual([]);
		}
		expect(all.filter(({ reference_id: id }) => clients.get(id)?.reference_id !== id)).toEqual([]);
	});

	it.each([1, 10, 250, 1000])('fill the twelve months until now, and the newest is new: %p of them', (count) => {
		for (let seed = 0; seed < 20; seed++) {
			const all = recent(count, `${seed} sandbox`);
			const ages = all.map((client) => ageDaysOf(client));
			expect(ages).toEqual([...ages].sort((a, b) => b - a));
			expect(ages[0]).toBeLessThanOrEqual(365);
			expect(ages.at(-1)).toBeLessThan(1 / 8);
			expect(ages.at(-1)).toBeGreaterThanOrEqual(0);
			const months = new Set(ages.map((days) => Math.floor(days / 30.5)));
			if (count >= 250) expect(months.size).toBe(12);
		}
	});

	it.each([
		['created today', 0, 1, 0.8, 1],
		['created in the last week', 1, 7, 0.5, 0.8],
		['created in the last month', 7, 30, 0.2, 0.45],
		['older than 90 days', 90, 366, 0.02, 0.1],
	])('are pending or requested at a share that fits their age if they were %s', (_, fromDays, toDays, least, most) => {
		const aged = recent(10_000).filter((client) => ageDaysOf(client) >= fromDays && ageDaysOf(client) < toDays);
		const share = aged.filter(isOpen).length / aged.length;
		expect(share).toBeGreaterThanOrEqual(least);
		expect(share).toBeLessThanOrEqual(most);
	});

	it.each(ENVIRONMENT_NAMES)('include some that have been pending or requested for 90 days: %s', (name) => {
		const old = recent(250, `1 ${name}`).filter((client) => ageDaysOf(client) > 90);
		for (const status of REQUEST_STATUSES) {
			expect(old.map(({ request_status }) => request_status)).toContain(status);
		}
	});
});

describe('The stored clients of the sandbox', () => {
	it('include an added client at its time of creation, by default now', () => {
		const clients = populate(10);
		expect(clients.add()).toMatchObject({ created_at: '2026-06-17T09:30:12.345000Z', request_status: 'Pending' });
		const old = clients.add({ reference_id: 'OLD', created_at: '2020-01-01T00:00:00.5Z' });
		expect(old).toMatchObject({ reference_id: 'OLD', email: expect.stringContaining('@') });
		expect([clients.ids().indexOf('OLD'), clients.size]).toEqual([0, 12]);
	});

	it('do not include a removed client until it is added again', () => {
		const clients = populate(3);
		const [, id] = clients.ids();
		const removed = clients.remove(id);
		expect([clients.get(id), clients.size]).toEqual([undefined, 2]);
		expect(() => clients.remove(id)).toThrow(`No client has the reference_id "${id}".`);
		expect(clients.add(removed)).toEqual(removed);
		expect(clients.ids()).toContain(id);
	});

	it('are the same after a restart with their edits, also those that are added later', () => {
		const clients = populate(50);
		const ids = clients.ids();
		clients.update(ids[3], { client_name: 'Ada', request_status: 'declined' });
		const { reference_id: bob } = clients.add({ client_name: 'Bob' });
		clients.remove(ids[5]);
		clients.add({ ...clients.remove(ids[7]), client_name: 'Back again' });
		clients.remove(bob);
		clients.add({ reference_id: bob, client_name: 'Bob again' });
		clients.update(bob, { email: 'bob@example.com' });
		const edits = JSON.parse(JSON.stringify(clients.edits()));
		const next = populate(50, { edits });
		expect(next.edits()).toEqual(edits);
		for (let more = 0; more < 5; more++) expect(next.add()).toEqual(clients.add());
		expect([...next.all()]).toEqual([...clients.all()]);
	});

	it.each([-1, 1.5, 1_000_001])('cannot be %p', (count) => {
		expect(() => populate(count)).toThrow('The number of clients must be a whole number from 0 to 1000000.');
	});
});

describe('The list of the sandbox', () => {
	let sandbox: Sandbox;
	afterEach(() => sandbox.close());

	async function start(options: SandboxOptions) {
		sandbox = await startSandbox({ control: false, now: () => NOW_MS, ...options });
		const ask = createCaller(sandbox);
		return async (query: string) => (await ask(`GET list?${query}`)).json.data;
	}

	it.each(valuesOf('order'))(
		'has every client in its place after each of forty changes in the order %s',
		async (order) => {
			const list = await start({ clients: 30, behavior: { order } });
			const { clients } = sandbox.app.environment('sandbox');
			const model = new Map([...clients.all()].map((client) => [client.reference_id, client]));
			let changed = clients.ids().reverse();
			let before: string[] = [];
			for (let step = 0; step < 40; step++) {
				const id = [...model.keys()][(step * 37) % model.size];
				const created_at = `2024-01-01T00:${10 + (step % 40)}:00.000Z`;
				const touched =
					step % 3 === 0
						? clients.add(step % 2 ? {} : { created_at })
						: step % 3 === 1
							? clients.setStatus(id, 'accepted')
							: clients.remove(id);
				changed = changed.filter((other) => other !== touched.reference_id);
				if (step % 3 === 2) model.delete(id);
				else {
					model.set(touched.reference_id, touched);
					changed.unshift(touched.reference_id);
				}

				const { results, total_count } = await list('page_limit=100');
				const ids = pickIds(results);
				expect(total_count).toBe(model.size);
				expect(new Map(results.map((client: Client) => [client.reference_id, client]))).toEqual(model);
				const ascending = [...model.values()].sort((a, b) => parseMicros(a.created_at) - parseMicros(b.created_at));
				const expected = {
					'created-ascending': () => pickIds(ascending),
					'created-descending': () => pickIds(ascending).reverse(),
					'last-changed': () => changed,
					'by-status': () => pickIds(ascending.sort((a, b) => a.request_status.localeCompare(b.request_status))),
					// All others stay in their places.
					arbitrary: () => [
						...before.filter((other) => model.has(other)),
						...ids.filter((other) => !before.includes(other)),
					],
					shuffled: () => ids,
				}[order]();
				const kept = order === 'arbitrary' ? expected.filter((other) => before.includes(other)) : expected;
				expect(ids.filter((other) => kept.includes(other))).toEqual(kept);
				before = ids;

				const accepted = pickIds((await list('page_limit=100&request_status=accepted')).results);
				const isAccepted = (other: string) => model.get(other)!.request_status === 'Accepted';
				if (order === 'shuffled') expect(accepted.sort()).toEqual(ids.filter(isAccepted).sort());
				else expect(accepted).toEqual(ids.filter(isAccepted));
			}
		},
	);

	it.each(valuesOf('order'))('has a last page when it has very many clients in the order %s', async (order) => {
		const many = byDepth({ quick: 200_000, deep: 1_000_000, long: 1_000_000 });
		const list = await start({ clients: many, behavior: { order } });
		const { total_count, results } = await list(`page_limit=100&page_no=${many / 100}`);
		expect([total_count, new Set(pickIds(results)).size]).toEqual([many, 100]);
		const { email, reference_id } = results[99];
		expect(pickIds((await list(`client_email=${email}`)).results)).toContain(reference_id);
	});

	it('belongs to one environment, with its own key, tokens and clients', async () => {
		const list = await start({ clients: 300 });
		const { environments, app } = sandbox;
		const { url, apiKey } = environments.production;
		const ask = createCaller(sandbox, 'production');
		const theirs: Client[] = (await ask('GET list?page_limit=300')).json.data.results;
		const ours: Client[] = (await list('page_limit=300')).results;
		expect(new Set(pickIds([...ours, ...theirs])).size).toBe(600);
		const groups = new Set(ours.map(({ group_token }) => group_token));
		expect(theirs.filter(({ group_token }) => groups.has(group_token))).toEqual([]);

		const authorization = `Bearer ${app.environment('production').tokens.issue()}`;
		const headers = { 'api-key': apiKey, authorization };
		for (const target of ['token', 'list']) {
			expect(await send(environments.sandbox.url + pathOf(target), { headers })).toMatchObject({ status: 401 });
			expect(await send(url + pathOf(target), { headers })).toMatchObject({ status: 200 });
		}
	});
});
