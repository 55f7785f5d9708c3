import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { addressId, apiKeyOf, baseUrlLabel, baseUrlOf, fingerprint, hostOf } from './baseUrl';
import type { Action, Address, Context, Reply } from './classify';
import { classify, classifyToken } from './classify';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import { readCredentials } from './credentials';
import type { Explanation } from './errors';
import { explainFailure, explainRefusedTokens, explainTokenFailure } from './errors';
import type { NodeContext } from './http';
import { sendWithToken } from './http';
import { NetworkError } from './networkError';
import { RateLimit } from './rateLimit';
import type { HttpResponse, Page } from './response';
import { pageOf } from './response';
import { retryAfterMs } from './retry';
import { RunSignal } from './runSignal';
import type { Token } from './runToken';
import { MAX_REFUSED_TOKENS, RunToken } from './runToken';
import { forgetToken, prepareTokenUse, tokenUse } from './tokenCache';

export interface ConnectionOptions {
	itemIndex: number;
	timeoutMs: number;
	parallelRequests: number;
	/** Aborts all requests: at the end of a poll's time, or after the first item that failed. */
	deadline?: AbortSignal;
	/** A trigger's saved state holds clients of this address. */
	address?: Address;
}

/** One request and its response. `token` is unset if none was returned. */
export interface Attempt {
	reply: Reply;
	endpoint: 'list' | 'token';
	token?: Token;
	tokenAge: Context['token'];
}

/** One run's requests to the service: its token, its rate limit, and how many are sent at once. */
export class Connection {
	/** Identifies the address, whatever the key. */
	readonly addressId: string;

	readonly limiter: ConcurrencyLimiter;

	address: Address;

	private readonly cancelSignal?: AbortSignal;

	private readonly runSignal: RunSignal;

	private readonly rateLimit: RateLimit;

	private readonly token: RunToken;

	private readonly secrets: Set<string>;

	constructor(
		private readonly context: NodeContext,
		private readonly options: ConnectionOptions,
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

	/** Runs something that sends requests until the run is stopped. */
	async during<T>(action: (stopped: AbortSignal) => Promise<T>, controller?: AbortController): Promise<T> {
		return await this.runSignal.during(action, controller).catch((error: Error) => {
			// The request in flight has not failed, whatever it looks like.
			if (this.cancelSignal?.aborted) throw new NodeOperationError(this.context.getNode(), 'The execution was stopped');
			throw error;
		});
	}

	/** Sends the query once. n8n requests a token first if there is none. */
	async send(query: IDataObject, stopped: AbortSignal): Promise<Attempt> {
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

	classify({ reply, endpoint }: Attempt, context: Omit<Context, 'address'>): Action {
		const { address } = this;
		return endpoint === 'token' ? classifyToken(reply, address) : classify(reply, { ...context, address });
	}

	takePage({ reply }: Attempt): Page {
		this.token.noteAccepted();
		this.rateLimit.noteWorkingPage();
		this.address = 'hasGivenClients';
		return pageOf(reply as HttpResponse) as Page;
	}

	/** The service returned something that is not about the token. */
	noteAccepted(): void {
		this.token.noteAccepted();
	}

	/** False if the rate limit has lasted for too long. */
	async waitForRateLimit({ reply }: Attempt): Promise<boolean> {
		return await this.rateLimit.wait(retryAfterOf(reply));
	}

	/** Throws if too many tokens were refused. */
	async refreshToken(attempt: Attempt, reason: 'refused' | 'suspected', stopped: AbortSignal): Promise<void> {
		const token = attempt.token as Token;
		forgetToken(this.credentials, token.value);
		if (!(await this.token.replace(token, reason, stopped))) {
			throw this.makeError(explainRefusedTokens(attempt.reply, MAX_REFUSED_TOKENS, this.circumstances(attempt, 1)));
		}
	}

	toError(attempt: Attempt, tries: number): NodeApiError {
		const { reply, endpoint } = attempt;
		const circumstances = this.circumstances(attempt, tries);
		return this.makeError(
			endpoint === 'token'
				? explainTokenFailure(reply, this.credentials, circumstances)
				: explainFailure(reply, circumstances),
		);
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

	private makeError(explanation: Explanation): NodeApiError {
		return new NodeApiError(this.context.getNode(), {}, explanation);
	}
}

export function retryAfterOf(reply: Reply): number | undefined {
	return reply instanceof NetworkError ? undefined : retryAfterMs(reply.headers, Date.now());
}
