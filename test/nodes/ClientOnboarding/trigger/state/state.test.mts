import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../../nodes/ClientOnboarding/api/record';
import type { Watch } from '../../../../../nodes/ClientOnboarding/trigger/watch';
import { findChanges } from '../../../../../nodes/ClientOnboarding/trigger/changes';
import type { Condition } from '../../../../../nodes/ClientOnboarding/trigger/conditions';
import { UNSEEN } from '../../../../../nodes/ClientOnboarding/trigger/conditions';
import type { Key } from '../../../../../nodes/ClientOnboarding/trigger/marks';
import type { State } from '../../../../../nodes/ClientOnboarding/trigger/state/state';
import type { StoredTable } from '../../../../../nodes/ClientOnboarding/trigger/state/table';
import { readTable } from '../../../../../nodes/ClientOnboarding/trigger/state/table';
import { fromVersion1 } from '../../../../../nodes/ClientOnboarding/trigger/state/version1';
import { makeState } from '../../../../support/states.mts';
import { WATCH } from '../../../../support/watch.mts';
import { decodeState, encodeState, nameOf } from '../../../../../nodes/ClientOnboarding/trigger/state/encoding';

/** What stands behind the version and the checksum. */
const contentOf = (state: State) => JSON.parse(encodeState(state).replace(/^3\.\w{12}\./, ''));

const withConditions = (...conditions: Condition[]): State => ({
	...makeState(0, 1),
	conditions: new Map(conditions.map((condition, mark) => [mark, condition])),
});

describe('The state of a trigger', () => {
	it.each([
		[0, 1],
		[1, 1],
		[30, 10],
		[300, 400],
	])('of %i clients in %i conditions is read as it was written', (clients, conditions) => {
		const state = makeState(clients, conditions, 3);
		expect(decodeState(encodeState(state))).toEqual(state);
	});

	it('keeps clients whose mark belongs to another one', () => {
		const state = makeState(3, 2);
		state.conditions.set('0123456789abcdef0123456789abcdef', { ...UNSEEN, status: 'Pending', sinceMinutes: 7 });
		expect(decodeState(encodeState(state))).toEqual(state);
	});

	it('keeps how the list was sorted', () => {
		const state: State = { ...makeState(3, 2), sorted: { order: 'newestFirst', atMs: 1_700_000_000_000 } };
		expect(decodeState(encodeState(state))).toEqual(state);
	});

	it('is the same text for the same content, in whatever order the clients came', () => {
		const state = makeState(500, 12);
		const copies = [...state.conditions].reverse().map(([mark, condition]) => [mark, { ...condition }] as const);
		expect(encodeState({ ...state, conditions: new Map(copies) })).toBe(encodeState(state));
	});

	it('is the same text in whatever order clients came whose mark belongs to another one', () => {
		const entries: Array<[Key, Condition]> = [
			['b', UNSEEN],
			[9, UNSEEN],
			['a', { ...UNSEEN, sinceMinutes: 7 }],
		];
		const text = encodeState({ ...makeState(0, 1), conditions: new Map(entries) });
		expect(encodeState({ ...makeState(0, 1), conditions: new Map(entries.reverse()) })).toBe(text);
	});

	it('has nothing of what no client has', () => {
		expect(Object.keys(contentOf(withConditions(UNSEEN, { ...UNSEEN, reminders: 1 }))).sort()).toEqual(
			['account', 'events', 'excess', 'marks', 'names', 'needs', 'place', 'rows', 'salt', 'since', 'table'].sort(),
		);
	});

	it('has the ID alone of those of whom no more is known', () => {
		const identities = [{ reference_id: 'ada' }, { reference_id: 7, email: 'bob@example.com' }, undefined];
		const state = withConditions(...identities.map((identity) => ({ ...UNSEEN, identity })));
		expect(contentOf(state).identities).toEqual(['ada', [7, null, 'bob@example.com'], null]);
	});

	it('says which version of this package reads it', () => {
		expect(contentOf({ ...makeState(1, 1), needs: undefined })).toMatchObject({ needs: '0.3.0' });
	});

	it('begins with the conditions that most clients are in', () => {
		const [rare, frequent] = [{ ...UNSEEN, departures: 1 }, UNSEEN];
		const { table } = contentOf(withConditions(rare, frequent, { ...frequent }, rare, frequent));
		expect(table.map(([, , departures]: number[]) => departures)).toEqual([0, 1]);
	});

	it('has a condition once, whichever objects hold it', () => {
		const [shared, copy] = [UNSEEN, { ...UNSEEN }];
		const { table, names } = contentOf(withConditions(shared, copy, shared, { ...UNSEEN, status: 'Pending' }));
		expect({ table: table.length, names }).toEqual({ table: 2, names: ['', 'Pending'] });
	});

	it('is one object again for clients in the same condition that have nothing of their own', () => {
		const { conditions } = decodeState(encodeState(withConditions(UNSEEN, { ...UNSEEN }, { ...UNSEEN, updates: 1 })));
		expect(conditions.get(0)).toBe(conditions.get(1));
		expect(conditions.get(2)).not.toBe(conditions.get(1));
	});

	it('has a name of its own, as long as nothing changes', () => {
		const [text, other] = [makeState(3, 2), makeState(4, 2)].map(encodeState);
		expect(nameOf(text)).toHaveLength(16);
		expect(text.startsWith(nameOf(text))).toBe(true);
		expect(nameOf(text)).not.toBe(nameOf(other));
		expect(nameOf(undefined)).toBe('undefined');
	});
});

