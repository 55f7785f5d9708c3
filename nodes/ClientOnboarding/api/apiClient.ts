import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { Context } from './classify';
import type { ConcurrencyLimiter } from './concurrencyLimiter';
import type { ConnectionOptions } from './connection';
import { Connection, retryAfterOf } from './connection';
import { readCredentials } from './credentials';
import type { NodeContext } from './http';
import type { Page } from './response';
import { MAX_TRIES, pause, retryDelayMs } from './retry';

/** Requests for one page, across all sizes and parameter names. Rate limits and token refreshes do not count. */
const MAX_REQUESTS_PER_PAGE = 12;
/** After this many token refreshes for one page, the token is not to blame. */
const MAX_REFRESHES_PER_PAGE = 8;

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

/** Opens the list endpoint for one input item. */
export async function openClient(context: NodeContext, options: ConnectionOptions): Promise<ApiClient> {
	const credentials = await readCredentials(context, options.itemIndex);
	return new ApiClient(new Connection(context, options, credentials));
}

/** Requests pages of the list, and tries again as long as that can help. */
export class ApiClient {
	constructor(private readonly connection: Connection) {}

	/** Identifies the address, whatever the key. */
	get addressId(): string {
		return this.connection.addressId;
	}

	get limiter(): ConcurrencyLimiter {
		return this.connection.limiter;
	}

	/** Requests one page until it is returned or trying again cannot help. */
	async fetchPage(request: PageRequest): Promise<PageResult> {
		return await this.connection.during(async (stopped) => await this.tryPage(request, stopped), request.controller);
	}

	private async tryPage(
		{ query, page, rows = () => 'short', maxTries = MAX_TRIES, budget = new PageBudget() }: PageRequest,
		stopped: AbortSignal,
	): Promise<PageResult> {
		const { connection } = this;
		// `answered`: the response to a fresh token was more than a temporary error.
		let freshToken: 'untried' | 'tried' | 'answered' = 'untried';
		let refreshes = 0;
		for (let tries = 1; ;) {
			const attempt = await connection.send(query, stopped);
			const { reply, endpoint } = attempt;
			const context = { page, rows: rows() };
			const actionForGoodToken = connection.classify(attempt, { ...context, token: 'fresh' });
			const isTemporary = actionForGoodToken === 'retry' || actionForGoodToken === 'rateLimited';
			const isFresh = attempt.tokenAge === 'fresh';
			if (refreshes === MAX_REFRESHES_PER_PAGE || (isFresh && !isTemporary)) freshToken = 'answered';
			else if (isFresh && freshToken === 'untried') freshToken = 'tried';
			// One refresh a page is enough for what is retried anyway.
			const isTokenGood = isTemporary ? freshToken !== 'untried' || budget.hasRefreshed : freshToken === 'answered';
			const action = isTokenGood ? actionForGoodToken : connection.classify(attempt, { ...context, token: 'old' });
			const toError = () => connection.toError(attempt, Math.max(1, budget.requests));
			if (action === 'page') return { action, page: connection.takePage(attempt) };
			if (action === 'endOfList') return { action };
			if (stopped.aborted) throw toError();
			if (action === 'rateLimited') {
				if (!(await connection.waitForRateLimit(attempt))) throw toError();
				continue;
			}
			if (action === 'refreshToken') {
				refreshes += 1;
				if (actionForGoodToken === 'retry') budget.hasRefreshed = true;
				await connection.refreshToken(attempt, actionForGoodToken === action ? 'refused' : 'suspected', stopped);
				continue;
			}
			budget.requests += 1;
			if (action === 'fail' || budget.isSpent) throw toError();
			if (action !== 'retry') return { action, error: toError() };
			if (endpoint === 'list') connection.noteAccepted();
			if (tries < (endpoint === 'token' ? MAX_TRIES : maxTries)) {
				await pause(retryDelayMs(tries, retryAfterOf(reply)), stopped);
			} else if (endpoint === 'token') {
				throw toError();
			} else if (isTokenGood) {
				return { action: 'reducePageSize', error: toError() };
			} else {
				// An expired token may even be reported as a server error.
				budget.hasRefreshed = true;
				await connection.refreshToken(attempt, 'suspected', stopped);
			}
			tries += 1;
		}
	}
}
