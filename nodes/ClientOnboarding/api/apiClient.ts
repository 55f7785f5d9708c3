import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { addressId, apiKeyOf, baseUrlLabel, baseUrlOf, fingerprint, hostOf } from './baseUrl';
import type { Action, Address, Context, Reply } from './classify';
import { classify, classifyToken } from './classify';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import type { Explanation } from './errors';
import { explainFailure, explainRefusedTokens, explainTokenFailure } from './errors';
import type { NodeContext } from './http';
import { CREDENTIAL, sendWithToken } from './http';
import { NetworkError } from './networkError';
import { RateLimit } from './rateLimit';
import type { HttpResponse, Page } from './response';
import { pageOf } from './response';
import { MAX_TRIES, pause, retryAfterMs, retryDelayMs } from './retry';
import { RunSignal } from './runSignal';
import type { Token } from './runToken';
import { MAX_REFUSED_TOKENS, RunToken } from './runToken';
import { forgetToken, prepareTokenUse, tokenUse } from './tokenCache';

/** Requests for one page, across all sizes and parameter names. Rate limits and token refreshes do not count. */
const MAX_REQUESTS_PER_PAGE = 12;
/** After this many token refreshes for one page, the token is not to blame. */
const MAX_REFRESHES_PER_PAGE = 8;

export interface ClientOptions {
	itemIndex: number;
	timeoutMs: number;
	parallelRequests: number;
	/** Aborts all requests: at the end of a poll's time, or after the first item that failed. */
	deadline?: AbortSignal;
	/** A trigger's saved state holds clients of this address. */
	address?: Address;
}

/** Counts the requests for one page, in whatever size and under whatever parameter name. */
export class PageBudget {
	requests = 0;

	/** The token was refreshed because of a response that is retried. */
	hasRefreshed = false;

	get isSpent(): boolean {
		return this.requests >= MAX_REQUESTS_PER_PAGE;
	}
}

export interface PageRequest {
	query: IDataObject;
	page: Context['page'];
	/** Asked when a response is classified, since other pages may have been returned meanwhile. */
	rows?: () => Context['rows'];
	maxTries?: number;
	budget?: PageBudget;
	/** To stop this request. */
	controller?: AbortController;
}

/** A page, or what the caller has to do. It throws `error` if it cannot. */
export type PageResult =
	| { action: 'page'; page: Page }
	| { action: 'endOfList' }
	| { action: 'otherParameter' | 'reducePageSize'; error: NodeApiError };

/** One request and its response. `token` is unset if none was returned. */
interface Attempt {
	reply: Reply;
	endpoint: 'list' | 'token';
	token?: Token;
	tokenAge: Context['token'];
}

/** Opens the list endpoint for one input item. */
export async function openClient(context: NodeContext, options: ClientOptions): Promise<ApiClient> {
	const credentials = await readCredentials(context, options.itemIndex);
	return new ApiClient(context, options, credentials);
}

/** Identifies the list: another environment or address is another place, another API key another account. */
export async function identifyService(
	context: NodeContext,
	itemIndex = 0,
): Promise<{ place: string; account: string }> {
	const credentials = await readCredentials(context, itemIndex);
	return { place: addressId(credentials).slice(0, 16), account: fingerprint(credentials).slice(0, 16) };
}

/** One run's access to the list endpoint: tokens, retries and rate limits. */
export class ApiClient {
	/** Identifies the address, whatever the key. */
	readonly addressId: string;

	readonly limiter: ConcurrencyLimiter;

	private readonly cancelSignal?: AbortSignal;

	private readonly runSignal: RunSignal;

	private readonly rateLimit: RateLimit;

	private readonly token: RunToken;

	private readonly secrets: Set<string>;

	private address: Address;

