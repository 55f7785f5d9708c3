import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeError, NodeOperationError } from 'n8n-workflow';
import { identifyService } from '../api/apiClient';
import type { Client } from '../api/record';
import { openSource } from '../pagination/source';
import type { Source } from '../pagination/source';
import type { ReadSettings } from '../parameters/filtersAndOptions';
import { listClients } from '../query/listClients';
import { explainNoMatch } from '../query/noMatchHint';
import type { ResetReason, SavedState } from './baseline';
import { describeReset, readSavedState } from './baseline';
import type { ClientEvent } from './buildEvents';
import type { TriggerConfig, TriggerParameters } from './config';
import { parseParameters } from './config';
import { diffClients, takeBatch } from './diff';
import type { EventName } from './events';
import { endOutage, reportOutage } from './outages';
import { readForPoll } from './readForPoll';
import { confirmRemovals } from './removals';
import { buildSampleEvents } from './sampleEvents';
import { encodeState } from './state/codec';
import { isNeededLater, shouldSaveNow } from './state/persistPolicy';
import type { State } from './state/state';
import { watchFields } from './state/state';
import { idHash } from './trackedClient';

/** n8n's own limit if nothing else is set. Versions before 2.38 do not give it. */
const DEFAULT_BUDGET_MS = 5 * 60 * 1000;

type Service = Awaited<ReturnType<typeof identifyService>>;

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

/** For building a workflow: events as they would be if they happened to clients that are listed now. */
export async function sampleFromClients(context: IPollFunctions): Promise<IDataObject[]> {
	const parameters = readParameters(context);
	const { source } = await openService(context, parameters.settings);
	const { filters, settings, config } = parameters;
	const { clients, returned } = await listClients(source, filters, { ...settings.paging, limit: Infinity });
	if (clients.length === 0) {
		throw new NodeOperationError(context.getNode(), explainNoMatch(filters, returned), {
			description:
				'Test events are made from clients that are listed now. Change the filters if there are any, or try again when a client matches.',
		});
	}
	return buildSampleEvents(clients, Date.now(), config);
}

async function pollOnce(context: IPollFunctions, trigger: string): Promise<IDataObject[] | undefined> {
	const saved = readSavedState(context);
	const parameters = readParameters(context, saved.state);
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

/** One client that is known shows that a changed key belongs to the same account. */
function continueAfterKeyChange({ state, reset }: SavedState, place: string, clients: Client[]): SavedState {
	if (!state) return { reset };
	const isSameAccount = state.place === place && clients.some((client) => state.clients.has(idHash(client)));
	return isSameAccount ? { state } : { reset: 'otherAccount' };
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

async function openService(
	context: IPollFunctions,
	{ parallelRequests, timeoutMs }: ReadSettings,
	state?: State,
): Promise<{ source: Source; service: Service; deadline: AbortSignal }> {
	const service = await identifyService(context);
	// An address that has listed clients is right, whatever it returns now.
	const address = state?.place === service.place ? 'hasGivenClients' : 'unknown';
	const deadline = AbortSignal.timeout(pollBudgetMs(context));
	const source = await openSource(context, { itemIndex: 0, parallelRequests, timeoutMs, deadline, address });
	return { source, service, deadline };
}

function pollBudgetMs(context: IPollFunctions): number {
	return Math.floor(context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
}

/** A rate limit explains itself; anything else that ends with the poll's time does not. */
function explainDeadline(context: IPollFunctions, error: Error): Error {
	if (error instanceof NodeApiError && error.failure?.cause === 'rate-limited') return error;
	const message = `The poll took longer than its limit of ${pollBudgetMs(context) / 1000} seconds (timeout)`;
	return new NodeOperationError(context.getNode(), message, {
		description: 'Raise the option "Parallel Requests", or choose poll times when the service is less busy.',
		failure: { cause: 'temporarily-unavailable' },
	});
}

/** Only the user can change parameters, so n8n shows at activation what is wrong with them. */
function readParameters(context: IPollFunctions, state?: State): TriggerParameters {
	try {
		return parseParameters(context);
	} catch (error) {
		// n8n pauses a trigger for half an hour if its configuration counts as invalid.
		const failure = state ? undefined : { cause: 'configuration-invalid' as const };
		throw new NodeOperationError(context.getNode(), error as Error, { failure });
	}
}

function asNodeError(context: IPollFunctions, error: Error): NodeError {
	if (error instanceof NodeError) return error;
	return new NodeOperationError(context.getNode(), error, { failure: { cause: 'temporarily-unavailable' } });
}
