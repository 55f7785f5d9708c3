import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../../nodes/ClientOnboarding/service/client';
import type { Watch } from '../../../../../nodes/ClientOnboarding/trigger/watch';
import { findChanges } from '../../../../../nodes/ClientOnboarding/trigger/changes';
import type { Condition } from '../../../../../nodes/ClientOnboarding/trigger/conditions';
import { UNSEEN } from '../../../../../nodes/ClientOnboarding/trigger/conditions';
import type { State } from '../../../../../nodes/ClientOnboarding/trigger/state/state';
import { cpuMsOf } from '../../../../support/cpu.mts';
import { WATCH } from '../../../../support/watch.mts';
import { decodeState, encodeState } from '../../../../../nodes/ClientOnboarding/trigger/state/encoding';

const STATUSES = ['Accepted', 'Completed', 'Declined', 'Pending', 'Requested'];

/** A state with so many clients, in so many different conditions; of ten clients, so many have changed. */
function makeState(clients: number, conditions: number, tenths = 0): State {
	const table = Array.from(
		{ length: conditions },
		(_, index): Condition => ({
			status: conditions > 1_000 ? `Status ${index}` : STATUSES[index % 5],
			isWanted: index % 2 === 0,
			presence: (['listed', 'missing', 'gone'] as const)[index % 3],
			sinceMinutes: 0,
			reminders: index % 3,
			updates: index % 2,
			arrivals:
				index < 10
					? []
					: [
							['completed', Math.floor(index / 10)],
							['constructor', 1],
						],
			departures: index % 4,
		}),
	);
	const marks = Array.from({ length: clients }, (_, index) => (index * 7_919_000_019) % 2 ** 40);
	const condition = (index: number) => {
		const shared = table[(index * index) % conditions];
		return index % 10 < tenths ? { ...shared, sinceMinutes: 29_000_000 + index } : shared;
	};
	return {
		place: 'fedcba9876543210',
		account: '0123456789abcdef',
		events: ['clientCreated', 'requestStatusChanged'],
		salt: 0,
		excess: 0,
		needs: '0.3.0',
		conditions: new Map(marks.map((mark, index) => [mark, condition(index)])),
	};
}

/** So many clients with so many statuses; a third of them has another one in each turn. */
function makeClients(size: number, statuses: number, turn: number): Client[] {
	return Array.from({ length: size }, (_, index) => ({
		reference_id: `client ${index}`,
		request_status: `Status ${(index + (index % 3 === 0 ? turn : 0)) % statuses}`,
		created_at: new Date(1_700_000_000_000 + index).toISOString(),
	}));
}

function lookAt(clients: Client[], before?: State) {
	const atMs = Date.parse('2026-06-20');
	return findChanges(before, { clients, isComplete: true, atMs, excess: 0, unread: 0 }, WATCH);
}

const bytesOf = (state: State) => JSON.stringify(encodeState(state)).length;

describe('The state of a trigger', () => {
	it.each([
		[0, 1],
		[1, 1],
		[1_000, 10],
		[5_000, 400],
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

	it('takes at most 16 bytes a client that has changed, with 50,000 of them that went through many statuses', () => {
		expect(bytesOf(makeState(50_000, 200, 10))).toBeLessThanOrEqual(16 * 50_000);
		expect(bytesOf(makeState(50_000, 5, 0))).toBeLessThanOrEqual(10 * 50_000);
	});

	it('takes at most 16 bytes a client also where each was reminded of another number of times', () => {
		const state = makeState(50_000, 10, 10);
		const conditions = [...state.conditions].map(
			([mark, one], index) => [mark, { ...one, reminders: index % 700 }] as const,
		);
		const reminded = { ...state, conditions: new Map(conditions) };
		expect(bytesOf(reminded)).toBeLessThanOrEqual(16 * 50_000);
		expect(decodeState(encodeState(reminded))).toEqual(reminded);
	});

	it.each([5, Infinity])(
		'takes ten times the work for ten times as many clients to read, compare and write (%p statuses)',
		(statuses) => {
			const [few, many] = [2_000, 20_000].map((size) => {
				const [before, after] = [0, 1].map((turn) => makeClients(size, statuses, turn));
				const text = encodeState(lookAt(before).state);
				const work = () => encodeState(lookAt(after, decodeState(text)).state);
				return cpuMsOf(work, 5);
			});
			// Alone on a machine it is about ten. What is done to each client with each other one would be a hundred.
			expect(many / few).toBeLessThan(20);
		},
	);
});

describe('A state that version 0.1.0 wrote', () => {
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
