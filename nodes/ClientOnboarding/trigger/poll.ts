import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { readClients } from '../list/clients';
import { nameService, openService } from '../service/connection';
import { decodeState, nameOf } from './state/encoding';
import { DoubtfulListError, lookForChanges } from './look';
import type { State } from './state/state';
import { remember } from './state/storing';
import { imagineEvents } from './telling';
import type { Parameters } from './watch';
import { parseParameters } from './watch';

/** What n8n says when nothing else is set; before 2.38 it says nothing. */
const USUAL_BUDGET_MS = 5 * 60 * 1000;

/** The triggers that are polling just now, with the state they began with. */
const underWay = new Set<string>();

/**
 * What happened since the last poll; undefined where there is nothing to tell and nothing to store. Where the list cannot be
 * read as a whole, this throws and nothing is remembered.
 */
export async function pollForEvents(context: IPollFunctions): Promise<IDataObject[] | undefined> {
	const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
	const beginning = `${trigger} ${nameOf(context.getWorkflowStaticData('node').state)}`;
	// n8n starts a poll even while the last one is still reading. That one tells what there is to tell.
	if (underWay.has(beginning)) return undefined;
	underWay.add(beginning);
	return await findEvents(context, trigger).finally(() => underWay.delete(beginning));
}

async function findEvents(context: IPollFunctions, trigger: string): Promise<IDataObject[] | undefined> {
	const stored = context.getWorkflowStaticData('node');
	const text = stored.state;
	const before = readState(context, text);
	const { ask, watch, input, quietChanges, deadline, budgetMs } = await open(context);
	const how = { paging: input.paging, trigger };
	const changes = await lookForChanges(ask, before, watch, how).catch((error: Error) => {
		if (deadline.aborted) {
			const message = `The list could not be read within the ${budgetMs / 1000} seconds a poll may take`;
			throw passing(context, message, 'Raise the option "Parallel Requests", or poll when the service is less busy.');
		}
		throw error instanceof DoubtfulListError ? passing(context, error, 'The next poll looks again.') : error;
	});
	// From here on nothing is waited for, so that what is stored and what is told belong together.
	const { next, isForN8n } = remember(text, before, changes, quietChanges);
	if (next !== text) stored.state = next;
	if (changes.isAnotherAccount) context.__emitError(anotherAccount(context, changes.state));
	return isForN8n ? changes.events : undefined;
}

/** For building a workflow: what events look like, from clients that are there now. */
export async function imagineFromClients(context: IPollFunctions): Promise<IDataObject[] | undefined> {
	const { ask, watch, input } = await open(context);
	const { clients } = await readClients(ask, input.filters, { ...input.paging, limit: Infinity });
	const events = imagineEvents(clients, Date.now(), watch);
	return events.length > 0 ? events : undefined;
}

async function open(context: IPollFunctions) {
	const { watch, ...parameters } = readParameters(context);
	const budgetMs = Math.floor(context.getPollBudgetMs?.() ?? USUAL_BUDGET_MS);
	const deadline = AbortSignal.timeout(budgetMs);
	const service = await nameService(context);
	const ask = await openService(context, { itemIndex: 0, timeoutMs: parameters.input.timeoutMs, deadline });
	return { ask, watch: { ...watch, ...service }, ...parameters, deadline, budgetMs };
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
				description:
					'Nothing was told and nothing is lost. To start anew, duplicate the node, delete the old one and activate the workflow again.',
				failure: { cause: 'configuration-invalid' },
			},
		);
	}
}

function anotherAccount(context: IPollFunctions, { conditions }: State): NodeOperationError {
	return new NodeOperationError(context.getNode(), 'The credential belongs to another account or address than before', {
		description: `The trigger starts anew: it knows the ${conditions.size} clients that are listed there, and tells what happens to them from now on. If that is not what you want, choose the credential of before.`,
	});
}

function passing(context: IPollFunctions, error: Error | string, advice: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), error, {
		description: `Nothing was told and nothing is lost. ${advice}`,
		failure: { cause: 'temporarily-unavailable' },
	});
}
