import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { Reply } from './classify';
import { toNetworkError } from './networkError';
import type { HttpResponse } from './response';

export const CREDENTIAL = 'clientOnboardingApi';

export type NodeContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Request {
	method: 'GET' | 'POST';
	url: string;
	headers?: IDataObject;
	qs?: IDataObject;
}

/** Sends a request without a token. */
export async function sendPlain({ helpers }: IHttpRequestHelper, request: Request, timeoutMs: number): Promise<Reply> {
	return await send(request, timeoutMs, undefined, async (options) => await helpers.httpRequest(options));
}

/** Sends a request with the token of these credentials. n8n requests and stores one first if they hold none. */
export async function sendWithToken(
	context: NodeContext,
	credentials: ICredentialDataDecryptedObject,
	request: Request,
	{ timeoutMs, stopped }: { timeoutMs: number; stopped: AbortSignal },
): Promise<Reply> {
	// n8n replaces the abort signal by its own, which ignores the timeout, if the caller has getExecutionCancelSignal.
	const caller = { getNode: () => context.getNode(), helpers: context.helpers, logger: context.logger } as NodeContext;
	return await send(
		request,
		timeoutMs,
		stopped,
		async (options) =>
			await context.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, options, {
				// Saves a database read a request, and lets all pages of a run share one token.
				credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials },
			}),
	);
}

/** Every status is returned. n8n would follow redirects with secrets, and wait 300 seconds. */
async function send(
	request: Request,
	timeoutMs: number,
	stopped: AbortSignal | undefined,
	deliver: (options: IHttpRequestOptions) => Promise<unknown>,
): Promise<Reply> {
	// n8n's timeout starts again with every byte; the signal limits the whole response. AbortSignal.any would be shorter,
	// but in Node 20 its signals never abort after a garbage collection.
	const controller = new AbortController();
	const abort = () => controller.abort();
	const signals = [AbortSignal.timeout(timeoutMs), ...(stopped ? [stopped] : [])];
	for (const signal of signals) signal.addEventListener('abort', abort);
	if (stopped?.aborted) abort();
	try {
		return (await deliver({
			...request,
			json: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal: controller.signal,
		})) as HttpResponse;
	} catch (error) {
		return toNetworkError(error);
	} finally {
		for (const signal of signals) signal.removeEventListener('abort', abort);
	}
}
