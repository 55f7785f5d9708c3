import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../nodes/ClientOnboarding/api/record';
import type { TriggerConfig } from '../../../../nodes/ClientOnboarding/trigger/config';
import { watchFields } from '../../../../nodes/ClientOnboarding/trigger/state/state';
import type { TrackedClient } from '../../../../nodes/ClientOnboarding/trigger/trackedClient';
import {
	changedFields,
	FIELD_HASH_BYTES,
	ID_HASH_BYTES,
	idHash,
	isStalledDue,
	toMinutes,
	trackClient,
} from '../../../../nodes/ClientOnboarding/trigger/trackedClient';
import { CONFIG, stateOf, TRACKED } from '../../../support/triggerConfig.mts';

const NOW_MS = Date.parse('2026-06-20T12:00:30Z');
const NOW_MINUTES = Date.parse('2026-06-20T12:00:00Z') / 60_000;
const DAY_MINUTES = 24 * 60;
const CLIENT: Client = {
	reference_id: 'A',
	client_name: 'Ada',
	client_type: 'Company',
	request_status: 'Pending',
	created_at: '2026-06-01T00:00:00Z',
};
const WATCHING: TriggerConfig = { ...CONFIG, events: ['clientUpdated'], watchedFields: ['client_name', 'client_type'] };

const track = (fields: Client, was?: TrackedClient, config = CONFIG) =>
	trackClient({ ...CLIENT, ...fields }, was, NOW_MS, config);

describe('The ID hash of a client', () => {
	it('has a fixed width and depends on the reference ID alone', () => {
		expect(idHash(CLIENT)).toHaveLength(ID_HASH_BYTES);
		expect(idHash({ ...CLIENT, client_name: 'Eva' })).toBe(idHash(CLIENT));
		expect(idHash({ ...CLIENT, reference_id: 'B' })).not.toBe(idHash(CLIENT));
	});
});

describe('A tracked client', () => {
	it('has its status as the service writes it and no event yet when it is listed for the first time', () => {
		expect(track({})).toEqual(TRACKED);
	});

	it.each<[string, Client, Partial<TrackedClient>, Partial<TriggerConfig>]>([
		['nothing', {}, {}, {}],
		['the case of its status', { request_status: ' PENDING' }, {}, {}],
		['the case of its type', { client_type: 'company' }, {}, WATCHING],
		['a field that is not watched', { email: 'new@example.com' }, {}, WATCHING],
		['nothing, with saved values', {}, {}, { savedFields: ['client_name'] }],
		['nothing, after an event', {}, { emitted: 3, sinceMinutes: 7, remindedMinutes: 8 }, {}],
	])('is the very same object if this has changed: %s', (_, fields, tracked, chosen) => {
		const config = { ...CONFIG, ...chosen };
		const was = { ...track({}, undefined, config), ...tracked };
		expect(track(fields, was, config)).toBe(was);
	});

	it('restarts its day count when it enters another status, and keeps its event count', () => {
		const was = { ...TRACKED, sinceMinutes: 5, remindedMinutes: 6, emitted: 7 };
		expect(track({ request_status: 'Declined' }, was)).toEqual({
			...TRACKED,
			status: 'Declined',
			sinceMinutes: NOW_MINUTES,
			emitted: 7,
		});
	});

	it('is listed again, or matches the filters or not, as it is now', () => {
		expect(track({}, { ...TRACKED, isListed: false })).toEqual(TRACKED);
		expect(track({}, TRACKED, { ...CONFIG, matches: () => false })).toEqual({ ...TRACKED, matches: false });
	});

	it.each<[string, Client, TrackedClient | undefined, TriggerConfig, number]>([
		['its creation', {}, undefined, CONFIG, 0],
		['the poll that lists it first if it has no creation date', { created_at: null }, undefined, CONFIG, NOW_MINUTES],
		['the poll after the event was chosen if it has none', { created_at: null }, TRACKED, CONFIG, NOW_MINUTES],
		['the same poll later', { created_at: null }, { ...TRACKED, sinceMinutes: 7 }, CONFIG, 7],
		['nothing if Client Stalled is not chosen', { request_status: 'Declined' }, TRACKED, WATCHING, 0],
	])('counts its time in the status from %s', (_, fields, was, config, minutes) => {
		expect(track(fields, was, config).sinceMinutes).toBe(minutes);
	});

	it('has the saved fields that are text or numbers, and the new value of one that changes', () => {
		const config = { ...CONFIG, savedFields: ['client_name', 'size', 'email', 'tags'] };
		const was = track({ size: 1, email: null, tags: ['a'] }, undefined, config);
		expect(was.values).toEqual({ client_name: 'Ada', size: 1 });
		expect(track({ size: 2 }, was, config).values).toEqual({ client_name: 'Ada', size: 2 });
		expect(track({}, was, config).values).toEqual({ client_name: 'Ada' });
		expect(track({ client_name: null }, was, config).values).toBeUndefined();
	});
});

