import { beforeEach, describe, expect, it } from '@jest/globals';
import { confirmRemovals, findAbsent } from '../../../../nodes/ClientOnboarding/trigger/removals';
import { stateOf, TRACKED } from '../../../support/triggerConfig.mts';

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `id-${from + index}`);
const listOf = (count: number) => stateOf(ids(count).map((id) => [id, TRACKED]));

let trigger: string;
let triggers = 0;
beforeEach(() => {
	trigger = `workflow/node-${triggers++}`;
});

describe('Absent clients', () => {
	it('are the clients in the state that are listed there but not in the current read', () => {
		const state = stateOf([
			['here', TRACKED],
			['gone', TRACKED],
			['removed earlier', { ...TRACKED, isListed: false }],
		]);
		expect(findAbsent(state, new Set(['here', 'new']))).toEqual(['gone']);
	});

	it.each([
		[0, 5, true],
		[0, 0, true],
		[10, 11, true],
		[11, 110, true],
		[11, 109, false],
		[1, 1, false],
		[5, 5, false],
	])('count as removed at once or not: %i of %i listed', (count, listed, isAtOnce) => {
		expect(confirmRemovals(trigger, listOf(listed), ids(count))).toEqual(isAtOnce ? ids(count) : []);
	});

	it('are a share of the listed clients, without those removed earlier', () => {
		const removed = stateOf(ids(100, 1_000).map((id) => [id, { ...TRACKED, isListed: false }]));
		const state = stateOf([...listOf(50).clients, ...removed.clients]);
		expect(confirmRemovals(trigger, state, ids(11))).toEqual([]);
	});

	it('count as removed, however many, if the next poll does not list them either', () => {
		const state = listOf(40);
		expect(confirmRemovals(trigger, state, ids(20))).toEqual([]);
		expect(confirmRemovals(trigger, state, ids(20, 5))).toEqual(ids(15, 5));
		expect(confirmRemovals(trigger, state, ids(20, 10))).toEqual(ids(15, 10));
	});

	it('must be confirmed again after a poll that listed all clients', () => {
		const state = listOf(40);
		expect(confirmRemovals(trigger, state, ids(20))).toEqual([]);
		expect(confirmRemovals(trigger, state, [])).toEqual([]);
		expect(confirmRemovals(trigger, state, ids(20))).toEqual([]);
	});

	it('are confirmed by polls of the same trigger only', () => {
		expect(confirmRemovals(trigger, listOf(40), ids(20))).toEqual([]);
		expect(confirmRemovals('workflow/another', listOf(40), ids(20))).toEqual([]);
	});
});
