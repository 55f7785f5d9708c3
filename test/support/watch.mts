import type { Watch } from '../../nodes/ClientOnboarding/trigger/watch';

/** What a trigger looks for where a test is about something else. */
export const WATCH: Watch = {
	place: 'a place',
	account: '0123456789abcdef',
	events: ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged'],
	matches: () => true,
	mayMatchLater: false,
	statusBecomes: [],
	stalledStatuses: ['pending'],
	stalledAfterMs: 7 * 24 * 60 * 60 * 1000,
	repeatAfterMs: 0,
	watchedFields: [],
	remembersNames: false,
	maxEvents: 1_000,
	fields: [],
	includesExisting: false,
};
