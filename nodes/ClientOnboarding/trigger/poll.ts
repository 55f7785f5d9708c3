import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readClients } from '../list/clients';
import { nameService, openService } from '../service/connection';
import { imagineEvents } from './changes';
import { lookForChanges, MovingListError } from './look';
import { nameTrigger, recall } from './memory';
import type { State } from './state';
import { decodeState, encodeState } from './state';
import type { Parameters } from './watch';
import { parseParameters } from './watch';

/** What n8n says when nothing else is set; before 2.38 it says nothing. */
const USUAL_BUDGET_MS = 5 * 60 * 1000;

/** The triggers that are polling just now. */
const underWay = new Set<string>();

/** What happened since the last poll. Where the list cannot be read as a whole, this throws and nothing is remembered. */
export async function pollForEvents(context: IPollFunctions): Promise<IDataObject[]> {
	const trigger = nameTrigger(context);
	// n8n starts a poll even while the last one is still reading. That one tells what there is to tell.
	if (underWay.has(trigger)) return [];
	underWay.add(trigger);
	return await findEvents(context).finally(() => underWay.delete(trigger));
}

async function findEvents(context: IPollFunctions): Promise<IDataObject[]> {
	const memory = recall(context);
	const before = readState(context, memory.state);
	const { ask, watch, input, deadline, budgetMs } = await open(context);
	const { events, state } = await lookForChanges(ask, before, watch, input.paging).catch((error: Error) => {
		if (deadline.aborted) {
			const message = `The list could not be read within the ${budgetMs / 1000} seconds a poll may take`;
			throw passing(context, message, 'Raise the option "Parallel Requests", or poll when the service is less busy.');
		}
		throw error instanceof MovingListError ? passing(context, error, 'The next poll looks again.') : error;
	});
	memory.keep(state === before ? String(memory.state) : encodeState(state), events.length > 0);
	return events;
}

/** For building a workflow: what events look like, from clients that are there now. */
export async function imagineFromClients(context: IPollFunctions): Promise<IDataObject[]> {
	const { ask, watch, input } = await open(context);
	const { clients } = await readClients(ask, input.filters, { ...input.paging, limit: Infinity });
	return imagineEvents({ clients, isComplete: true, atMs: Date.now() }, watch);
}

async function open(context: IPollFunctions) {
	const { watch, input } = readParameters(context);
	const budgetMs = Math.floor(context.getPollBudgetMs?.() ?? USUAL_BUDGET_MS);
	const deadline = AbortSignal.timeout(budgetMs);
	const service = await nameService(context);
	const ask = await openService(context, { itemIndex: 0, timeoutMs: input.timeoutMs, deadline });
	return { ask, watch: { ...watch, service }, input, deadline, budgetMs };
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
				description: 'To start anew, duplicate the node, delete the old one and activate the workflow again.',
				failure: { cause: 'configuration-invalid' },
			},
		);
	}
}

function passing(context: IPollFunctions, error: Error | string, advice: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), error, {
		description: `Nothing was told and nothing is lost. ${advice}`,
		failure: { cause: 'temporarily-unavailable' },
	});
}
