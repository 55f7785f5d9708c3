import { describe, expect, it } from '@jest/globals';
import type { TriggerConfig } from '../../../../../nodes/ClientOnboarding/trigger/config';
import type { Change } from '../../../../../nodes/ClientOnboarding/trigger/diff';
import type { EventName } from '../../../../../nodes/ClientOnboarding/trigger/events';
import { isNeededLater, shouldSaveNow } from '../../../../../nodes/ClientOnboarding/trigger/state/persistPolicy';
import type { TrackedClient } from '../../../../../nodes/ClientOnboarding/trigger/trackedClient';
import { CONFIG, stateOf, TRACKED } from '../../../../support/triggerConfig.mts';

const HOUR_MS = 3_600_000;
const CHOSEN = { statusBecomes: ['declined', 'accepted'], stalledStatuses: ['pending', 'requested'] };
const NEW = undefined;

function isNeeded(
	events: EventName[],
	was: Partial<TrackedClient> | undefined,
	now: Partial<TrackedClient>,
	config: Partial<TriggerConfig> = {},
): boolean {
	const change = { was: was && { ...TRACKED, ...was }, now: { ...TRACKED, ...now }, events: [] } as unknown as Change;
	return isNeededLater(change, { ...CONFIG, ...CHOSEN, ...config, events });
}

describe('A change without an event', () => {
	it.each<[EventName, string, Partial<TrackedClient> | undefined, Partial<TrackedClient>, boolean]>([
		['clientCreated', 'a new client', NEW, {}, true],
		['clientCreated', 'another status', {}, { status: 'Declined' }, false],
		['statusReached', 'a new client in a chosen status', NEW, { status: 'Declined' }, true],
		['statusReached', 'a new client in another status', NEW, {}, false],
		['statusReached', 'a client that leaves a chosen status', { status: 'Declined' }, {}, true],
		['statusReached', 'a client that enters one', {}, { status: 'Declined' }, true],
		['statusReached', 'a change between chosen ones', { status: 'Declined' }, { status: 'Accepted' }, true],
		['statusReached', 'a chosen status in another case', { status: 'Declined' }, { status: 'DECLINED' }, false],
		['statusReached', 'a change between other statuses', {}, { status: 'Requested' }, false],
		['clientStalled', 'a new client without a creation date', NEW, { sinceMinutes: 1 }, true],
		['clientStalled', 'a new client with one', NEW, {}, false],
		['clientStalled', 'a client that enters a stalled status', { status: 'Declined' }, {}, true],
		['clientStalled', 'a client that leaves one', {}, { status: 'Declined' }, true],
		['clientStalled', 'a change between stalled ones', {}, { status: 'Requested' }, true],
		['clientStalled', 'a change between other statuses', { status: 'Declined' }, { status: 'Accepted' }, false],
		['requestStatusChanged', 'a new client', NEW, {}, true],
		['requestStatusChanged', 'another status', {}, { status: 'Declined' }, true],
		['requestStatusChanged', 'the status in another case', {}, { status: 'PENDING' }, false],
		['clientUpdated', 'a new client', NEW, { fieldHashes: 'abcd' }, true],
		['clientUpdated', 'another value', { fieldHashes: 'abcd' }, { fieldHashes: 'abce' }, true],
		['clientUpdated', 'another status', {}, { status: 'Declined' }, false],
		['clientRemoved', 'a new client', NEW, {}, true],
		['clientRemoved', 'a client that is not listed any more', {}, { isListed: false }, true],
		['clientRemoved', 'a client that matches the filters now', { matches: false }, {}, true],
		['clientRemoved', 'other saved values', {}, { values: { client_name: 'Ada' } }, true],
		['clientRemoved', 'another status', {}, { status: 'Declined' }, false],
	])('for %s, %s, is needed after a restart or not', (event, _, was, now, expected) => {
		expect(isNeeded([event], was, now)).toBe(expected);
	});

	it('is needed if one of several events needs it', () => {
		expect(isNeeded(['clientCreated', 'clientUpdated'], {}, { status: 'Declined' })).toBe(false);
		expect(isNeeded(['clientCreated', 'requestStatusChanged'], {}, { status: 'Declined' })).toBe(true);
	});

	it.each<[string, Partial<TrackedClient> | undefined, Partial<TrackedClient>, boolean, boolean]>([
		['matches now', { matches: false }, {}, false, true],
		['matched before', {}, { matches: false }, false, true],
		['did not and cannot match', { matches: false }, { matches: false }, false, false],
		['did not match but may later', { matches: false }, { matches: false }, true, true],
		['is new and cannot match', NEW, { matches: false }, false, false],
		['is new and may match later', NEW, { matches: false }, true, true],
	])('of a client that %s the filters is needed or not', (_, was, now, mayMatchLater, expected) => {
		const moved = { ...now, status: 'Declined' };
		expect(isNeeded(['requestStatusChanged'], was, moved, { mayMatchLater })).toBe(expected);
	});

	it('is not needed if there is an event, which saves it', () => {
		const change = { now: TRACKED, events: [{}] } as unknown as Change;
		expect(isNeededLater(change, { ...CONFIG, events: ['clientCreated'] })).toBe(false);
	});
});

describe('A needed change', () => {
	it.each<[string, Parameters<typeof shouldSaveNow>[1], number | undefined, boolean]>([
		['at once with "always"', 'always', 0, true],
		['with the next event with "never"', 'never', undefined, false],
		['at once with "automatic" if it is the first', 'automatic', undefined, true],
		['not within an hour of the last one', 'automatic', 1, false],
		['an hour after the last one', 'automatic', 0, true],
		['not twice at once', 'automatic', HOUR_MS, false],
		['at once if the clock was set back', 'automatic', HOUR_MS + 1, true],
	])('is saved %s', (_, quietChanges, quietSaveMs, expected) => {
		expect(shouldSaveNow({ ...stateOf([]), quietSaveMs }, quietChanges, HOUR_MS)).toBe(expected);
	});
});
