import type { TriggerConfig } from '../../nodes/ClientOnboarding/trigger/config';

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
