import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../nodes/ClientOnboarding/service/client';
import type { Watch } from '../../../../nodes/ClientOnboarding/trigger/watch';
import { findChanges } from '../../../../nodes/ClientOnboarding/trigger/changes';
import type { State } from '../../../../nodes/ClientOnboarding/trigger/state/state';
import { WATCH } from '../../../support/watch.mts';
import { decodeState, encodeState } from '../../../../nodes/ClientOnboarding/trigger/state/encoding';

const watch: Watch = { ...WATCH, events: ['clientCreated', 'clientRemoved', 'requestStatusChanged'] };

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
			{ clients, isComplete: true, atMs: 0, excess: 0, unread: 0 },
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
			[`clientRemoved ${OLD}`],
			[`clientRemoved ${NEW}`],
		]);
	});

	it('because they are one and the same do not keep the trigger busy for ever', () => {
		expect(follow([other], [other, old, old], [other, old]).at(-1)).toEqual([]);
	});

	it('of a state that has a salt are told apart as well', () => {
		const first = findChanges(undefined, { clients: [], isComplete: true, atMs: 0, excess: 0, unread: 0 }, watch).state;
		const list = [old, client(NEW, '2026-02-01'), other];
		const look = { clients: list, isComplete: true, atMs: 0, excess: 0, unread: 0 };
		const { state, events } = findChanges({ ...first, salt: 3 }, look, watch);
		expect(events).toHaveLength(3);
		expect(findChanges(decodeState(encodeState(state)), look, watch).events).toEqual([]);
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
			['clientRemoved no date'],
		]);
	});

	it('have events with ids of their own', () => {
		const { state } = findChanges(undefined, { clients: [], isComplete: true, atMs: 0, excess: 0, unread: 0 }, watch);
		const clients = [{ client_name: 'a' }, { client_name: 'b' }, { reference_id: 'c' }];
		const { events } = findChanges(state, { clients, isComplete: true, atMs: 0, excess: 0, unread: 0 }, watch);
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
	it('is not new, and leaves a second time with another event_id', () => {
		const events = [];
		let state = findChanges(undefined, { clients: [], isComplete: true, atMs: 0, excess: 0, unread: 0 }, watch).state;
		for (const clients of [[client('a', '2026-01-01')], [], [client('a', '2026-01-01')], []]) {
			const changes = findChanges(state, { clients, isComplete: true, atMs: 0, excess: 0, unread: 0 }, watch);
			events.push(...changes.events);
			({ state } = changes);
		}
		expect(events.map(({ event }) => event)).toEqual(['clientCreated', 'clientRemoved', 'clientRemoved']);
		expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(3);
	});

	it('is told with the change that happened meanwhile', () => {
		const [before, after] = ['Pending', 'Declined'].map((status) => client('a', '2026-01-01', status));
		expect(follow([before], [], [after])).toEqual([[], ['clientRemoved a'], ['requestStatusChanged a']]);
	});
});

describe('Many clients that leave at once', () => {
	const list = (count: number) => Array.from({ length: count }, (_, index) => client(`c${index}`, '2026-01-01'));

	it('are believed to be gone when the next look agrees', () => {
		expect(follow(list(100), list(89), list(89)).map((events) => events.length)).toEqual([0, 0, 11]);
		expect(follow(list(100), [], []).map((events) => events.length)).toEqual([0, 0, 100]);
	});

	it('are told at once where they are ten, or a tenth of the list', () => {
		expect(follow(list(20), list(10))[1]).toHaveLength(10);
		expect(follow(list(200), list(180))[1]).toHaveLength(20);
	});

	it('and are back at the next look have never been away', () => {
		expect(follow(list(100), list(50), list(100))).toEqual([[], [], []]);
	});

	it('are told as far as they stay away', () => {
		const some = list(100).filter((_, index) => index % 2 === 0);
		expect(follow(list(100), list(50), some)[2]).toHaveLength(25);
	});
});

describe('A first look that overlooked some', () => {
	const early = ['a', 'b', 'c'].map((id) => client(id, '2026-01-01'));
	const late = client('d', '2026-03-01');
	const atMs = Date.parse('2026-02-01');

	it('makes no new clients of them', () => {
		const { state } = findChanges(
			undefined,
			{ clients: [early[0]], isComplete: true, atMs, excess: 2, unread: 0 },
			watch,
		);
		const { events } = findChanges(
			state,
			{ clients: [...early, late], isComplete: true, atMs, excess: 0, unread: 0 },
			watch,
		);
		expect(events.map(({ reference_id }) => reference_id)).toEqual(['d']);
	});

	it('is forgotten with the next one: who is listed later is new', () => {
		const looks = [
			{ clients: [early[0]], excess: 2 },
			{ clients: [early[0]], excess: 2 },
			{ clients: early, excess: 0 },
		];
		let state: State | undefined;
		const told = looks.map((look) => {
			const changes = findChanges(state, { ...look, isComplete: true, atMs, unread: 0 }, watch);
			({ state } = changes);
			return changes.events.length;
		});
		expect(told).toEqual([0, 0, 2]);
	});
});
