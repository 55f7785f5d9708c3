import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../nodes/ClientOnboarding/api/record';
import { buildEvents, buildRemovedEvent } from '../../../../nodes/ClientOnboarding/trigger/buildEvents';
import type { TriggerConfig } from '../../../../nodes/ClientOnboarding/trigger/config';
import type { TrackedClient } from '../../../../nodes/ClientOnboarding/trigger/trackedClient';
import { trackClient } from '../../../../nodes/ClientOnboarding/trigger/trackedClient';
import { CONFIG, TRACKED } from '../../../support/triggerConfig.mts';

const POLL = { nowMs: Date.parse('2026-06-20T12:00:00Z'), nodeId: 'node-1', baselineMs: 5 };
const CLIENT: Client = {
	created_at: '2026-06-15',
	client_name: 'Ada',
	reference_id: 'A',
	email: 'ada@example.com',
	request_status: 'Pending',
};
const WATCHING: Partial<TriggerConfig> = {
	watchedFields: ['client_name', 'email'],
	savedFields: ['client_name', 'email'],
};

/** The events of a client that was like this, or new, and now has these fields. */
function build(fields: Client, was?: Client, chosen: Partial<TriggerConfig> = {}, before: Partial<TrackedClient> = {}) {
	const config = { ...CONFIG, ...chosen };
	const client = { ...CLIENT, ...fields };
	const tracked = was && { ...trackClient({ ...CLIENT, ...was }, undefined, POLL.nowMs, config), ...before };
	return buildEvents(client, tracked, trackClient(client, tracked, POLL.nowMs, config), POLL, config);
}

describe('A listed client', () => {
	const declined = { request_status: 'Declined' };
	const reaches = { statusBecomes: ['declined'] };

	it.each<[string, Client, Client | undefined, Partial<TriggerConfig>, string[]]>([
		['is new', {}, undefined, {}, ['clientCreated']],
		['is new in a chosen status', declined, undefined, reaches, ['clientCreated', 'statusReached']],
		['is new in another status', {}, undefined, reaches, ['clientCreated']],
		['does not match the filters', {}, undefined, { matches: () => false }, []],
		['is as it was', {}, {}, { ...reaches, ...WATCHING }, []],
		['changes its status', declined, {}, {}, ['requestStatusChanged']],
		['changes to a chosen status', declined, {}, reaches, ['requestStatusChanged', 'statusReached']],
		['changes to another status', { request_status: 'Accepted' }, {}, reaches, []],
		['stays in a chosen status', declined, declined, reaches, []],
		['has its status in another case', { request_status: 'PENDING' }, {}, { statusBecomes: ['pending'] }, []],
		['changes a watched field', { email: 'new' }, {}, WATCHING, ['clientUpdated']],
		['changes another field', { group_name: 'new' }, {}, WATCHING, []],
		['is new with watched fields', {}, undefined, WATCHING, ['clientCreated']],
		['is in a status for the chosen days', { created_at: '2026-06-13' }, {}, {}, ['clientStalled']],
	])('that %s has the right events', (_, fields, was, chosen, expected) => {
		expect(build(fields, was, chosen).map(({ event }) => event)).toEqual(expected);
	});
});

