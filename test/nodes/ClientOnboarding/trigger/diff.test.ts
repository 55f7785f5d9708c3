import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../nodes/ClientOnboarding/api/record';
import type { TriggerConfig } from '../../../../nodes/ClientOnboarding/trigger/config';
import type { Change } from '../../../../nodes/ClientOnboarding/trigger/diff';
import { diffClients, takeBatch } from '../../../../nodes/ClientOnboarding/trigger/diff';
import type { EventName } from '../../../../nodes/ClientOnboarding/trigger/events';
import type { TrackedClient } from '../../../../nodes/ClientOnboarding/trigger/trackedClient';
import { idHash } from '../../../../nodes/ClientOnboarding/trigger/trackedClient';
import { CONFIG, stateOf, TRACKED } from '../../../support/triggerConfig.mts';

const POLL = { nowMs: Date.parse('2026-06-20T12:00:00Z'), nodeId: 'node-1', baselineMs: 0 };
const NOW_MINUTES = POLL.nowMs / 60_000;
const EVENTS: EventName[] = [
	'clientCreated',
	'clientRemoved',
	'clientStalled',
	'requestStatusChanged',
	'statusReached',
];
const ALL: TriggerConfig = { ...CONFIG, events: EVENTS, statusBecomes: ['declined'], identityFields: ['reference_id'] };
/** The day is that of its creation in June. */
const client = (reference_id: string, day = '15', request_status = 'Pending'): Client => ({
	reference_id,
	request_status,
	created_at: `2026-06-${day}`,
});

interface Given {
	/** By reference ID. */
	state?: Record<string, Partial<TrackedClient>>;
	listed?: Client[];
	removed?: string[];
	emitted?: EventName[];
	config?: Partial<TriggerConfig>;
}

const idOf = (reference_id: string) => idHash({ reference_id });
function diff({ state, listed = [], removed = [], emitted = EVENTS, config = {} }: Given): Change[] {
	const tracked = Object.entries(state ?? {}).map(
		([id, was]) => [idOf(id), { ...TRACKED, ...was }] as [string, TrackedClient],
	);
	return diffClients(state && stateOf(tracked), listed, removed.map(idOf), emitted, POLL, { ...ALL, ...config });
}
const namesOf = ({ events }: Change) => events.map(({ event }) => event);

describe('The changes since the last poll', () => {
	it('leave out a client that has not changed', () => {
		expect(diff({ state: { A: {} }, listed: [client('A')] })).toEqual([]);
	});

	it('have a client that was never listed, with New Client, which does not count as an event of it', () => {
		const [change, ...others] = diff({ state: { B: {} }, listed: [client('A')] });
		expect(change).toMatchObject({ id: idOf('A'), createdMs: Date.parse('2026-06-15'), now: TRACKED });
		expect([change.was, namesOf(change), others]).toEqual([undefined, ['clientCreated'], []]);
	});

	it('have all clients if there is no state', () => {
		expect(diff({ listed: [client('A'), client('B')] }).map(({ id }) => id)).toEqual(['A', 'B'].map(idOf));
	});

	it('have all events of a client together, and the client with their number', () => {
		const [change] = diff({ state: { A: { emitted: 1 } }, listed: [client('A', '15', 'Declined')] });
		expect(namesOf(change)).toEqual(['requestStatusChanged', 'statusReached']);
		expect(change).toMatchObject({ was: { status: 'Pending' }, now: { status: 'Declined', emitted: 3 } });
	});

	it('have a client without the events that are not emitted, so that it is saved', () => {
		const given = { state: { A: {} }, listed: [client('A', '15', 'Declined')] };
		expect(diff({ ...given, emitted: ['statusReached'] }).map(namesOf)).toEqual([['statusReached']]);
		expect(diff({ ...given, emitted: [] })).toMatchObject([{ now: { status: 'Declined', emitted: 0 }, events: [] }]);
	});

	it('are the same, with the same event IDs, if they were not saved', () => {
		const given = {
			state: { A: {}, C: { values: {} } },
			listed: [client('A', '15', 'Declined'), client('B')],
			removed: ['C'],
		};
		expect(diff(given)).toEqual(diff(given));
		expect(new Set(diff(given).flatMap(({ events }) => events.map(({ event_id }) => event_id))).size).toBe(4);
	});

	it('come in the order of creation, clients without a date first, removed ones last', () => {
		const undated = { ...client('undated'), created_at: undefined };
		const listed = [client('late', '16'), client('early', '01'), client('later', '16'), undated];
		const changes = diff({ state: { gone: {} }, listed, removed: ['gone'] });
		expect(changes.map(({ id }) => id)).toEqual(['undated', 'early', 'late', 'later', 'gone'].map(idOf));
	});
});

describe('Client Stalled', () => {
	const stalled = client('A', '01');

	it.each<[string, EventName[], boolean, Array<[EventName[], number]>]>([
		['is emitted and noted', EVENTS, true, [[['clientStalled'], NOW_MINUTES]]],
		['waits until the client matches the filters', EVENTS, false, []],
		['is noted only, if it is not emitted yet', [], true, [[[], NOW_MINUTES]]],
		['is noted only, if neither is so', [], false, [[[], NOW_MINUTES]]],
	])('%s', (_, emitted, matches, expected) => {
		const given = { state: { A: { matches } }, listed: [stalled], emitted, config: { matches: () => matches } };
		expect(diff(given).map((change) => [namesOf(change), change.now.remindedMinutes])).toEqual(expected);
	});

	it('is not noted again for another change', () => {
		const config = { matches: () => false };
		const state = { A: { remindedMinutes: NOW_MINUTES - 5 } };
		expect(diff({ state, listed: [stalled], config })).toMatchObject([{ now: { remindedMinutes: NOW_MINUTES - 5 } }]);
	});
});

describe('A removed client', () => {
	it('has an event with its saved values, which are then deleted from the state', () => {
		const state = { A: { status: 'Declined', emitted: 1, values: { reference_id: 'A' } } };
		const [{ now, events }] = diff({ state, removed: ['A'] });
		expect(now).toEqual({ ...TRACKED, status: 'Declined', isListed: false, emitted: 2 });
		expect(events).toMatchObject([{ event: 'clientRemoved', reference_id: 'A', previous_request_status: 'Declined' }]);
	});

	it.each<[string, Partial<TrackedClient>, EventName[]]>([
		['it did not match the filters', { matches: false, values: { reference_id: 'A' } }, EVENTS],
		['it was last listed before the event was chosen', {}, EVENTS],
		['the event is not emitted', { values: { reference_id: 'A' } }, ['clientCreated']],
	])('has no event, but is saved as removed, if %s', (_, was, emitted) => {
		expect(diff({ state: { A: was }, removed: ['A'], emitted })).toMatchObject([
			{ now: { isListed: false, emitted: 0 }, events: [] },
		]);
	});
});

describe('With a maximum of events', () => {
	it.each([
		[[1, 1, 1], 2, [1, 1]],
		[[1, 2, 1], 2, [1, 2]],
		[[3, 1], 1, [3]],
		[[0, 1, 0, 1, 0], 1, [0, 1, 0, 0]],
		[[1, 1], 5, [1, 1]],
	])('clients with %j events are saved up to %i: %j, those of one client together', (counts, most, taken) => {
		const changes = counts.map((count) => ({ events: Array(count).fill({}) }) as unknown as Change);
		expect(takeBatch(changes, most).map(({ events }) => events.length)).toEqual(taken);
	});
});
