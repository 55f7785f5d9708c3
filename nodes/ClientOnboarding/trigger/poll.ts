import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { listClients } from '../query/listClients';
import { RETRY_ADVICE } from '../api/errors';
import { identifyService } from '../api/apiClient';
import { openSource } from '../pagination/source';
import { decodeState, encodeState, nameOf } from './state/encoding';
import { DoubtfulListError, lookForChanges } from './look';
import { remember } from './remembering';
import { anotherAccount, forgotten, hasForgotten } from './startingAnew';
import type { State } from './state/state';
import { imagineEvents } from './imagining';
import type { Parameters } from './watch';
import { parseParameters } from './watch';

/** What n8n says when nothing else is set; before 2.38 it says nothing. */
const USUAL_BUDGET_MS = 5 * 60 * 1000;

const ADVICE_TO_START_ANEW =
	'To start anew, duplicate the node, delete the old one and activate or publish the workflow again.';

/** A poll that is under way. */
interface Run {
	context: IPollFunctions;
	/** Another one that began with the same state has told what happened. */
	isForestalled: boolean;
}

/** The polls that are under way, by their trigger and the state they began with. */
const underWay = new Map<string, Set<Run>>();

/**
 * What happened since the last poll; undefined where there is nothing to tell and nothing to store. Where the list cannot be
 * read as a whole, this throws and nothing is remembered.
 */
export async function pollForEvents(context: IPollFunctions): Promise<IDataObject[] | undefined> {
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	const beginning = `${trigger} ${nameOf(context.getWorkflowStaticData('node').state)}`;
	const runs = underWay.get(beginning) ?? new Set();
	// n8n starts a poll even while the last one is still reading. That one tells what there is to tell.
	if ([...runs].some((run) => run.context === context)) return undefined;
	const run: Run = { context, isForestalled: false };
	underWay.set(beginning, runs.add(run));
	try {
		return await findEvents(context, trigger, () => takeTheWord(run, runs));
	} catch (error) {
		throw reassure(error as Error);
	} finally {
		runs.delete(run);
		if (runs.size === 0) underWay.delete(beginning);
	}
}

/**
 * Whether this poll may tell what it has found. With durable cursors, and when a workflow is saved, polls of one trigger have
 * contexts of their own; of those that began with the same state, only the first one tells. Where n8n throws away what that one
 * told, the next poll tells it.
 */
function takeTheWord(run: Run, runs: Set<Run>): boolean {
	if (run.isForestalled) return false;
	for (const other of runs) other.isForestalled = other !== run;
	return true;
}

async function findEvents(
	context: IPollFunctions,
	trigger: string,
	mayTell: () => boolean,
): Promise<IDataObject[] | undefined> {
	const stored = context.getWorkflowStaticData('node');
	const text = stored.state;
	const before = readState(context, text);
	const { source, watch, settings, quietChanges, deadline, budgetMs } = await open(context, before);
	const how = { paging: settings.paging, trigger };
	const changes = await lookForChanges(source, before, watch, how).catch((error: Error) => {
		const isRateLimited = error instanceof NodeApiError && error.failure?.cause === 'rate-limited';
		if (deadline.aborted && !isRateLimited) {
			const message = `The list could not be read within the ${budgetMs / 1000} seconds a poll may take`;
			throw passing(context, message, 'Raise the option "Parallel Requests", or poll when the service is less busy.');
		}
		throw error instanceof DoubtfulListError ? passing(context, error) : error;
	});
	// From here on nothing is waited for, so that what is stored and what is told belong together.
	if ((changes.events.length > 0 || changes.isAnotherAccount) && !mayTell()) {
		// What this one has begun to look for, the next one has looked for already.
		if (before && before.events.join() !== watch.events.join())
			stored.state = encodeState({ ...before, events: watch.events });
		return undefined;
	}
	// With that setting, n8n would start the workflow with an empty item.
	const isMute = context.getNode().alwaysOutputData === true;
	const { next, isForN8n } = remember(text, before, changes, isMute ? 'never' : quietChanges);
	if (next !== text) stored.state = next;
	if (changes.isAnotherAccount) context.__emitError(anotherAccount(context, changes.state));
	if (hasForgotten(context, before)) context.__emitError(forgotten(context, changes.state));
	return isForN8n && !(isMute && changes.events.length === 0) ? changes.events : undefined;
}

/** For building a workflow: what events look like, from clients that are there now. */
export async function imagineFromClients(context: IPollFunctions): Promise<IDataObject[] | undefined> {
	const { source, watch, filters, settings } = await open(context);
	const { clients } = await listClients(source, filters, { ...settings.paging, limit: Infinity });
	const events = imagineEvents(clients, Date.now(), watch);
	return events.length > 0 ? events : undefined;
}

async function open(context: IPollFunctions, before?: State) {
	const { watch, ...parameters } = readParameters(context);
	const budgetMs = Math.floor(context.getPollBudgetMs?.() ?? USUAL_BUDGET_MS);
	const deadline = AbortSignal.timeout(budgetMs);
	const service = await identifyService(context);
	// An address that has listed clients is right, whatever it returns now.
	const address = before?.place === service.place ? 'hasGivenClients' : 'unknown';
	const { parallelRequests, timeoutMs } = parameters.settings;
	const source = await openSource(context, { itemIndex: 0, parallelRequests, timeoutMs, deadline, address });
	return { source, watch: { ...watch, ...service }, ...parameters, deadline, budgetMs };
}

function readParameters(context: IPollFunctions): Parameters {
	try {
		return parseParameters(context);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error, { failure: { cause: 'configuration-invalid' } });
	}
}

function readState(context: IPollFunctions, text: unknown): State | undefined {
	if (text === undefined) return undefined;
	try {
		return decodeState(text);
	} catch (error) {
		throw new NodeOperationError(
			context.getNode(),
			`What this trigger remembers cannot be read: ${(error as Error).message}`,
			{
				description: ADVICE_TO_START_ANEW,
				failure: { cause: 'configuration-invalid' },
			},
		);
	}
}

function passing(context: IPollFunctions, error: Error | string, description?: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), error, {
		description,
		failure: { cause: 'temporarily-unavailable' },
	});
}

/** Whoever reads of a failed poll wants to know first whether anything is lost. */
function reassure(error: Error & { description?: string | null }): Error {
	// What happened in the meantime, nobody will tell.
	if (error.description === ADVICE_TO_START_ANEW) return error;
	const advice = (error.description ?? '').replace(RETRY_ADVICE, '');
	const description = `${advice} Nothing was told and nothing is lost: the next poll that succeeds tells what has happened.`;
	return Object.assign(error, { description: description.trim() });
}
