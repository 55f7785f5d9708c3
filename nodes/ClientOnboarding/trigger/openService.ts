import type { IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { identifyService } from '../api/credentials';
import { openSource } from '../pagination/source';
import type { Source } from '../pagination/source';
import type { ReadSettings } from '../parameters/filtersAndOptions';
import type { State } from './state/state';

/** n8n's own limit if nothing else is set. Versions before 2.38 do not give it. */
const DEFAULT_BUDGET_MS = 5 * 60 * 1000;

type Service = Awaited<ReturnType<typeof identifyService>>;

/** The list for one poll, which ends with the poll's time. */
export async function openService(
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
export function explainDeadline(context: IPollFunctions, error: Error): Error {
	if (error instanceof NodeApiError && error.failure?.cause === 'rate-limited') return error;
	const message = `The poll took longer than its limit of ${pollBudgetMs(context) / 1000} seconds (timeout)`;
	return new NodeOperationError(context.getNode(), message, {
		description: 'Raise the option "Parallel Requests", or choose poll times when the service is less busy.',
		failure: { cause: 'temporarily-unavailable' },
	});
}
