import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { addressLabel, apiKeyOf, fingerprint, serviceAddress, servicePlace } from './address';
import { concealSecrets } from './concealment';
import { explain } from './explanation';
import type { Context } from './request';
import { CREDENTIAL, sendWithToken } from './request';
import type { Outcome } from './response';
import { readAnswer, retryAfterMs } from './response';
import type { PageAnswer, Trouble } from './retrying';
import { askUntilAnswered } from './retrying';
import { exchangeNote, forgetTokensBefore } from './tokens';
import { TransportTrouble } from './transport';
import { pause, waitMs, withFirstOf } from './waiting';

export interface AskOptions {
	/** A page that takes too long is not asked for again, since a smaller one may come in time. */
	isHasty: boolean;
	stop?: AbortSignal;
}

/** Asks for one page, whatever it takes. */
export type AskForPage = (query: IDataObject, options: AskOptions) => Promise<PageAnswer>;

export interface ServiceOptions {
	itemIndex: number;
	timeoutMs: number;
	/** Nothing is asked any more when it has passed. */
	deadline?: AbortSignal;
}

/** Opens the list endpoint for one input item. */
export async function openService(context: Context, options: ServiceOptions): Promise<AskForPage> {
	const credentials = await readCredentials(context, options.itemIndex);
	const connection = new Connection(context, options, credentials);
	return async (query, askOptions) => await connection.ask(query, askOptions);
}

/** Tells whose clients are listed: another environment, address or API key has another name. */
export async function nameService(context: Context): Promise<string> {
	const credentials = await readCredentials(context, 0);
	hostOf(credentials, context, 0);
	return fingerprint(credentials).slice(0, 16);
}

/** After so many renewals others seem to be at work with the same key: one request at a time, and pauses between. */
const HASTY_RENEWALS = 3;
/** So many new tokens without any page between them are no chance. */
const MOST_TOKENS_IN_VAIN = 3;

/** One input item's way to the service: its credentials, the token they hold now, and the secrets it has seen. */
class Connection {
	private readonly host: string;

	private readonly address: string;

	private readonly secrets: Set<string>;

	private readonly refusedTokens = new Set<string>();

	/** How many of them were refused since a page came. */
	private refusals = 0;

	/** The first of these was not new: it was stored before, or has brought a page. */
	private isFirstRefusalOld: boolean;

	private renewals = 0;

	private renewal?: Promise<void>;

	private turn: Promise<unknown> = Promise.resolve();

	/** Throws where the credentials cannot work. */
	constructor(
		private readonly context: Context,
		private readonly options: ServiceOptions,
		private readonly credentials: ICredentialDataDecryptedObject,
	) {
		this.host = hostOf(credentials, context, options.itemIndex);
		this.address = serviceAddress(credentials);
		this.secrets = new Set([apiKeyOf(credentials)]);
		this.isFirstRefusalOld = Boolean(credentials.accessToken);
	}

	async ask(query: IDataObject, { isHasty, stop }: AskOptions): Promise<PageAnswer> {
		const { context } = this;
		const cancelled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		return await withFirstOf([cancelled, this.options.deadline, stop], async (stopped) => {
			const tryOnce = async () => await this.sendRenewingToken(query, stopped);
			return await askUntilAnswered(tryOnce, (trouble, tries) => this.toError(trouble, tries), { isHasty, stopped });
		});
	}

