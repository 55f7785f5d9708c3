/** The settings of n8n 2.x for durable cursors, and polls for tests of them. */
export const DURABLE_SETTINGS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

export const DURABLE = {
	// After a restart, n8n makes up for all missed polls at once and from the same cursor, so each would emit the same events.
	pollTimes: [{ mode: 'everyMinute' }],
	pollsWithinMs: 70_000,
	isKeptById: true,
};
