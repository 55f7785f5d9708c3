import type { TriggerConfig } from '../../nodes/ClientOnboarding/trigger/config';
import type { State } from '../../nodes/ClientOnboarding/trigger/state/state';
import type { TrackedClient } from '../../nodes/ClientOnboarding/trigger/trackedClient';

/** A trigger for tests that are about something else. */
export const CONFIG: TriggerConfig = {
	events: ['clientStalled', 'clientCreated', 'requestStatusChanged'],
	matches: () => true,
	mayMatchLater: false,
	statusBecomes: [],
	stalledStatuses: ['pending'],
	stalledAfterMs: 7 * 24 * 60 * 60 * 1000,
	repeatAfterMs: 0,
	watchedFields: [],
	identityFields: [],
	savedFields: [],
	includePrevious: false,
	maxEvents: 1_000,
	fields: [],
	firstActivation: 'fromNow',
};

/** A pending client that is listed, matches the filters and has had no event. */
export const TRACKED: TrackedClient = {
	status: 'Pending',
	isListed: true,
	matches: true,
	sinceMinutes: 0,
	remindedMinutes: 0,
	emitted: 0,
	fieldHashes: '',
	values: undefined,
};

/** A state with these clients, by ID hash. */
export const stateOf = (clients: Iterable<[id: string, tracked: TrackedClient]>): State => ({
	nodeId: 'node-1',
	place: 'fedcba9876543210',
	account: '0123456789abcdef',
	baselineMs: 0,
	events: [],
	watchedFields: [],
	clients: new Map(clients),
});
