import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { addressLabel, apiKeyOf, fingerprint, placeOf, serviceAddress, servicePlace } from './address';
import { concealSecrets } from './concealment';
import { explain } from './explanation';
import { TokenRenewal } from './renewal';
import type { Context } from './request';
import { CREDENTIAL, sendWithToken } from './request';
import type { Outcome } from './response';
import { readAnswer, retryAfterMs } from './response';
import type { Broken, Manner, PageAnswer, Trouble } from './retrying';
import { askUntilAnswered } from './retrying';
import type { ExchangeNote } from './tokens';
import { demandOwnToken, exchangeNote } from './tokens';
import { TransportTrouble } from './transport';
import { withFirstOf } from './waiting';

export interface AskOptions extends Manner {
	stop?: AbortSignal;
}

/** Asks for one page, whatever it takes. */
export type AskForPage = (query: IDataObject, options: AskOptions) => Promise<PageAnswer | Broken>;

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

/** Tells whose clients are listed: another environment or address is another place, another API key another account. */
export async function nameService(context: Context, itemIndex = 0): Promise<{ place: string; account: string }> {
	const credentials = await readCredentials(context, itemIndex);
	hostOf(credentials, context, itemIndex);
	return { place: placeOf(credentials).slice(0, 16), account: fingerprint(credentials).slice(0, 16) };
}

/** One input item's way to the service: its credentials, the token they hold now, and the secrets it has seen. */
class Connection {
	private readonly host: string;

	private readonly address: string;

	private readonly secrets: Set<string>;

	private readonly renewal: TokenRenewal;

	private isProven = false;

	/** Throws where the credentials cannot work. */
	constructor(
		private readonly context: Context,
		private readonly options: ServiceOptions,
		private readonly credentials: ICredentialDataDecryptedObject,
	) {
		this.host = hostOf(credentials, context, options.itemIndex);
		this.address = serviceAddress(credentials);
		this.secrets = new Set([apiKeyOf(credentials)]);
		this.renewal = new TokenRenewal(credentials, async () => await this.readStored());
	}

	async ask(query: IDataObject, { stop, ...manner }: AskOptions): Promise<PageAnswer | Broken> {
		const { context } = this;
		const cancelled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const asked = withFirstOf([cancelled, this.options.deadline, stop], async (stopped) => {
			const tryOnce = async () => await this.sendRenewingToken(query, stopped);
			return await askUntilAnswered(tryOnce, (trouble, tries) => this.toError(trouble, tries), { ...manner, stopped });
		});
		return await asked.catch((error: Error) => {
			// The request that was under way has not failed, whatever it looks like.
			if (cancelled?.aborted) throw new NodeOperationError(context.getNode(), 'The execution was stopped');
			throw error;
		});
	}

	/** A refused token is replaced and the same page asked again. */
	private async sendRenewingToken(query: IDataObject, stopped: AbortSignal): Promise<Outcome> {
		const { renewal } = this;
		for (;;) {
			const { outcome, isOver } = await renewal.inTurn(async () => {
				const { epoch } = renewal;
				const { token, ...sent } = await this.send(query, stopped);
				if (sent.outcome.kind === 'tokenRefused') {
					// Within the turn: whose turn is next has the new token.
					return { ...sent, isOver: !(await renewal.replace({ token, epoch }, stopped)) };
				}
				renewal.noteAccepted();
				return { ...sent, isOver: true };
			}, stopped);
			if (isOver) return outcome;
		}
	}

	private async send(query: IDataObject, stopped: AbortSignal): Promise<{ outcome: Outcome; token: string }> {
		const { context, host, options } = this;
		// Requests under way at the same time must not read of each other's exchanges.
		const credentials = { ...this.credentials };
		if (this.renewal.needsOwnToken) demandOwnToken(credentials);
		const { accessToken, accessTokenFor } = credentials;
		const request = { method: 'GET', url: '/api/v1/clients-list/', qs: query } as const;
		const limits = { host, timeoutMs: options.timeoutMs, stopped };
		const sent = await sendWithToken(context, credentials, request, limits).catch((error: TransportTrouble) => error);
		const isExchanged = credentials.accessToken !== accessToken || credentials.accessTokenFor !== accessTokenFor;
		// Another request may have fetched a newer one while this one waited for its answer.
		if (isExchanged && this.credentials.accessToken === accessToken) {
			Object.assign(this.credentials, {
				accessToken: credentials.accessToken,
				accessTokenFor: credentials.accessTokenFor,
			});
		}
		if (sent instanceof TransportTrouble) {
			return { outcome: readTrouble(sent, exchangeNote(credentials)), token: String(credentials.accessToken) };
		}
		this.secrets.add(sent.token);
		const outcome = readAnswer(sent.answer, { host, nowMs: Date.now(), isProven: this.isProven });
		this.isProven ||= outcome.kind === 'page';
		return { outcome, token: sent.token };
	}

	/** n8n stores the token together with the key it was given: an old one would undo what a user has just entered. */
	private async readStored(): Promise<ICredentialDataDecryptedObject> {
		const { context, credentials, options } = this;
		const stored = await readCredentials(context, options.itemIndex);
		if (stored.environment !== credentials.environment || serviceAddress(stored) !== this.address) {
			throw new NodeOperationError(context.getNode(), 'The credential was changed while clients were read', {
				itemIndex: options.itemIndex,
				description: 'Run the workflow again.',
			});
		}
		credentials.apiKey = stored.apiKey;
		this.secrets.add(apiKeyOf(stored));
		return stored;
	}

	private toError(trouble: Trouble, tries: number): NodeApiError {
		const { context, credentials, host, isProven, options } = this;
		// A service may repeat in its message what it was sent.
		const secrets = [...this.secrets, String(credentials.accessToken)];
		const addressField = addressLabel(credentials);
		const explanation = explain(trouble, { host, addressField, isProven, tries, secrets });
		const message = concealSecrets(explanation.message, secrets);
		return new NodeApiError(context.getNode(), {}, { ...explanation, message, itemIndex: options.itemIndex });
	}
}

function readTrouble({ message, isLasting, isTimeout }: TransportTrouble, { trouble }: ExchangeNote): Outcome {
	if (trouble?.busy) {
		const askedMs = retryAfterMs(trouble.busy.retryAfter, Date.now());
		return { kind: 'busy', reason: trouble.message, retryAfterMs: askedMs, isOfToken: true };
	}
	if (trouble) return { kind: 'credentialRefused', reason: trouble.message, isStranger: trouble.isStranger };
	if (isLasting) return { kind: 'credentialRefused', reason: message };
	return { kind: isTimeout ? 'tooSlow' : 'busy', reason: message };
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