	constructor(
		private readonly context: NodeContext,
		private readonly options: ClientOptions,
		private readonly credentials: ICredentialDataDecryptedObject,
	) {
		this.addressId = addressId(credentials);
		this.address = options.address ?? 'unknown';
		this.secrets = new Set([apiKeyOf(credentials)]);
		this.limiter = new ConcurrencyLimiter(options.parallelRequests);
		this.cancelSignal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		this.runSignal = new RunSignal(this.cancelSignal, options.deadline);
		this.rateLimit = new RateLimit(this.limiter, this.runSignal);
		this.token = new RunToken(credentials, this.limiter, async () => await this.readStored());
	}

	/** Requests one page until it is returned or trying again cannot help. */
	async fetchPage(request: PageRequest): Promise<PageResult> {
		const result = this.runSignal.during(async (signal) => await this.tryPage(request, signal), request.controller);
		return await result.catch((error: Error) => {
			// The request in flight has not failed, whatever it looks like.
			if (this.cancelSignal?.aborted) throw new NodeOperationError(this.context.getNode(), 'The execution was stopped');
			throw error;
		});
	}

	private async tryPage(
		{ query, page, rows = () => 'short', maxTries = MAX_TRIES, budget = new PageBudget() }: PageRequest,
		stopped: AbortSignal,
	): Promise<PageResult> {
		// `answered`: the response to a fresh token was more than a temporary error.
		let freshToken: 'untried' | 'tried' | 'answered' = 'untried';
		let refreshes = 0;
		for (let tries = 1; ; ) {
			const attempt = await this.send(query, stopped);
			const { reply, endpoint } = attempt;
			const context = { page, rows: rows(), address: this.address };
			const actionForGoodToken = this.classify(attempt, { ...context, token: 'fresh' });
			const isTemporary = actionForGoodToken === 'retry' || actionForGoodToken === 'rateLimited';
			const isFresh = attempt.tokenAge === 'fresh';
			if (refreshes === MAX_REFRESHES_PER_PAGE || (isFresh && !isTemporary)) freshToken = 'answered';
			else if (isFresh && freshToken === 'untried') freshToken = 'tried';
			// One refresh a page is enough for what is retried anyway.
			const isTokenGood = isTemporary ? freshToken !== 'untried' || budget.hasRefreshed : freshToken === 'answered';
			const action = isTokenGood ? actionForGoodToken : this.classify(attempt, { ...context, token: 'old' });
			const toError = () => this.toError(this.explain(attempt, Math.max(1, budget.requests)));
			if (action === 'page') return { action, page: this.takePage(attempt) };
			if (action === 'endOfList') return { action };
			if (stopped.aborted) throw toError();
			if (action === 'rateLimited') {
				if (!(await this.rateLimit.wait(retryAfterOf(reply)))) throw toError();
				continue;
			}
			if (action === 'refreshToken') {
				refreshes += 1;
				if (actionForGoodToken === 'retry') budget.hasRefreshed = true;
				await this.refreshToken(attempt, actionForGoodToken === action ? 'refused' : 'suspected', stopped);
				continue;
			}
			budget.requests += 1;
			if (action === 'fail' || budget.isSpent) throw toError();
			if (action !== 'retry') return { action, error: toError() };
			if (endpoint === 'list') this.token.noteAccepted();
			if (tries < (endpoint === 'token' ? MAX_TRIES : maxTries)) {
				await pause(retryDelayMs(tries, retryAfterOf(reply)), stopped);
			} else if (endpoint === 'token') {
				throw toError();
			} else if (isTokenGood) {
				return { action: 'reducePageSize', error: toError() };
			} else {
				// An expired token may even be reported as a server error.
				budget.hasRefreshed = true;
				await this.refreshToken(attempt, 'suspected', stopped);
			}
			tries += 1;
		}
	}

