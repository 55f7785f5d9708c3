import { describe, expect, it, jest } from '@jest/globals';
import { createApp } from '../../sandbox/app.mts';
import { Clients, type Client } from '../../sandbox/data/clients.mts';
import { parseMicros } from '../../sandbox/data/timestamp.mts';
import { valuesOf, type Behavior } from '../../sandbox/endpoints/behavior.mts';
import { pickIds, type Page } from './caller.mts';

jest.setTimeout(30_000);

const now = () => Date.UTC(2026, 5, 1);

function populate(clients: number | Client[], seed = '1') {
	return new Clients({ clients, seed, now });
}

describe('Made-up clients', () => {
	it('depend only on the seed and the index', () => {
		const few = [...populate(50).all()];
		const many = [...populate(5000).all()];
		expect(many.slice(0, 50)).toEqual(few);
		expect([...populate(50, '2').all()]).not.toEqual(few);
	});

	it('have unique reference IDs and are found by them', () => {
		const clients = populate(20_000);
		const ids = clients.ids();
		expect(new Set(ids).size).toBe(20_000);
		for (const index of [0, 1, 999, 19_999]) {
			expect(clients.get(ids[index])?.reference_id).toBe(ids[index]);
		}
		expect(clients.get('ONB-00000000')).toBeUndefined();
		expect(clients.get('nobody')).toBeUndefined();
	});

	it('have all statuses and types, shared group names and emails, and names in several scripts', () => {
		const all = [...populate(2000).all()];
		const values = (field: keyof Client) => new Set(all.map((client) => client[field]));
		expect([...values('request_status')].sort()).toEqual(['Accepted', 'Completed', 'Declined', 'Pending', 'Requested']);
		expect([...values('client_type')].sort()).toEqual(['company', 'individual']);
		expect([...values('client_status')].sort()).toEqual(['active', 'inactive']);
		expect(values('group_token').size).toBe(12);
		expect(values('group_name').size).toBe(11);
		expect([...values('group_name')].some((name) => name.includes("'") && name.includes('&'))).toBe(true);
		expect(values('email').size).toBeLessThan(2000);
		expect(values('email').size).toBeGreaterThan(1500);
		for (const pattern of [/[À-ž]/, /'/, /\p{Script=Han}/u, /\p{Script=Hangul}/u]) {
			expect(all.some(({ client_name }) => pattern.test(client_name))).toBe(true);
		}
	});

	it('have well-formed fields, and some have the same creation time', () => {
		const all = [...populate(2000).all()];
		for (const client of all) {
			expect(client.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
			expect(client.group_token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
			expect(client.email).toMatch(/^[\w.-]+@[a-z.-]+$/);
		}
		expect(new Set(all.map(({ created_at }) => created_at)).size).toBeLessThan(2000);
	});
});

describe('The store of clients', () => {
	it('adds a client with the current or an earlier creation time and makes up missing fields', () => {
		const clients = populate(10);
		const added = clients.add();
		expect(added).toMatchObject({
			created_at: '2026-06-01T00:00:00.000000Z',
			request_status: 'Pending',
		});
		const oldest = clients.add({
			reference_id: 'OLD',
			created_at: '2020-01-01T00:00:00.5Z',
			client_name: 'Old',
		});
		expect(oldest).toMatchObject({
			reference_id: 'OLD',
			client_name: 'Old',
			email: expect.stringContaining('@'),
		});
		expect(clients.size).toBe(12);
		expect(clients.ids()[0]).toBe('OLD');
		expect(clients.ids()[11]).toBe(added.reference_id);
	});

	it('accepts a status in any case and keeps an unknown one unchanged', () => {
		const clients = populate(3);
		const [id] = clients.ids();
		expect(clients.setStatus(id, 'declined').request_status).toBe('Declined');
		expect(clients.get(id)?.request_status).toBe('Declined');
		expect(clients.setStatus(id, 'On Hold').request_status).toBe('On Hold');
	});

	it('no longer has a removed client, until it is added again', () => {
		const clients = populate(3);
		const [, id] = clients.ids();
		const removed = clients.remove(id);
		expect(clients.get(id)).toBeUndefined();
		expect(clients.size).toBe(2);
		expect(clients.add(removed)).toEqual(removed);
		expect(clients.ids()[1]).toBe(id);
	});

	it('refuses a second client with the same ID, and changes of an unknown client', () => {
		const clients = populate(3);
		const [id] = clients.ids();
		expect(() => clients.add({ reference_id: id })).toThrow(`The reference_id "${id}" is already taken.`);
		expect(() => clients.setStatus('X', 'pending')).toThrow('No client has the reference_id "X".');
		expect(() => clients.remove('X')).toThrow('No client has the reference_id "X".');
	});

	it.each([-1, 1.5, Number.NaN, 1_000_001])('refuses to start with %p clients', (count) => {
		expect(() => populate(count)).toThrow('The number of clients must be a whole number from 0 to 1000000.');
	});

	it('returns copies', () => {
		const clients = populate([{ ...populate(1).add(), reference_id: 'A' }]);
		clients.get('A')!.client_name = 'changed';
		expect(clients.get('A')?.client_name).not.toBe('changed');
	});
});

type Query = Record<string, string>;

async function list(app: ReturnType<typeof createApp>, query: Query = {}): Promise<Page> {
	const token = app.environment('sandbox').tokens.issue();
	const { body } = await app.answer({
		environment: 'sandbox',
		method: 'GET',
		path: '/api/v1/clients-list/',
		query: { page_limit: '1000000', ...query },
		headers: { authorization: `Bearer ${token}` },
	});
	return (body as { data: Page }).data;
}

describe.each(valuesOf('order'))('A list in the order %s', (order) => {
	it('is right after each of a hundred changes', async () => {
		const app = createApp({ clients: 60, behavior: { order }, now });
		const { clients } = app.environment('sandbox');
		const model = new Map([...clients.all()].map((client) => [client.reference_id, client]));
		for (let step = 0; step < 100; step++) {
			const ids = [...model.keys()];
			const id = ids[(step * 37) % ids.length];
			if (step % 3 === 0) {
				const created_at = `2024-01-01T0${step % 10}:00:0${step % 7}.000Z`;
				const added = clients.add(step % 2 ? {} : { created_at });
				model.set(added.reference_id, added);
			} else if (step % 3 === 1) model.set(id, clients.setStatus(id, step % 2 ? 'Accepted' : 'Requested'));
			else {
				clients.remove(id);
				model.delete(id);
			}
			const { results, total_count } = await list(app);
			expect(total_count).toBe(model.size);
			expect(new Map(results.map((client) => [client.reference_id, client]))).toEqual(model);
			expectOrder(order, results);
			const accepted = await list(app, { request_status: 'accepted' });
			const expected = [...model.values()].filter(({ request_status }) => request_status === 'Accepted');
			expect(pickIds(accepted.results).sort()).toEqual(pickIds(expected).sort());
		}
	});
});

function expectOrder(order: Behavior['order'], clients: readonly Client[]) {
	if (!order.startsWith('created')) return;
	const micros = clients.map(({ created_at }) => parseMicros(created_at));
	const direction = order === 'created-ascending' ? 1 : -1;
	expect(micros).toEqual([...micros].sort((a, b) => direction * (a - b)));
}

describe('The arbitrary order', () => {
	it('keeps all other clients in place when one is added and one is removed', async () => {
		const app = createApp({ clients: 200, behavior: { order: 'arbitrary' }, now });
		const { clients } = app.environment('sandbox');
		const before = pickIds((await list(app)).results);
		const gone = before[77];
		clients.remove(gone);
		const { reference_id: come } = clients.add();
		const after = pickIds((await list(app)).results);
		expect(after.filter((id) => id !== come)).toEqual(before.filter((id) => id !== gone));
	});
});

describe('The order by last change', () => {
	const read = async (app: ReturnType<typeof createApp>, query?: Query) => pickIds((await list(app, query)).results);

	it('starts with the newest client before anything changes', async () => {
		const app = createApp({ clients: 50, behavior: { order: 'last-changed' }, now });
		expect(await read(app)).toEqual(app.environment('sandbox').clients.ids().reverse());
	});

	it('moves only changed and added clients to the front', async () => {
		const app = createApp({ clients: 50, behavior: { order: 'last-changed' }, now });
		const { clients } = app.environment('sandbox');
		let expected = await read(app);
		const moveToFront = (id: string) => [id, ...expected.filter((other) => other !== id)];
		for (const position of [30, 49, 0, 30, 7]) {
			const id = expected[position];
			clients.setStatus(id, 'declined');
			expected = moveToFront(id);
			expect(await read(app)).toEqual(expected);
		}
		const { reference_id } = clients.add({ created_at: '2020-01-01T00:00:00.000Z' });
		expected = moveToFront(reference_id);
		expect(await read(app)).toEqual(expected);
		const [, gone] = expected;
		clients.remove(gone);
		expect(await read(app)).toEqual(expected.filter((id) => id !== gone));
	});

	it('also applies to filtered lists', async () => {
		const app = createApp({ clients: 50, behavior: { order: 'last-changed' }, now });
		const { clients } = app.environment('sandbox');
		const before = await read(app, { request_status: 'accepted' });
		const [id] = clients.ids().filter((other) => !before.includes(other));
		clients.setStatus(id, 'accepted');
		expect(await read(app, { request_status: 'accepted' })).toEqual([id, ...before]);
	});

	it('of one environment does not depend on the other', async () => {
		const app = createApp({ clients: 20, behavior: { order: 'last-changed' }, now });
		const before = await read(app);
		const { clients } = app.environment('production');
		clients.setStatus(clients.ids()[3], 'declined');
		expect(await read(app)).toEqual(before);
	});
});

describe('The order by status', () => {
	const read = async (app: ReturnType<typeof createApp>) => (await list(app)).results;

	it('groups clients by status, oldest first, and moves clients whose status changes', async () => {
		const app = createApp({ clients: 50, behavior: { order: 'by-status' }, now });
		const { clients } = app.environment('sandbox');
		const sorted = () => [...clients.all()].sort((a, b) => a.request_status.localeCompare(b.request_status));
		expect(await read(app)).toEqual(sorted());
		const [last] = pickIds(sorted().slice(-1));
		clients.setStatus(last, 'accepted');
		expect(await read(app)).toEqual(sorted());
		expect(pickIds((await read(app)).slice(-1))).not.toEqual([last]);
	});
});

describe('A sandbox with a million clients', () => {
	const LARGE = 1_000_000;
	const SMALL = 1000;
	const MOST_TIMES_SLOWER = 10;
	const queries: Array<[string, Query]> = [
		['unfiltered', {}],
		['deep', { page_no: '9' }],
		['by status', { request_status: 'pending' }],
		['by type and group', { client_type: 'company', group_name: 'Wholesale' }],
	];

	const timeMs = async (app: ReturnType<typeof createApp>, query: Query) => {
		const start = performance.now();
		await list(app, { page_limit: '100', ...query });
		return performance.now() - start;
	};
	const findMedian = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

	it.each(queries)('returns a page, %s, at most ten times slower than one with a thousand', async (_, query) => {
		const [large, small] = [createApp({ clients: LARGE }), createApp({ clients: SMALL })];
		const [largeMs, smallMs]: number[][] = [[], []];
		for (let run = 0; run < 40; run++) {
			largeMs.push(await timeMs(large, query));
			smallMs.push(await timeMs(small, query));
		}
		expect(findMedian(largeMs) / findMedian(smallMs)).toBeLessThan(MOST_TIMES_SLOWER);
	});

	it.each<Partial<Behavior>>([
		{ order: 'last-changed' },
		{ order: 'by-status' },
		{ hiddenRows: 'after-paging' },
		{ beyondLast: 'more-rows' },
	])('returns a page with %j at most ten times slower than one with a thousand', async (behavior) => {
		const [large, small] = [LARGE, SMALL].map((clients) => createApp({ clients, behavior }));
		const query: Query = { page_no: behavior.beyondLast ? '20000' : '9' };
		const [largeMs, smallMs]: number[][] = [[], []];
		for (let run = 0; run < 40; run++) {
			largeMs.push(await timeMs(large, query));
			smallMs.push(await timeMs(small, query));
		}
		expect(findMedian(largeMs) / findMedian(smallMs)).toBeLessThan(MOST_TIMES_SLOWER);
	});

	it('lists all of them', async () => {
		const app = createApp({ clients: LARGE });
		const last = await list(app, { page_limit: '100', page_no: '10000' });
		expect(last).toMatchObject({ total_count: LARGE, total_pages: 10_000 });
		expect(last.results).toHaveLength(100);
		const { email, reference_id } = last.results[99];
		expect(pickIds((await list(app, { client_email: email })).results)).toContain(reference_id);
	});
});

describe('The edits of clients', () => {
	const edit = (clients: Clients) => {
		const ids = clients.ids();
		clients.update(ids[3], { client_name: 'Ada', request_status: 'declined' });
		const { reference_id: id } = clients.add({ client_name: 'Bob' });
		clients.remove(ids[5]);
		const again = { ...clients.remove(ids[7]), client_name: 'Back again' };
		clients.add(again);
		clients.remove(id);
		clients.add({ reference_id: id, client_name: 'Bob again' });
		clients.update(id, { email: 'bob@example.com' });
		return ids;
	};

	it('can be saved as JSON and applied at the next start', () => {
		const clients = populate(50);
		edit(clients);
		const edits = JSON.parse(JSON.stringify(clients.edits()));
		const next = new Clients({ clients: 50, seed: '1', now, edits });
		expect([...next.all()]).toEqual([...clients.all()]);
		expect(next.size).toBe(50);
		expect(next.edits()).toEqual(edits);
	});

	it('leave every reference_id unique, also those of clients that are added later', () => {
		const clients = populate(50);
		edit(clients);
		const next = new Clients({ clients: 50, seed: '1', now, edits: clients.edits() });
		for (let more = 0; more < 20; more++) expect(next.add()).toEqual(clients.add());
		expect(new Set(next.ids()).size).toBe(70);
	});
});
