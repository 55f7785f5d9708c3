import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../nodes/ClientOnboarding/api/record';
import type { Watch } from '../../../../nodes/ClientOnboarding/trigger/watch';
import { findChanges } from '../../../../nodes/ClientOnboarding/trigger/changes';
import { EVENTS } from '../../../../nodes/ClientOnboarding/trigger/events';
import { markOf } from '../../../../nodes/ClientOnboarding/trigger/marks';
import type { Look } from '../../../../nodes/ClientOnboarding/trigger/noticing';
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

const AT_MS = Date.parse('2026-02-01');
/** Everything is looked for, and changes of the e-mail address count. */
const all: Watch = { ...WATCH, events: [...EVENTS], watchedFields: ['email'], stalledStatuses: ['requested'] };
const FEWER = EVENTS.filter((event) => event !== 'clientRemoved');
const [ann, ben] = ['ann', 'ben'].map((id) => ({ ...client(id, '2026-01-01'), email: `${id}@example.com` }));
const declined = (one: Client) => ({ ...one, request_status: 'Declined' });
const moved = (one: Client) => ({ ...one, email: 'new@example.com' });

function lookAt(clients: Client[], rest: Partial<Look> = {}): Look {
	return { clients, isComplete: true, atMs: AT_MS, excess: 0, unread: 0, ...rest };
}

/** What a trigger remembers after its first look. */
function begin(clients: Client[], as: Watch = all, rest: Partial<Look> = {}): State {
	return findChanges(undefined, lookAt(clients, rest), as).state;
}

function eventsOf(before: State | undefined, look: Look, as: Watch = all): string[] {
	return findChanges(before, look, as).events.map(({ event, reference_id }) => `${event} ${String(reference_id)}`);
}

describe('A look at which nothing happened', () => {
	it.each([[[]], [[ann, ben]]])('leaves everything as it was: %j', (clients) => {
		const state = begin(clients);
		const changes = findChanges(state, lookAt(clients, { atMs: AT_MS + 1 }), all);
		expect(changes.state).toBe(state);
		expect(changes).toMatchObject({ events: [], isAnyAbsent: false, hasLearnt: false, isAnotherAccount: false });
	});

	it.each<[string, Partial<State>, Partial<Watch>, Partial<Look>]>([
		['the key is another one', { account: 'new key' }, { account: 'new key' }, {}],
		['other events are chosen', { events: FEWER }, { events: FEWER }, {}],
		['other fields are watched', { watchedFields: ['group_name'] }, { watchedFields: ['group_name'] }, {}],
		['clients stall later', { rhythm: [1, WATCH.repeatAfterMs] }, { stalledAfterMs: 1 }, {}],
		['reminders come again', { rhythm: [WATCH.stalledAfterMs, 1] }, { repeatAfterMs: 1 }, {}],
		['some were not read', { waiting: 2 }, {}, { unread: 2 }],
	])('is remembered where %s', (_, remembered, otherWatch, otherLook) => {
		const { state } = findChanges(begin([]), lookAt([], otherLook), { ...all, ...otherWatch });
		expect(state).toMatchObject(remembered);
	});

	it('is remembered where the service speaks of more clients than before', () => {
		expect(findChanges(begin([ann]), lookAt([ann], { excess: 2 }), all).state.excess).toBe(2);
	});

	it('is remembered where somebody had a turn, and nobody waits any more', () => {
		const { state } = findChanges({ ...begin([ann]), turn: [1, 2] }, lookAt([ann]), all);
		expect(state.turn).toBeUndefined();
	});

	it('is remembered where the look before was in doubt', () => {
		const before = begin([ann], all, { excess: 1 });
		expect(before.unsureSinceMs).toBe(AT_MS);
		expect(findChanges(before, lookAt([ann], { excess: 1 }), all).state.unsureSinceMs).toBeUndefined();
	});
});

describe('A new client', () => {
	it('is worth remembering at once where more than new clients is looked for', () => {
		expect(findChanges(begin([ann]), lookAt([ann, ben]), all).hasLearnt).toBe(true);
		const onlyNew: Watch = { ...all, events: ['clientCreated'] };
		expect(findChanges(begin([ann], onlyNew), lookAt([ann, ben]), onlyNew).hasLearnt).toBe(false);
	});
});