describe('An event', () => {
	it('begins with what happened to whom, has all fields of the client, and ends with its ID', () => {
		const [event] = build({ request_status: 'Declined' }, {});
		expect(Object.entries(event)).toEqual([
			['event', 'requestStatusChanged'],
			['reference_id', 'A'],
			['client_name', 'Ada'],
			['request_status', 'Declined'],
			['previous_request_status', 'Pending'],
			['created_at', '2026-06-15'],
			['email', 'ada@example.com'],
			['detected_at', '2026-06-20T12:00:00.000Z'],
			['event_id', expect.stringMatching(/^[0-9a-f]{32}$/)],
		]);
	});

	it.each([
		[['email'], ['event', 'reference_id', 'previous_request_status', 'email', 'detected_at', 'event_id']],
		[['nothing'], ['event', 'reference_id', 'previous_request_status', 'detected_at', 'event_id']],
	])('has of the client only the chosen fields %j and the ID', (fields, expected) => {
		expect(Object.keys(build({ request_status: 'Declined' }, {}, { fields })[0])).toEqual(expected);
	});

	it('has its own name, time and ID even if the client has fields called so', () => {
		const [event] = build({ event: 'x', detected_at: 'x', event_id: 'x', note: '' });
		expect(Object.keys(event).slice(-2)).toEqual(['detected_at', 'event_id']);
		expect(Object.values(event)).not.toContain('x');
	});

	it('has no previous status if the client is new', () => {
		const events = build({}, undefined, { statusBecomes: ['pending'] });
		for (const event of events) expect(event).not.toHaveProperty('previous_request_status');
	});

	it('has the previous status if a status is reached', () => {
		const [, event] = build({ request_status: 'Declined' }, {}, { statusBecomes: ['declined'] });
		expect(event).toMatchObject({ event: 'statusReached', previous_request_status: 'Pending' });
	});

	it('has the changed fields, and their previous values only if that is chosen', () => {
		const was = { client_name: 'Eva', email: 'eva@example.com' };
		const update = (chosen: Partial<TriggerConfig>) => build({}, was, { ...WATCHING, ...chosen })[0];
		expect(update({})).toMatchObject({ changed_fields: ['client_name', 'email'] });
		expect(update({})).not.toHaveProperty('previous');
		expect(update({ includePrevious: true })).toMatchObject({ previous: was });
		expect(update({ includePrevious: true, savedFields: ['email'] })).toMatchObject({
			previous: { client_name: null, email: was.email },
		});
		expect(update({ includePrevious: true, savedFields: [] })).toMatchObject({
			previous: { client_name: null, email: null },
		});
	});

	it('has its previous status as an object, too, if that is chosen and the status changed', () => {
		const [event] = build({ request_status: 'Declined' }, {}, { includePrevious: true });
		expect(event).toMatchObject({ event: 'requestStatusChanged', previous: { request_status: 'Pending' } });
		expect(build({ request_status: 'Declined' }, {})[0]).not.toHaveProperty('previous');
	});

	it('has the whole days in the status', () => {
		const chosen = { stalledAfterMs: 0 };
		expect(build({ created_at: '2026-06-17T12:00:01Z' }, {}, chosen)).toMatchObject([{ days_in_status: 2 }]);
		expect(build({ created_at: '2026-06-17T12:00:00Z' }, {}, chosen)).toMatchObject([{ days_in_status: 3 }]);
	});

	it('of a removed client has the saved values of its identity, and its last status', () => {
		const values = { reference_id: 'A', client_name: 'Ada', email: 'x' };
		const config = { ...CONFIG, identityFields: ['reference_id', 'client_name'] };
		expect(buildRemovedEvent('hash', { ...TRACKED, values }, POLL, config)).toEqual({
			event: 'clientRemoved',
			reference_id: 'A',
			client_name: 'Ada',
			previous_request_status: 'Pending',
			detected_at: '2026-06-20T12:00:00.000Z',
			event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
		});
		expect(buildRemovedEvent('hash', TRACKED, POLL, config)).not.toHaveProperty('reference_id');
	});
});

describe('The event ID', () => {
	const config = {
		...CONFIG,
		...WATCHING,
		statusBecomes: ['declined', 'accepted'],
		stalledStatuses: ['declined', 'accepted'],
		stalledAfterMs: 0,
	};
	const idsOf = (fields: Client = {}, was: Client = {}, emitted = 0, poll = POLL) => {
		const client = { ...CLIENT, request_status: 'Declined', email: 'new', ...fields };
		const before = { ...trackClient({ ...CLIENT, ...was }, undefined, POLL.nowMs, config), emitted };
		const events = buildEvents(client, before, trackClient(client, before, poll.nowMs, config), poll, config);
		return Object.fromEntries(events.map(({ event, event_id }) => [event, event_id]));
	};
	const ids = idsOf();
	const changedIds = (others: Record<string, string>) => Object.keys(ids).filter((name) => ids[name] !== others[name]);
	const ALL = ['requestStatusChanged', 'statusReached', 'clientUpdated', 'clientStalled'];

	it('differs between the events of a client', () => {
		expect(Object.keys(ids)).toEqual(ALL);
		expect(new Set(Object.values(ids)).size).toBe(ALL.length);
	});

	it.each<[string, Record<string, string>, string[]]>([
		['a later poll', idsOf({}, {}, 0, { ...POLL, nowMs: POLL.nowMs + 60_000 }), []],
		['a status in another case', idsOf({ request_status: 'DECLINED' }), []],
		['another previous status', idsOf({}, { request_status: 'Accepted' }), ['requestStatusChanged']],
		[
			'another new status',
			idsOf({ request_status: 'Accepted' }),
			['requestStatusChanged', 'statusReached', 'clientStalled'],
		],
		['another new value', idsOf({ email: 'newer' }), ['clientUpdated']],
		['another changed field', idsOf({ client_name: 'Eva' }), ['clientUpdated']],
		['another client', idsOf({ reference_id: 'B' }), ALL],
		['an event in between', idsOf({}, {}, 1), ALL],
		['another node', idsOf({}, {}, 0, { ...POLL, nodeId: 'node-2' }), ALL],
		['another baseline', idsOf({}, {}, 0, { ...POLL, baselineMs: 6 }), ALL],
	])('with %s is the same, except for the events that it is about', (_, others, expected) => {
		expect(changedIds(others)).toEqual(expected);
	});

	it('of a removed client depends on the client, its events, the node and the baseline, not on its status', () => {
		const removed = (id: string, was: Partial<TrackedClient> = {}, poll = POLL) =>
			buildRemovedEvent(id, { ...TRACKED, ...was }, poll, CONFIG).event_id;
		const others = [removed('B'), removed('A', { emitted: 1 }), removed('A', {}, { ...POLL, baselineMs: 6 })];
		expect(removed('A', { status: 'Declined' })).toBe(removed('A'));
		expect(new Set([removed('A'), ...others]).size).toBe(4);
	});
});
