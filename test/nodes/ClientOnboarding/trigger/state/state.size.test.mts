import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../../nodes/ClientOnboarding/api/record';
import { findChanges } from '../../../../../nodes/ClientOnboarding/trigger/changes';
import { decodeState, encodeState } from '../../../../../nodes/ClientOnboarding/trigger/state/encoding';
import type { State } from '../../../../../nodes/ClientOnboarding/trigger/state/state';
import { cpuMsOf } from '../../../../support/cpu.mts';
import { byDepth } from '../../../../support/depth.mts';
import { makeState } from '../../../../support/states.mts';
import { WATCH } from '../../../../support/watch.mts';

const MANY = byDepth({ quick: 20_000, deep: 200_000, long: 200_000 });

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
		[1_000, 10],
		[5_000, 400],
	])('of %i clients in %i conditions is read as it was written', (clients, conditions) => {
		const state = makeState(clients, conditions, 3);
		expect(decodeState(encodeState(state))).toEqual(state);
	});

	it(`takes at most 16 bytes a client that has changed, with ${MANY.toLocaleString('en')} of them that went through many statuses`, () => {
		expect(bytesOf(makeState(MANY, 200, 10))).toBeLessThanOrEqual(16 * MANY);
		expect(bytesOf(makeState(MANY, 5, 0))).toBeLessThanOrEqual(10 * MANY);
	});

	it('takes at most 16 bytes a client also where each was reminded of another number of times', () => {
		const state = makeState(MANY, 10, 10);
		const conditions = [...state.conditions].map(
			([mark, one], index) => [mark, { ...one, reminders: index % 700 }] as const,
		);
		const reminded = { ...state, conditions: new Map(conditions) };
		expect(bytesOf(reminded)).toBeLessThanOrEqual(16 * MANY);
		expect(decodeState(encodeState(reminded))).toEqual(reminded);
	});

	it.each([5, Infinity])(
		'takes ten times the work for ten times as many clients to read, compare and write (%p statuses)',
		(statuses) => {
			const [few, many] = [MANY / 100, MANY / 10].map((size) => {
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
