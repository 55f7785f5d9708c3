import { describe, expect, it } from '@jest/globals';
import type { Client } from '../../../../../nodes/ClientOnboarding/api/record';
import type { TriggerConfig } from '../../../../../nodes/ClientOnboarding/trigger/config';
import { diffClients } from '../../../../../nodes/ClientOnboarding/trigger/diff';
import { decodeState, encodeState } from '../../../../../nodes/ClientOnboarding/trigger/state/codec';
import type { State } from '../../../../../nodes/ClientOnboarding/trigger/state/state';
import { cpuMsOf } from '../../../../support/cpu.mts';
import { byDepth } from '../../../../support/depth.mts';
import { CONFIG, stateOf, TRACKED } from '../../../../support/triggerConfig.mts';

const NOW_MS = Date.parse('2026-06-20');
const MANY = byDepth({ quick: 5_000, deep: 50_000, long: 50_000 });
const FIELDS = ['client_name', 'client_status', 'client_type', 'email', 'group_name'];

function makeClients(count: number, { statuses = 5, version = 0 } = {}): Client[] {
	return Array.from({ length: count }, (_, index) => ({
		reference_id: `client-${index}`,
		client_name: `Client ${index}`,
		email: `client-${index}@example.com`,
		request_status: `Status ${(index + (index % 3 === 0 ? version : 0)) % statuses}`,
		created_at: new Date(1_700_000_000_000 + index).toISOString(),
	}));
}

function nextState(state: State | undefined, clients: Client[], config: TriggerConfig): State {
	const poll = { nowMs: NOW_MS, nodeId: 'node-1', baselineMs: NOW_MS };
	const tracked = new Map(state?.clients);
	for (const { id, now } of diffClients(state, clients, [], config.events, poll, config)) tracked.set(id, now);
	return {
		nodeId: 'node-1',
		place: 'fedcba9876543210',
		account: '0123456789abcdef',
		baselineMs: NOW_MS,
		events: config.events,
		watchedFields: config.watchedFields,
		clients: tracked,
	};
}

const bytesPerClient = (state: State) => JSON.stringify(encodeState(state)).length / state.clients.size;

describe('A saved state', () => {
	it.each([0, 1, 300])('of %i clients is decoded as it was encoded', (count) => {
		const config = {
			...CONFIG,
			events: [...CONFIG.events, 'clientUpdated' as const, 'clientRemoved' as const],
			watchedFields: FIELDS,
			savedFields: ['reference_id', 'client_name', 'email'],
			stalledStatuses: ['status 1'],
			stalledAfterMs: 0,
		};
		const clients = makeClients(count);
		clients.slice(0, 1).forEach((client) => delete client.created_at);
		const first = nextState(undefined, clients, config);
		const later = nextState(first, makeClients(count, { version: 1 }), config);
		const whole = { ...later, newest: { order: 'newestFirst' as const, count, wholeReadMs: 1 }, quietSaveMs: 2 };
		for (const state of [first, later, whole]) expect(decodeState(encodeState(state))).toEqual(state);
		expect([...later.clients.values()].some(({ emitted }) => emitted > 0)).toBe(count > 0);
	});

	it('keeps which clients are listed, match the filters and have saved values', () => {
		const state = stateOf([
			['client-1', { ...TRACKED, isListed: false, values: { email: 'a', size: 1 } }],
			['client-2', { ...TRACKED, matches: false, values: { email: 'b' } }],
			['client-3', { ...TRACKED, isListed: false, matches: false }],
		]);
		expect(decodeState(encodeState(state))).toEqual(state);
	});

	it.each<[string, (text: string) => string]>([
		['it is of another version', (text) => text.replace('1.', '2.')],
		['it is of a version that begins like this one', (text) => text.replace('1.', '10.')],
		['it is cut off', (text) => text.slice(0, -1)],
		['a column is too long', (text) => text.replace(/"flags":"[^"]*"/, '"flags":"AwMD"')],
	])('is refused if %s', (_, change) => {
		expect(() => decodeState(change(encodeState(stateOf([['client-1', TRACKED]]))))).toThrow();
	});

	it('keeps more than 256 different statuses', () => {
		const state = nextState(undefined, makeClients(1_000, { statuses: 1_000 }), CONFIG);
		expect(decodeState(encodeState(state))).toEqual(state);
	});

	it.each<[string, Partial<TriggerConfig>, number]>([
		['New Client', { events: ['clientCreated'] }, 16],
		['Request Status Changed', { events: ['requestStatusChanged'] }, 16],
		['Client Updated, five fields', { events: ['clientUpdated'], watchedFields: FIELDS }, 44],
	])('takes at most a fixed number of bytes per client for %s', (_, chosen, expected) => {
		const config = { ...CONFIG, stalledStatuses: [], ...chosen };
		expect(bytesPerClient(nextState(undefined, makeClients(MANY), config))).toBeLessThanOrEqual(expected);
	});

	it('takes less than 20 times the CPU time for ten times as many clients', () => {
		const [few, many] = [MANY / 10, MANY].map((count) => {
			const text = encodeState(nextState(undefined, makeClients(count), CONFIG));
			const later = makeClients(count, { version: 1 });
			return cpuMsOf(() => encodeState(nextState(decodeState(text), later, CONFIG)), 5);
		});
		// Quadratic work would take a hundred times as long.
		expect(many / few).toBeLessThan(20);
	});
});