describe('The first look', () => {
	it('tells of those who are there only where that is wanted', () => {
		expect(eventsOf(undefined, lookAt([ann]))).toEqual([]);
		expect(eventsOf(undefined, lookAt([ann]), { ...watch, includesExisting: true })).toEqual(['clientCreated ann']);
		const removals: Watch = { ...watch, events: ['clientRemoved'], includesExisting: true };
		expect(eventsOf(undefined, lookAt([ann]), removals)).toEqual([]);
	});

	it('is worth remembering, and no other account', () => {
		expect(findChanges(undefined, lookAt([]), all)).toMatchObject({ hasLearnt: true, isAnotherAccount: false });
	});

	it('remembers when it was, also later', () => {
		const state = begin([ann]);
		const later = findChanges(state, lookAt([ann, ben], { atMs: AT_MS + 1 }), all).state;
		expect([state, later].map(({ beganMs }) => beganMs)).toEqual([AT_MS, AT_MS]);
	});

	it('is unknown for ever where an earlier version did not write it down', () => {
		const { state } = findChanges({ ...begin([ann]), beganMs: undefined }, lookAt([ann, ben]), all);
		expect(state.beganMs).toBeUndefined();
	});

	it('remembers fields and rhythm only where they count', () => {
		expect(begin([ann])).toMatchObject({ watchedFields: ['email'], rhythm: [WATCH.stalledAfterMs, 0] });
		const removals = begin([ann], { ...all, events: ['clientRemoved'] });
		expect(removals).toMatchObject({ watchedFields: undefined, rhythm: undefined });
	});

	it('is in doubt only where the service speaks of more clients, and nobody has to wait', () => {
		expect(begin([ann], all, { excess: 0 }).unsureSinceMs).toBeUndefined();
		expect(begin([ann], all, { excess: 2, unread: 2 }).unsureSinceMs).toBeUndefined();
		expect(findChanges(begin([ann]), lookAt([ann], { excess: 2 }), all).state.unsureSinceMs).toBeUndefined();
	});

	it('of a list without clients takes the total for what it is, later ones do not', () => {
		const state = begin([], all, { excess: 5 });
		expect(state.excess).toBe(5);
		expect(findChanges(state, lookAt([], { excess: 9 }), all).state.excess).toBe(5);
	});
});

describe('An event', () => {
	it('that is chosen later is told of what happens from then on', () => {
		const removals: Watch = { ...all, events: ['clientRemoved'] };
		const { events, state, hasLearnt } = findChanges(begin([ann], removals), lookAt([ann, ben]), all);
		expect({ events, hasLearnt }).toEqual({ events: [], hasLearnt: true });
		expect(state.events).toEqual(EVENTS);
		expect(eventsOf(state, lookAt([ann, ben, client('cyd', '2026-01-02')]))).toEqual(['clientCreated cyd']);
	});

	it('is told no more where it is not chosen any more', () => {
		expect(eventsOf(begin([ann]), lookAt([ann, ben]), { ...all, events: ['clientRemoved'] })).toEqual([]);
	});
});

describe('A field', () => {
	it('that is watched from now on has not changed, the others may have', () => {
		const wider: Watch = { ...all, watchedFields: ['group_name', 'email'] };
		const look = lookAt([
			{ ...ann, group_name: 'new' },
			{ ...moved(ben), group_name: 'new' },
		]);
		expect(eventsOf(begin([ann, ben]), look, wider)).toEqual(['clientUpdated ben']);
	});

	it('that nobody watched before is compared from then on', () => {
		const unwatched: Watch = { ...all, events: ['clientRemoved'] };
		const { state } = findChanges(begin([ann], unwatched), lookAt([moved(ann)]), all);
		expect(eventsOf(state, lookAt([ann]))).toEqual(['clientUpdated ann']);
	});

	it('is of no account where nobody wants to know of updates', () => {
		const removals: Watch = { ...all, events: ['clientRemoved'] };
		const state = begin([ann], removals);
		expect(findChanges(state, lookAt([moved(ann)]), removals).state).toBe(state);
	});
});

describe('A list of which only a part was read', () => {
	it('says nothing about those who are not in it', () => {
		const part = findChanges(begin([ann, ben]), lookAt([ann], { isComplete: false }), all);
		expect(part).toMatchObject({ events: [], isAnyAbsent: false });
		const whole = findChanges(begin([ann, ben]), lookAt([ann]), all);
		expect(whole).toMatchObject({ events: [{ reference_id: 'ben' }], isAnyAbsent: true });
	});
});