describe('A state that version 0.1.0 wrote', () => {
	it.each([
		[[], 0],
		[[2], 0],
		[[2, 1], 1],
	])(
		'says of a client what it was, how often, and whether it was stalled in that status: %j',
		(stalledIn, reminders) => {
			const { conditions } = fromVersion1({
				service: '0123456789abcdef',
				events: ['clientStalled'],
				salt: 3,
				names: ['Pending', 'pending', 'declined'],
				table: [
					[2, 0, [], []],
					[0, 1, [[1, 2]], stalledIn],
				],
				marks: Buffer.from([0, 0, 0, 0, 7, 0, 0, 0, 0, 8]).toString('base64'),
				conditions: Buffer.from([1, 0]).toString('base64'),
			});
			const pending = { ...UNSEEN, status: 'Pending', reminders, arrivals: [['pending', 2]] };
			expect([...conditions]).toEqual([
				[7, pending],
				[8, { ...UNSEEN, status: 'declined', isWanted: false }],
			]);
		},
	);

	const text = readFileSync(join(__dirname, 'state.0.1.0.txt'), 'utf8');
	const watch: Watch = { ...WATCH, matches: ({ client_type }) => client_type === 'company', mayMatchLater: true };
	const company = { client_type: 'company', created_at: '2026-06-01T00:00:00.000Z' };
	const ada = { ...company, reference_id: 'ada', request_status: 'Pending' };
	const bob = { reference_id: 'bob', request_status: 'Accepted', client_type: 'individual' };
	const cyd = { ...company, reference_id: 'cyd', request_status: 'Requested' };
	const atMs = Date.parse('2026-06-20');
	const briefly = (clients: Client[], before = decodeState(text)) =>
		findChanges(before, { clients, isComplete: true, atMs, excess: 0, unread: 0 }, watch).events.map(
			({ event, reference_id = '', previous_request_status = '' }) =>
				`${event} ${String(reference_id)} ${String(previous_request_status)}`.trim(),
		);

	it('is carried on: nothing is told again, nor is anything lost', () => {
		expect(briefly([ada, bob, cyd])).toEqual([]);
		expect(
			briefly([
				{ ...ada, request_status: 'Declined' },
				{ ...cyd },
				{ ...cyd, reference_id: 'dan', created_at: '2026-06-02' },
			]),
		).toEqual(['requestStatusChanged ada Pending', 'clientCreated dan']);
	});

	it('is carried on by the next states, also with another key of the same account', () => {
		const look = { clients: [ada, cyd], isComplete: true, atMs, excess: 0, unread: 0 };
		const { state, isAnotherAccount } = findChanges(decodeState(text), look, { ...watch, account: 'another key' });
		expect(isAnotherAccount).toBe(false);
		const next = decodeState(encodeState(state));
		expect(next).toMatchObject({ place: 'a place', account: 'another key' });
		expect(briefly([ada, cyd, { ...bob, client_type: 'company' }], { ...next, account: watch.account })).toEqual([]);
	});
});