describe('Watched fields', () => {
	const FIELDS = [...WATCHING.watchedFields, 'client_status'];

	it.each<[string, Client, string[]]>([
		['a name in another case', { client_name: 'ADA' }, ['client_name']],
		['a type in another case', { client_type: 'company' }, []],
		['a status in another case', { client_status: 'ACTIVE' }, []],
		['another type', { client_type: 'Individual' }, ['client_type']],
		['a field that is no longer sent', { client_name: undefined }, ['client_name']],
		['all of them', { client_name: 'Eva', client_type: 'x', client_status: 'x' }, FIELDS],
	])('have changed or not with %s', (_, fields, expected) => {
		const config = { ...WATCHING, watchedFields: FIELDS };
		const was = track({ client_status: 'Active' }, undefined, config);
		const now = track({ client_status: 'Active', ...fields }, was, config);
		expect(changedFields(was, now, FIELDS)).toEqual(expected);
	});

	it('have not changed for a client that is new', () => {
		expect(changedFields(undefined, track({}, undefined, WATCHING), WATCHING.watchedFields)).toEqual([]);
	});

	it('change only after the first poll that watches them, and those that were watched before stay known', () => {
		const before = { ...stateOf([['A', track({}, undefined, WATCHING)]]), watchedFields: WATCHING.watchedFields };
		expect(watchFields(before, ['client_name', 'client_type'])).toBe(before);
		const watchedFields = ['email', 'client_type', 'group_name'];
		const state = watchFields(before, watchedFields);
		const now = track({ email: 'new', client_type: 'x' }, undefined, { ...WATCHING, watchedFields });
		expect(changedFields(state.clients.get('A'), now, state.watchedFields)).toEqual(['client_type']);
	});

	it('have hashes of a fixed width, none of which is that of an unknown field', () => {
		for (let number = 0; number < 1_000; number++) {
			const { fieldHashes } = track({ client_name: `Client ${number}` }, undefined, WATCHING);
			expect(fieldHashes).toHaveLength(2 * FIELD_HASH_BYTES);
			expect(fieldHashes.slice(0, FIELD_HASH_BYTES)).not.toMatch(/\0$/);
		}
	});
});

describe('Client Stalled', () => {
	const DAYS_7 = NOW_MINUTES - 7 * DAY_MINUTES;

	it.each<[string, boolean, Client, Partial<TrackedClient>, number]>([
		['seven days after its creation', true, {}, {}, 0],
		['seven days after it entered the status', true, {}, { sinceMinutes: DAYS_7 }, 0],
		['a minute earlier', false, {}, { sinceMinutes: DAYS_7 + 1 }, 0],
		['in another status', false, { request_status: 'Declined' }, {}, 0],
		['in the chosen status in another case', true, { request_status: 'PENDING' }, {}, 0],
		['without any date', false, { created_at: 'soon' }, {}, 0],
		['once it was emitted', false, {}, { remindedMinutes: 1 }, 0],
		['before it is repeated', false, {}, { remindedMinutes: NOW_MINUTES - 2 * DAY_MINUTES + 1 }, 2],
		['when it is repeated', true, {}, { remindedMinutes: NOW_MINUTES - 2 * DAY_MINUTES }, 2],
		['when it is repeated before its days', false, {}, { sinceMinutes: DAYS_7 + 1, remindedMinutes: 1 }, 2],
	])('is due or not %s', (_, isDue, fields, tracked, repeatAfterDays) => {
		const config = { ...CONFIG, repeatAfterMs: repeatAfterDays * DAY_MINUTES * 60_000 };
		const atMs = toMinutes(NOW_MS) * 60_000;
		expect(isStalledDue({ ...CLIENT, ...fields }, { ...TRACKED, ...tracked }, atMs, config)).toBe(isDue);
	});
});