describe('Clients who have to wait', () => {
	const one: Watch = { ...all, maxEvents: 1 };

	it('are counted together with those who were not read', () => {
		const look = lookAt([declined(ann), declined(ben)], { unread: 2 });
		expect(findChanges(begin([ann, ben]), look, one).state.waiting).toBe(3);
		expect(findChanges(begin([ann, ben]), lookAt([ann, ben]), one).state.waiting).toBeUndefined();
	});

	it('are told at the next look, also those who are new', () => {
		let state = begin([ann, ben]);
		const cyd = client('cyd', '2026-01-03');
		const told = Array.from({ length: 4 }, () => {
			const changes = findChanges(state, lookAt([declined(ann), declined(ben), cyd]), one);
			({ state } = changes);
			return changes.events.map(({ event, reference_id }) => `${event} ${String(reference_id)}`);
		});
		expect(told.flat().sort()).toEqual(['clientCreated cyd', 'requestStatusChanged ann', 'requestStatusChanged ben']);
		expect(told.map((events) => events.length)).toEqual([1, 1, 1, 0]);
	});

	it('have their turn before those who were told the last time', () => {
		const dated = [client('old', '2026-01-01'), client('young', '2026-01-02')];
		const first = findChanges(begin(dated), lookAt(dated.map(declined)), one);
		expect(first.events).toMatchObject([{ reference_id: 'old' }]);
		const look = lookAt([dated[0], declined(dated[1])]);
		expect(eventsOf(first.state, look, one)).toEqual(['requestStatusChanged young']);
	});

	it.each([[['ann', 'ben']], [['ben', 'ann']]])(
		'and are as new as the one who was told come before those who are newer: %j',
		(ids) => {
			const onlyNew: Watch = { ...one, events: ['clientCreated'] };
			const twins = ids.map((id) => client(id, '2026-01-01'));
			const first = findChanges(begin([], onlyNew), lookAt(twins), onlyNew);
			expect(first.events).toMatchObject([{ reference_id: ids[0] }]);
			const look = lookAt([...twins, client('newer', '2026-01-02')]);
			expect(eventsOf(first.state, look, onlyNew)).toEqual([`clientCreated ${ids[1]}`]);
		},
	);

	it('are known by their present name already, for nobody is told of that', () => {
		const named: Watch = { ...one, remembersNames: true };
		const dated = [client('old', '2026-01-01'), client('young', '2026-01-02')];
		const look = lookAt(dated.map((person) => ({ ...declined(person), client_name: 'Married' })));
		const { state } = findChanges(begin(dated, named), look, named);
		expect(state.conditions.get(markOf(dated[1], 0))).toMatchObject({
			status: 'Pending',
			identity: { client_name: 'Married' },
		});
	});
});

describe('Another API key', () => {
	const newKey: Watch = { ...all, account: 'new key' };
	const people = (count: number, name = 'c') =>
		Array.from({ length: count }, (_, index) => client(`${name}${index}`, '2026-01-01'));

	it.each([
		['a tenth of the known clients', 10, people(1), false],
		['fewer than a tenth of them', 11, people(1), true],
		['others besides', 11, [...people(1), ...people(20, 'other')], true],
		['all of them and nine times as many others', 3, [...people(3), ...people(27, 'other')], false],
		['all of them and more than nine times as many others', 3, [...people(3), ...people(28, 'other')], true],
		['nine others where nobody was', 0, people(9), false],
		['ten others where nobody was', 0, people(10), true],
		['nobody', 10, [], true],
		['nobody where nobody was', 0, [], false],
	])('that shows %s', (_, known, clients, isAnotherAccount) => {
		expect(findChanges(begin(people(known)), lookAt(clients), newKey).isAnotherAccount).toBe(isAnotherAccount);
	});

	it('that shows nobody known is that of another account, also where all were missing before', () => {
		const known = people(30);
		const { state } = findChanges(begin(known), lookAt([]), all);
		expect(findChanges(state, lookAt(people(20, 'other')), newKey).isAnotherAccount).toBe(true);
	});

	it('goes on where those who left do not count', () => {
		const known = people(30);
		const gone = lookAt(known.slice(0, 2));
		const { state } = findChanges(findChanges(begin(known), gone, all).state, gone, all);
		expect(findChanges(state, gone, newKey).isAnotherAccount).toBe(false);
	});

	it('goes on where version 0.1.0 did not write down the address', () => {
		const before = { ...begin(people(3)), place: '' };
		expect(findChanges(before, lookAt(people(3)), newKey).isAnotherAccount).toBe(false);
	});

	it('at another address is that of another account, whoever is listed', () => {
		const elsewhere = { ...newKey, place: 'elsewhere' };
		expect(findChanges(begin(people(3)), lookAt(people(3)), elsewhere).isAnotherAccount).toBe(true);
	});

	it('is none where it is the same, whoever is listed', () => {
		expect(findChanges(begin(people(3)), lookAt(people(3, 'other')), all).isAnotherAccount).toBe(false);
	});

	it('of another account tells nothing of who is there, also where a first look would', () => {
		const changes = findChanges(begin(people(3)), lookAt([ann]), {
			...newKey,
			place: 'elsewhere',
			includesExisting: true,
		});
		expect(changes).toMatchObject({ events: [], hasLearnt: true, state: { place: 'elsewhere', account: 'new key' } });
		expect([...changes.state.conditions.keys()]).toEqual([markOf(ann, 0)]);
	});
});
