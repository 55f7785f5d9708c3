import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Answer } from '../../../credentials/answer';
import { addressLabel, apiKeyOf, fingerprint, serviceAddress } from '../../../credentials/address';
import { exchangeTrouble } from '../../../credentials/exchange';
import { describeTransport } from '../../../credentials/transport';
import { explain } from './explanation';
import type { Outcome, Page } from './response';
import { readAnswer, retryAfterMs } from './response';
import { pause, waitMs, withFirstOf } from './waiting';

const CREDENTIAL = 'clientOnboardingApi';
const MAX_TRIES = 5;

export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * A page, how long it took and whether the service was asked too much before it came; or the service's word that it does
 * not give this page in this way.
 */
export type PageAnswer =
	| { kind: 'page'; page: Page; tookMs: number; wasOverloaded: boolean }
	| { kind: 'refused'; status: number; error: NodeApiError }
	| { kind: 'tooSlow'; error: NodeApiError };

export interface AskOptions {
	/** A page that takes too long is not asked for again, since a smaller one may come in time. */
	isHasty: boolean;
	stop?: AbortSignal;
}

export type AskForPage = (query: IDataObject, options: AskOptions) => Promise<PageAnswer>;

export interface ServiceOptions {
	itemIndex: number;
	timeoutMs: number;
	/** Nothing is asked any more when it has passed. */
	deadline?: AbortSignal;
}

/** Opens the list endpoint for one input item: the returned function asks for one page, whatever it takes. */
export async function openService(
	context: Context,
	{ itemIndex, timeoutMs, deadline }: ServiceOptions,
): Promise<AskForPage> {
	const readCredentials = async () =>
		await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, itemIndex);
	const credentials = await readCredentials();
	const firstToken = credentials.accessToken;
	const host = hostOf(credentials, context, itemIndex);
	const secrets = new Set([apiKeyOf(credentials)]);
	const cancelled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

	return async (query, { isHasty, stop }) =>
		await withFirstOf([cancelled, deadline, stop], async (stopped) => await ask(query, isHasty, stopped));

	async function ask(query: IDataObject, isHasty: boolean, stopped: AbortSignal): Promise<PageAnswer> {
		let wasOverloaded = false;
		for (let tries = 1; ; tries++) {
			const startedMs = Date.now();
			const outcome = await sendRenewingToken(query, stopped);
			if (outcome.kind === 'page') return { ...outcome, tookMs: Date.now() - startedMs, wasOverloaded };
			const error = toError(outcome, tries);
			if (outcome.kind === 'refused') return { kind: 'refused', status: outcome.status, error };
			if (outcome.kind === 'tooSlow' && isHasty) return { kind: 'tooSlow', error };

			const mayPass = outcome.kind === 'busy' || outcome.kind === 'tooSlow';
			if (!mayPass || tries === MAX_TRIES) throw error;
			wasOverloaded ||= outcome.kind === 'tooSlow' || outcome.status === 429;
			const askedMs = outcome.kind === 'busy' ? outcome.retryAfterMs : undefined;
			await pause(waitMs(tries, askedMs), stopped);
			if (stopped.aborted) throw error;
		}
	}

	/** A refused token is replaced and the same page asked again, once. */
	async function sendRenewingToken(query: IDataObject, stopped: AbortSignal): Promise<Outcome> {
		const first = await send(query, stopped);
		if (first.outcome.kind !== 'tokenRefused') return first.outcome;
		await discardToken(first.token);
		return (await send(query, stopped)).outcome;
	}

	async function send(query: IDataObject, stopped: AbortSignal): Promise<{ outcome: Outcome; token?: string }> {
		const options: IHttpRequestOptions = {
			method: 'GET',
			url: '/api/v1/clients-list/',
			qs: query,
			json: true,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: timeoutMs,
		};
		// n8n's timeout starts anew with every byte; this one holds for the whole answer.
		const outcome = await withFirstOf([AbortSignal.timeout(timeoutMs), stopped], async (abortSignal) => {
			options.abortSignal = abortSignal;
			return await receive(options);
		});
		const token = /^Bearer (.+)$/.exec(String(options.headers?.Authorization))?.[1];
		if (token) secrets.add(token);
		return { outcome, token };
	}

	async function receive(options: IHttpRequestOptions): Promise<Outcome> {
		// n8n would replace our abort signal by its own, which knows nothing of the timeout; it does so only for a
		// caller that has this method.
		const caller = { getNode: () => context.getNode(), helpers: context.helpers, logger: context.logger };
		try {
			const answer = (await context.helpers.httpRequestWithAuthentication.call(caller as Context, CREDENTIAL, options, {
				// Spares n8n a database read a request, and lets all pages of a run share one token.
				credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credentials },
			})) as Answer;
			return readAnswer(answer, host, Date.now());
		} catch (error) {
			return readTrouble(error);
		}
	}

	function readTrouble(error: unknown): Outcome {
		const trouble = exchangeTrouble(credentials);
		if (trouble) {
			const { message: reason, busy } = trouble;
			if (!busy) return { kind: 'credentialRefused', reason };
			return { kind: 'busy', reason, retryAfterMs: retryAfterMs(busy.retryAfter, Date.now()) };
		}
		const { text: reason, isTimeout, isLasting } = describeTransport(error, host, timeoutMs);
		if (isLasting) return { kind: 'credentialRefused', reason };
		return { kind: isTimeout ? 'tooSlow' : 'busy', reason };
	}

	async function discardToken(refused?: string): Promise<void> {
		const stored = await readCredentials();
		if (credentials.accessToken !== refused) return;
		const isRenewedElsewhere = stored.accessToken !== refused && stored.accessToken !== firstToken;
		if (isRenewedElsewhere && stored.accessTokenFor === credentials.accessTokenFor) {
			credentials.accessToken = stored.accessToken;
		} else {
			// The credential takes this for a token of another key and has n8n renew it.
			credentials.accessTokenFor = '';
		}
	}

	/** A service may repeat in its message what it was sent. */
	function conceal(text: string): string {
		return [...secrets].reduce((result, secret) => result.replaceAll(secret, '…'), text);
	}

	function toError(outcome: Exclude<Outcome, { kind: 'page' }>, tries: number): NodeApiError {
		const explanation = explain(outcome, { host, addressField: addressLabel(credentials), tries });
		return new NodeApiError(
			context.getNode(),
			{},
			{
				...explanation,
				message: conceal(explanation.message),
				itemIndex,
			},
		);
	}
}

/** Tells whose clients are listed: another environment, address or API key has another name. */
export async function nameService(context: Context): Promise<string> {
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	hostOf(credentials, context, 0);
	return fingerprint(credentials).slice(0, 16);
}

/** Throws where address or API key cannot work. */
function hostOf(credentials: ICredentialDataDecryptedObject, context: Context, itemIndex: number): string {
	try {
		fingerprint(credentials);
		return new URL(serviceAddress(credentials)).host;
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error, {
			itemIndex,
			failure: { cause: 'credential-invalid' },
		});
	}
}
