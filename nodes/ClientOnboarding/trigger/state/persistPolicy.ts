import { folded } from '../../api/record';
import type { QuietChanges, TriggerConfig } from '../config';
import type { Change } from '../diff';
import type { EventName } from '../events';
import type { TrackedClient } from '../trackedClient';
import type { State } from './state';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Whether an execution without items should save a change now. n8n saves state only together with an execution, and every execution
 * counts against the limit of paid plans.
 */
export function shouldSaveNow({ quietSaveMs }: State, quietChanges: QuietChanges, nowMs: number): boolean {
	if (quietChanges !== 'automatic') return quietChanges === 'always';
	const sinceSaveMs = nowMs - (quietSaveMs ?? -Infinity);
	// Negative if the clock was set back.
	return sinceSaveMs >= HOUR_MS || sinceSaveMs < 0;
}

/** Whether a later event would be missing or wrong if a restart of n8n lost this change, which has no event itself. */
export function isNeededLater({ was, now, events }: Change, config: TriggerConfig): boolean {
	if (events.length > 0) return false;
	const concernsFilters = now.matches || was?.matches === true || config.mayMatchLater;
	return concernsFilters && config.events.some((event) => isNeededFor(event, was, now, config));
}

function isNeededFor(
	event: EventName,
	was: TrackedClient | undefined,
	now: TrackedClient,
	{ statusBecomes, stalledStatuses }: TriggerConfig,
): boolean {
	const chosen = (statuses: string[], tracked?: TrackedClient) =>
		tracked && statuses.includes(folded(tracked.status)) ? folded(tracked.status) : undefined;
	switch (event) {
		case 'clientCreated':
			return !was;
		case 'statusReached':
			return chosen(statusBecomes, was) !== chosen(statusBecomes, now);
		case 'clientStalled':
			// The time of a new client counts from its creation date, if it has one.
			return was ? chosen(stalledStatuses, was) !== chosen(stalledStatuses, now) : now.sinceMinutes > 0;
		case 'requestStatusChanged':
			return !was || folded(was.status) !== folded(now.status);
		case 'clientUpdated':
			return was?.fieldHashes !== now.fieldHashes;
		case 'clientRemoved':
			return !was || was.isListed !== now.isListed || was.matches !== now.matches || was.values !== now.values;
	}
}