	/** Sends the query once. n8n requests a token first if there is none. */
	private async send(query: IDataObject, stopped: AbortSignal): Promise<Attempt> {
		return await this.limiter.run(async () => {
			await this.rateLimit.passed();
			const token = this.token.current;
			// A copy, so that requests at the same time do not mix up their token requests.
			const credentials = {
				...this.credentials,
				accessToken: token?.value ?? '',
				accessTokenFor: fingerprint(this.credentials),
			};
			const { timeoutMs } = this.options;
			prepareTokenUse(credentials, { timeoutMs, mustBeNew: this.token.mustBeNew });
			const request = { method: 'GET', url: '/api/v1/clients-list/', qs: query } as const;
			const reply = await sendWithToken(this.context, credentials, request, { timeoutMs, stopped });
			const { error, token: requested, isShared } = tokenUse(credentials);
			if (error) return { reply: error.reply, endpoint: 'token', tokenAge: 'fresh' };
			if (requested) this.secrets.add(requested);
			const used = requested ? this.token.adopt(token, requested, isShared) : (token as Token);
			const tokenAge = requested && used.uses === 0 ? 'fresh' : 'old';
			used.uses += 1;
			return { reply, endpoint: 'list', token: used, tokenAge };
		});
	}

	private classify({ reply, endpoint }: Attempt, context: Context): Action {
		return endpoint === 'token' ? classifyToken(reply, this.address) : classify(reply, context);
	}

	private takePage({ reply }: Attempt): Page {
		this.token.noteAccepted();
		this.rateLimit.noteWorkingPage();
		this.address = 'hasGivenClients';
		return pageOf(reply as HttpResponse) as Page;
	}

	private async refreshToken(attempt: Attempt, reason: 'refused' | 'suspected', stopped: AbortSignal): Promise<void> {
		const token = attempt.token as Token;
		forgetToken(this.credentials, token.value);
		if (!(await this.token.replace(token, reason, stopped))) {
			throw this.toError(explainRefusedTokens(attempt.reply, MAX_REFUSED_TOKENS, this.circumstances(attempt, 1)));
		}
	}

	/** n8n stores a token together with the key it was requested with: an old key would undo what a user has just entered. */
	private async readStored(): Promise<ICredentialDataDecryptedObject> {
		const { context, credentials, options } = this;
		const stored = await readCredentials(context, options.itemIndex);
		if (stored.environment !== credentials.environment || baseUrlOf(stored) !== baseUrlOf(credentials)) {
			throw new NodeOperationError(context.getNode(), 'The credential was changed while clients were being read', {
				itemIndex: options.itemIndex,
				description: 'Run the workflow again.',
			});
		}
		credentials.apiKey = stored.apiKey;
		this.secrets.add(apiKeyOf(stored));
		return stored;
	}

	private circumstances({ reply }: Attempt, tries: number) {
		return {
			host: hostOf(this.credentials),
			addressField: baseUrlLabel(this.credentials),
			address: this.address,
			timeoutMs: this.options.timeoutMs,
			tries,
			retryAfterMs: retryAfterOf(reply),
			secrets: [...this.secrets, String(this.credentials.accessToken ?? '')],
		};
	}

	private explain(attempt: Attempt, tries: number): Explanation {
		const { reply, endpoint } = attempt;
		return endpoint === 'token'
			? explainTokenFailure(reply, this.credentials, this.circumstances(attempt, tries))
			: explainFailure(reply, this.circumstances(attempt, tries));
	}

	private toError(explanation: Explanation): NodeApiError {
		const { itemIndex } = this.options;
		return new NodeApiError(this.context.getNode(), {}, { ...explanation, itemIndex });
	}
}

function retryAfterOf(reply: Reply): number | undefined {
	return reply instanceof NetworkError ? undefined : retryAfterMs(reply.headers, Date.now());
}

/** Throws if address or API key cannot work. */
async function readCredentials(context: NodeContext, itemIndex: number): Promise<ICredentialDataDecryptedObject> {
	const credentials = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, itemIndex);
	try {
		fingerprint(credentials);
		return credentials;
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error, {
			itemIndex,
			failure: { cause: 'configuration-invalid' },
		});
	}
}
