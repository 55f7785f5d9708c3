import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeError, NodeOperationError } from 'n8n-workflow';
import type { ResetReason, SavedState } from './baseline';
import { continueAfterKeyChange, describeReset, readSavedState } from './baseline';
import type { ClientEvent } from './buildEvents';
import type { TriggerConfig, TriggerParameters } from './config';
import { readParameters } from './config';
import { diffClients, takeBatch } from './diff';
import type { EventName } from './events';
import { explainDeadline, openService } from './openService';
import { endOutage, reportOutage } from './outages';
import { readForPoll } from './readForPoll';
import { confirmRemovals } from './removals';
import { encodeState } from './state/codec';
import { isNeededLater, shouldSaveNow } from './state/persistPolicy';
import type { State } from './state/state';
import { watchFields } from './state/state';

/** What a poll has found, and the state to save with it. */
interface Found {
	events: ClientEvent[];
	state: State;
	reset?: ResetReason;
	/** There was no state, or one without some of the chosen events: what is listed now is what later polls compare with. */
	isBaseline: boolean;
	/** A change without an event that is needed after a restart. */
	hasChangeToSave: boolean;
}

/** The triggers that are polling now, in this process. */
const polling = new Set<string>();

/**
 * The events since the last poll. Undefined if there are none and nothing must be saved; an empty list makes n8n save the state.
 * n8n may start a poll while the last one is still reading. The events of the skipped poll are emitted by the next one.
 */
export async function pollForEvents(context: IPollFunctions): Promise<IDataObject[] | undefined> {
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	if (polling.has(trigger)) return undefined;
	polling.add(trigger);
	try {
		return await pollOnce(context, trigger);
	} finally {
		polling.delete(trigger);
	}
}

async function pollOnce(context: IPollFunctions, trigger: string): Promise<IDataObject[] | undefined> {
	const saved = readSavedState(context);
	const parameters = readParameters(context, saved.state !== undefined);
	try {
		const found = await findEvents(context, trigger, saved, parameters);
		endOutage(trigger);
		return found && saveAndEmit(context, found, parameters);
	} catch (error) {
		if (!saved.state) throw asNodeError(context, error as Error);
		reportOutage(context, trigger, error as Error);
		return undefined;
	}
}

/** Undefined if the list cannot be compared with the state: nothing is emitted or saved. */
async function findEvents(
	context: IPollFunctions,
	trigger: string,
	saved: SavedState,
	{ config, settings }: TriggerParameters,
): Promise<Found | undefined> {
	const nowMs = Date.now();
	const { source, service, deadline } = await openService(context, settings, saved.state);
	const hasSameKey = saved.state?.account === service.account;
	const known = hasSameKey ? saved.state : undefined;
	const read = await readForPoll(source, known, settings.paging, config, nowMs).catch((error: Error) => {
		throw deadline.aborted ? explainDeadline(context, error) : error;
	});
	// An empty list does not show whether a changed key belongs to the same account.
	if (saved.state && !hasSameKey && read.clients.length === 0) return undefined;

	const { state: before, reset } = hasSameKey ? saved : continueAfterKeyChange(saved, service.place, read.clients);
	const state = before && watchFields(before, config.watchedFields);
	const poll = { nowMs, nodeId: context.getNode().id, baselineMs: state?.baselineMs ?? nowMs };
	const removed = state ? confirmRemovals(trigger, state, read.absent) : [];
	const emittedEvents = eventsToEmit(state, reset, config);
	const allChanges = diffClients(state, read.clients, removed, emittedEvents, poll, config);
	const changes = takeBatch(allChanges, config.maxEvents);
	// A client that waits is not saved yet, so an event that was chosen only now would take it for new.
	const isBaselineDone = !state || changes.length === allChanges.length;
	const clients = new Map(state?.clients);
	for (const { id, now } of changes) clients.set(id, now);
	return {
		events: changes.flatMap(({ events }) => events),
		state: {
			...state,
			...service,
			nodeId: poll.nodeId,
			baselineMs: poll.baselineMs,
			events: isBaselineDone ? config.events : emittedEvents,
			watchedFields: config.watchedFields,
			clients,
			newest: read.newest,
		},
		reset,
		isBaseline: state?.events.join() !== config.events.join(),
		hasChangeToSave: changes.some((change) => isNeededLater(change, config)),
	};
}

/** An event that was not chosen before has nothing to compare with; from the next poll on, it has. */
function eventsToEmit(state: State | undefined, reset: ResetReason | undefined, config: TriggerConfig): EventName[] {
	if (state) return config.events.filter((event) => state.events.includes(event));
	return !reset && config.firstActivation === 'allExisting' ? config.events : [];
}

function saveAndEmit(
	context: IPollFunctions,
	{ events, state, reset, isBaseline, hasChangeToSave }: Found,
	{ quietChanges }: TriggerParameters,
): ClientEvent[] | undefined {
	// With this setting, n8n would start the workflow with an empty item.
	const isQuietSaveAllowed = context.getNode().alwaysOutputData !== true;
	const hasUnsavedChange = hasChangeToSave || state.hasUnsavedChange === true;
	const isQuietSave =
		events.length === 0 &&
		!isBaseline &&
		hasUnsavedChange &&
		isQuietSaveAllowed &&
		shouldSaveNow(state, quietChanges, Date.now());
	const isSaved = events.length > 0 || isBaseline || isQuietSave;
	context.getWorkflowStaticData('node').state = encodeState({
		...state,
		hasUnsavedChange: !isSaved && hasUnsavedChange ? true : undefined,
		quietSaveMs: isQuietSave ? Date.now() : state.quietSaveMs,
	});
	if (reset) context.__emitError(describeReset(context, reset, state));
	return isSaved && (events.length > 0 || isQuietSaveAllowed) ? events : undefined;
}

function asNodeError(context: IPollFunctions, error: Error): NodeError {
	if (error instanceof NodeError) return error;
	return new NodeOperationError(context.getNode(), error, { failure: { cause: 'temporarily-unavailable' } });
}
