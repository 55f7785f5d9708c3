import { describe, expect, it } from '@jest/globals';
import type { Condition, State } from '../../../../nodes/ClientOnboarding/trigger/state';
import { decodeState, encodeState } from '../../../../nodes/ClientOnboarding/trigger/state';

const STATUSES = ['Accepted', 'Completed', 'Declined', 'Pending', 'Requested'];

/** A state with so many clients, in so many different conditions. */
function makeState(clients: number, conditions: number): State {
	const table = Array.from(
		{ length: conditions },
		(_, index): Condition => ({
			status: STATUSES[index % 5],
			isWanted: index % 2 === 0,
			arrivals: index < 10 ? {} : { completed: Math.floor(index / 10) },
			stalledIn: index % 3 === 0 ? ['pending'] : [],
		}),
	);
	const marks = Array.from({ length: clients }, (_, index) => (index * 7_919_000_019) % 2 ** 40);
	return {
		service: '0123456789abcdef',
		events: ['clientCreated', 'requestStatusChanged'],
		salt: 0,
		conditions: new Map(marks.map((mark, index) => [mark, table[(index * index) % conditions]])),
	};
}

describe('The state of a trigger', () => {
	it.each([
		[0, 1],
		[1, 1],
		[1_000, 10],
		[5_000, 400],
	])('of %i clients in %i conditions is read as it was written', (clients, conditions) => {
		const state = makeState(clients, conditions);
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

	it.each([1_000, 10_000, 50_000])(
		'takes at most 10 bytes a client, with %i clients that went through many statuses',
		(clients) => {
			expect(JSON.stringify(encodeState(makeState(clients, 40))).length).toBeLessThanOrEqual(10 * clients);
		},
	);
});