describe('A state that version 0.2.0 wrote', () => {
	it.each<[number, Partial<Condition>]>([
		[0, { isWanted: false, reminders: 0, presence: 'listed' }],
		[1, { isWanted: true, reminders: 0, presence: 'listed' }],
		[2, { isWanted: false, reminders: 1, presence: 'listed' }],
		[5, { isWanted: true, reminders: 0, presence: 'missing' }],
		[11, { isWanted: true, reminders: 1, presence: 'gone' }],
	])('says in the flags %i what a client was', (flags, condition) => {
		const stored = { names: ['Pending'], table: [[0, flags, 2, 0, 3]], rows: 'AA==' } as unknown as StoredTable;
		expect(readTable(stored, '2')()).toEqual({
			...UNSEEN,
			...condition,
			status: 'Pending',
			departures: 2,
			arrivals: [['Pending', 3]],
		});
	});

	const text = readFileSync(join(__dirname, 'state.0.2.0.txt'), 'utf8');
	const watch: Watch = { ...WATCH, matches: ({ client_type }) => client_type === 'company', mayMatchLater: true };
	const company = { client_type: 'company', created_at: '2026-06-01T00:00:00.000Z' };
	const [ada, cyd, dan] = [
		['ada', 'Pending'],
		['cyd', 'Requested'],
		['dan', 'Completed'],
	].map(([reference_id, request_status]) => ({ ...company, reference_id, request_status }));
	const bob = { reference_id: 'bob', request_status: 'Accepted', client_type: 'individual' };
	const follow = (...looks: Client[][]) => {
		let state = decodeState(text);
		return looks.map((clients) => {
			const changes = findChanges(
				state,
				{ clients, isComplete: true, atMs: Date.parse('2026-06-20'), excess: 0, unread: 0 },
				watch,
			);
			state = decodeState(encodeState(changes.state));
			return changes.events.map(({ event, reference_id = '' }) => `${event} ${String(reference_id)}`.trim());
		});
	};

	it('is carried on: who was stalled, who was gone, and what the others were', () => {
		expect(follow([ada, bob, cyd], [ada, bob, cyd, dan], [{ ...ada, request_status: 'Declined' }, bob, cyd])).toEqual([
			[],
			[],
			['requestStatusChanged ada', 'clientRemoved dan'],
		]);
	});

	it('tells of who leaves at once only the hash', () => {
		expect(follow([ada, bob])).toEqual([['clientRemoved']]);
	});
});

describe('What a client has of its own', () => {
	it.each([
		[{ reference_id: 'ada' }],
		[{ reference_id: 7, client_name: 'Ada' }],
		[{ reference_id: '7', email: 'ada@example.com' }],
		[undefined],
	])('is read as it was written: %j', (identity) => {
		const own = { prints: 'abcdefgh', identity, sinceMinutes: 0 };
		const state: State = {
			...makeState(0, 1),
			watchedFields: ['email', 'client_name'],
			conditions: new Map([
				[1, { ...UNSEEN, ...own }],
				[2, { ...UNSEEN, ...own, sinceMinutes: 9, prints: '\0\0\0\0\u00ff\u0080\0\x01' }],
			]),
		};
		expect(decodeState(encodeState(state))).toEqual(state);
	});
});

describe('A text that is no state', () => {
	it.each<[string, (text: string) => unknown]>([
		['nothing', () => undefined],
		['an empty one', () => ''],
		['another one', () => 'nonsense'],
		['one with something before it', (text) => `x${text}`],
		['one without its end', (text) => text.slice(0, -1)],
		['one that was changed', (text) => text.replace('requestStatusChanged', 'clientGone')],
	])('is called damaged: %s', (_, damage) => {
		expect(() => decodeState(damage(encodeState(makeState(3, 2))))).toThrow(/^it is damaged$/);
	});

	it('but one that a later version wrote is left to that version', () => {
		const body = JSON.stringify({ needs: '9.8.7' });
		const later = `10.${hash('sha256', body).slice(0, 12)}.${body}`;
		expect(() => decodeState(later)).toThrow('version 9.8.7 or later of this package is needed');
	});
});
