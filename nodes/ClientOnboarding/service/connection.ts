import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { addressLabel, apiKeyOf, fingerprint, serviceAddress } from './address';
import { explain } from './explanation';
import type { Context } from './request';
import { CREDENTIAL, sendWithToken } from './request';
import type { Outcome } from './response';
import { readAnswer, retryAfterMs } from './response';
import type { PageAnswer, Trouble } from './retrying';
import { askUntilAnswered } from './retrying';
import { exchangeNote } from './tokens';
import { TransportTrouble } from './transport';
import { withFirstOf } from './waiting';

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

/** One input item's way to the service: its credentials, the token they hold now, and the secrets it has seen. */
class Connection {
	private readonly host: string;

	private readonly firstToken: unknown;

	private readonly secrets: Set<string>;

	/** Throws where the credentials cannot work. */
	constructor(
		private readonly context: Context,
		private readonly options: ServiceOptions,
		private readonly credentials: ICredentialDataDecryptedObject,
	) {
		this.host = hostOf(credentials, context, options.itemIndex);
		this.firstToken = credentials.accessToken;
		this.secrets = new Set([apiKeyOf(credentials)]);
	}

	async ask(query: IDataObject, { isHasty, stop }: AskOptions): Promise<PageAnswer> {
		const { context } = this;
		const cancelled = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		return await withFirstOf([cancelled, this.options.deadline, stop], async (stopped) => {
			const tryOnce = async () => await this.sendRenewingToken(query, stopped);
			return await askUntilAnswered(tryOnce, (trouble, tries) => this.toError(trouble, tries), { isHasty, stopped });
		});
	}

	/** A refused token is replaced and the same page asked again, once. */
	private async sendRenewingToken(query: IDataObject, stopped: AbortSignal): Promise<Outcome> {
		const first = await this.send(query, stopped);
		if (first.outcome.kind !== 'tokenRefused') return first.outcome;
		await this.discardToken(first.token);
		return (await this.send(query, stopped)).outcome;
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

	/** Takes over a token that another run has stored since; otherwise the next request has n8n renew it. */
	private async discardToken(refused?: string): Promise<void> {
		const { context, credentials, firstToken, options } = this;
		const stored = await readCredentials(context, options.itemIndex);
		if (credentials.accessToken !== refused) return;
		const isRenewedElsewhere = stored.accessToken !== refused && stored.accessToken !== firstToken;
		if (isRenewedElsewhere && stored.accessTokenFor === credentials.accessTokenFor) {
			credentials.accessToken = stored.accessToken;
		} else {
			// The credential takes this for a token of another key and has n8n renew it.
			credentials.accessTokenFor = '';
		}
	}

	private toError(trouble: Trouble, tries: number): NodeApiError {
		const { context, credentials, host, options } = this;
		const explanation = explain(trouble, { host, addressField: addressLabel(credentials), tries });
		const message = this.conceal(explanation.message);
		return new NodeApiError(context.getNode(), {}, { ...explanation, message, itemIndex: options.itemIndex });
	}

	/** A service may repeat in its message what it was sent. */
	private conceal(text: string): string {
		const secrets = [...this.secrets, String(this.credentials.accessToken)].filter(Boolean);
		return secrets.reduce((result, secret) => result.replaceAll(secret, '…'), text);
	}
}

async function readCredentials(context: Context, itemIndex: number): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL, itemIndex);
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