	/** A refused token is replaced and the same page asked again, as long as any pages come with the new ones. */
	private async sendRenewingToken(query: IDataObject, stopped: AbortSignal): Promise<Outcome> {
		for (;;) {
			const sentAtMs = Date.now();
			const { outcome, token = '' } = await this.inTurn(async () => await this.send(query, stopped));
			if (outcome.kind === 'page' || outcome.kind === 'refused') {
				this.refusals = 0;
				this.isFirstRefusalOld = true;
			}
			if (outcome.kind !== 'tokenRefused') return outcome;
			if (!this.refusedTokens.has(token)) this.refusals += 1;
			this.refusedTokens.add(token);
			const inVain = this.refusals - Number(this.isFirstRefusalOld);
			if (inVain >= MOST_TOKENS_IN_VAIN || stopped.aborted) return outcome;
			await this.replaceToken(token, sentAtMs, stopped);
		}
	}

	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		if (this.renewals <= HASTY_RENEWALS) return await work();
		const done = this.turn.then(work);
		this.turn = done.catch(() => {});
		return await done;
	}

	private async send(query: IDataObject, stopped: AbortSignal): Promise<{ outcome: Outcome; token?: string }> {
		const { context, credentials, host, options } = this;
		const request = { method: 'GET', url: '/api/v1/clients-list/', qs: query } as const;
		const limits = { host, timeoutMs: options.timeoutMs, stopped };
		const sent = await sendWithToken(context, credentials, request, limits).catch((error: TransportTrouble) => error);
		if (sent instanceof TransportTrouble) return { outcome: this.readTrouble(sent) };
		this.secrets.add(sent.token);
		return { outcome: readAnswer(sent.answer, host, Date.now()), token: sent.token };
	}

	private readTrouble({ message, isLasting, isTimeout }: TransportTrouble): Outcome {
		const { trouble } = exchangeNote(this.credentials);
		if (trouble?.busy) {
			const askedMs = retryAfterMs(trouble.busy.retryAfter, Date.now());
			return { kind: 'busy', reason: trouble.message, retryAfterMs: askedMs };
		}
		if (trouble || isLasting) return { kind: 'credentialRefused', reason: trouble?.message ?? message };
		return { kind: isTimeout ? 'tooSlow' : 'busy', reason: message };
	}

	/** Pages that are under way at the same time share one replacement. */
	private async replaceToken(refused: string, sentAtMs: number, stopped: AbortSignal): Promise<void> {
		const { accessToken, accessTokenFor } = this.credentials;
		if (accessToken !== refused || accessTokenFor === '') return;
		this.renewal ??= this.renew(sentAtMs, stopped).finally(() => (this.renewal = undefined));
		await this.renewal;
	}

	/** Takes over a token that another run has stored since; otherwise the next request has n8n fetch one. */
	private async renew(sentAtMs: number, stopped: AbortSignal): Promise<void> {
		const { context, credentials, options, refusedTokens } = this;
		this.renewals += 1;
		if (this.renewals > HASTY_RENEWALS) await pause(waitMs(this.refusals), stopped);
		const stored = await readCredentials(context, options.itemIndex);
		this.followEdit(stored);
		const isFresh =
			!refusedTokens.has(String(stored.accessToken)) && stored.accessTokenFor === fingerprint(credentials);
		if (isFresh && this.refusals === 1) {
			Object.assign(credentials, { accessToken: stored.accessToken, accessTokenFor: stored.accessTokenFor });
			return;
		}
		if (this.refusals > 1) forgetTokensBefore(credentials, sentAtMs);
		// The credential takes this for a token of another key and has n8n renew it.
		credentials.accessTokenFor = '';
	}

	/** n8n stores the token together with the key it was given: an old one would undo what a user has just entered. */
	private followEdit(stored: ICredentialDataDecryptedObject): void {
		const { context, credentials, options } = this;
		if (stored.environment !== credentials.environment || serviceAddress(stored) !== this.address) {
			throw new NodeOperationError(context.getNode(), 'The credential was changed while clients were read', {
				itemIndex: options.itemIndex,
				description: 'Run the workflow again.',
			});
		}
		credentials.apiKey = stored.apiKey;
		this.secrets.add(apiKeyOf(stored));
	}

	private toError(trouble: Trouble, tries: number): NodeApiError {
		const { context, credentials, host, options } = this;
		// A service may repeat in its message what it was sent.
		const secrets = [...this.secrets, String(credentials.accessToken)];
		const explanation = explain(trouble, { host, addressField: addressLabel(credentials), tries, secrets });
		const message = concealSecrets(explanation.message, secrets);
		return new NodeApiError(context.getNode(), {}, { ...explanation, message, itemIndex: options.itemIndex });
	}
}

async function readCredentials(context: Context, itemIndex: number): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, itemIndex);
}

/** Throws where address or API key cannot work. */
function hostOf(credentials: ICredentialDataDecryptedObject, context: Context, itemIndex: number): string {
	try {
		fingerprint(credentials);
		return servicePlace(credentials);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error, {
			itemIndex,
			failure: { cause: 'credential-invalid' },
		});
	}
}
