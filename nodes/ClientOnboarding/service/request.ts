import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import type { Answer } from './answer';
import { parseJson } from './json';
import { describeTransport } from './transport';
import { withFirstOf } from './waiting';

export const CREDENTIAL = 'clientOnboardingApi';

export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Request {
	method: 'GET' | 'POST';
	url: string;
	headers?: IDataObject;
	qs?: IDataObject;
}

interface Limits {
	/** For the message that says why no answer came. */
	host: string;
	timeoutMs: number;
	stopped?: AbortSignal;
}

/** Sends a request as it is. */
export async function sendPlainly({ helpers }: IHttpRequestHelper, request: Request, limits: Limits): Promise<Answer> {
	return await send(request, limits, async (options) => await helpers.httpRequest(options));
}

/** Sends a request with the token of these credentials, renewed by n8n where it is none of theirs; tells the token. */
export async function sendWithToken(
	context: Context,
	credentials: ICredentialDataDecryptedObject,
	request: Request,
	limits: Limits,
): Promise<{ answer: Answer; token: string }> {
	// n8n would replace our abort signal by its own, which knows nothing of the timeout; it does so only for a caller that
	// has a method for it.
	const caller = { getNode: () => context.getNode(), helpers: context.helpers, logger: context.logger } as Context;
	let token = '';
	const answer = await send(request, limits, async (options) => {
		const answered = await context.helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL, options, {
			// Spares n8n a database read a request, and lets all pages of a run share one token.
			credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials },
		});
		// The credential has put the token into these very options.
		token = String(options.headers?.Authorization).replace(/^Bearer /, '');
		return answered;
	});
	return { answer, token };
}

/** Every answer comes back, whatever its status; where none comes in time, a TransportTrouble says why. */
async function send(
	request: Request,
	{ host, timeoutMs, stopped }: Limits,
	hand: (options: IHttpRequestOptions) => Promise<unknown>,
): Promise<Answer> {
	// n8n's timeout starts anew with every byte; the signal holds for the whole answer.
	return await withFirstOf([AbortSignal.timeout(timeoutMs), stopped], async (abortSignal) => {
		const options: IHttpRequestOptions = {
			...request,
			json: true,
			// n8n would round long numbers.
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
			abortSignal,
		};
		const answer = (await hand(options).catch((error: unknown) => {
			throw describeTransport(error, host, timeoutMs);
		})) as Answer & { body: string };
		return { ...answer, body: parseJson(answer.body) };
	});
}
