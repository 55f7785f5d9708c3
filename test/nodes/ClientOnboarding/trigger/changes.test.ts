import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../nodes/ClientOnboarding/service/client';
import type { Watch } from '../../../../nodes/ClientOnboarding/trigger/changes';
import { findChanges } from '../../../../nodes/ClientOnboarding/trigger/changes';
import { decodeState, encodeState } from '../../../../nodes/ClientOnboarding/trigger/state';

const watch: Watch = {
	service: 'a service',
	events: ['clientCreated', 'clientRemoved', 'requestStatusChanged'],
	matches: () => true,
	statusBecomes: [],
	stalledStatuses: [],
	stalledAfterMs: 0,
	includesExisting: false,
};

/** Two ids whose hashes begin with the same ten digits, found by trying. */
const [OLD, NEW] = ['client-901858', 'client-1353410'];

function client(id: string, created_at: string, request_status = 'Pending'): Client {
	return { reference_id: id, request_status, created_at };
}

/** The events of one look after the other, each state written and read again in between. */
function follow(...looks: Client[][]): string[][] {
	let state: string | undefined;
	return looks.map((clients) => {
		const changes = findChanges(
			state === undefined ? undefined : decodeState(state),
			{ clients, isComplete: true, atMs: 0 },
			watch,
		);
		state = encodeState(changes.state);
		return changes.events.map(({ event, reference_id = '' }) => `${String(event)} ${String(reference_id)}`.trim());
	});
}

describe('Two clients whose marks are the same', () => {
	const old = client(OLD, '2026-01-01');
	const other = client('somebody', '2026-01-02');

	it.each([
		['first', [client(NEW, '2026-02-01'), old, other]],
		['last', [old, other, client(NEW, '2026-02-01')]],
	])('are told apart when the newer one comes, listed %s', (_, list) => {
		expect(follow([old, other], list, list)).toEqual([[], [`clientCreated ${NEW}`], []]);
	});

	it('are told apart from then on', () => {
		const newer = client(NEW, '2026-02-01');
		const declined = client(NEW, '2026-02-01', 'Declined');
		expect(follow([old, newer, other], [old, declined, other], [declined, other], [other, old])).toEqual([
			[],
			[`requestStatusChanged ${NEW}`],
			['clientRemoved'],
			[`clientCreated ${OLD}`, 'clientRemoved'],
		]);
	});

	it('because they are one and the same do not keep the trigger busy for ever', () => {
		expect(follow([other], [other, old, old], [other, old]).at(-1)).toEqual([]);
	});

	it('do not disturb the others', () => {
		const list = [old, client(NEW, '2026-02-01'), other];
		expect(follow([other], list, list)).toEqual([[], [`clientCreated ${OLD}`, `clientCreated ${NEW}`], []]);
	});
});

describe('Records that lack what they should have', () => {
	it('are followed as far as they go', () => {
		const nameless = { client_name: 'No id' };
		const dateless = { reference_id: 'no date', request_status: 'Pending' };
		expect(follow([nameless, dateless], [nameless, { ...dateless, request_status: 'Declined' }], [nameless])).toEqual([
			[],
			['requestStatusChanged no date'],
			['clientRemoved'],
		]);
	});

	it('have events with ids of their own', () => {
		const { state } = findChanges(undefined, { clients: [], isComplete: true, atMs: 0 }, watch);
		const clients = [{ client_name: 'a' }, { client_name: 'b' }, { reference_id: 'c' }];
		const { events } = findChanges(state, { clients, isComplete: true, atMs: 0 }, watch);
		expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3);
	});
});

describe('A status', () => {
	it.each(['__proto__', 'constructor', '"quoted", \\ and 😀'])('may be called %s', (status) => {
		const looks = ['Pending', status, 'Pending', status].map((name) => [client('a', '2026-01-01', name)]);
		expect(follow(...looks)).toEqual([
			[],
			['requestStatusChanged a'],
			['requestStatusChanged a'],
			['requestStatusChanged a'],
		]);
	});
});

describe('A client that comes back', () => {
	it('is new once more, with another event_id', () => {
		const ids: unknown[] = [];
		let state = findChanges(undefined, { clients: [], isComplete: true, atMs: 0 }, watch).state;
		for (const clients of [[client('a', '2026-01-01')], [], [client('a', '2026-02-01')]]) {
			const changes = findChanges(state, { clients, isComplete: true, atMs: 0 }, watch);
			ids.push(...changes.events.map(({ event_id }) => event_id));
			({ state } = changes);
		}
		expect(ids).toHaveLength(3);
		expect(new Set(ids).size).toBe(3);
	});
});
