import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { fingerprint } from './address';
import { aloneWithKey, forgetToken } from './tokens';
import { pause, waitMs } from './waiting';

/** After so many renewals others seem to be at work with the same key: one request at a time, and pauses between. */
const HASTY_RENEWALS = 3;
/** So many new tokens without any page between them are no chance. */
const MOST_TOKENS_IN_VAIN = 3;
/** Where pages came lately, to any execution, tokens do work, but others use them up or end them. */
const MOST_TOKENS_BETWEEN_PAGES = 12;
const LATELY_MS = 60_000;
/** The pause before the next token grows no more. */
const LONGEST_PAUSE_AFTER = 3;

/** When a page last came with a token of these environments, addresses and keys. */
const lastPages = new Map<string, number>();

interface RefusedRequest {
	/** The token it was sent with. */
	token: string;
	epoch: number;
}

/** Replaces the token of these credentials where the service refuses it, as long as any pages come with the new ones. */
export class TokenRenewal {
	private readonly refusedTokens = new Set<string>();

	/** How often a token was refused since a page came; a service may give the same token again. */
	private refusals = 0;

	/** The first of these was not new: it was stored before, or has brought a page. */
	private isFirstRefusalOld: boolean;

	private readonly owner: string;

	/** How many renewals are over. */
	private renewals = 0;

	private renewal?: Promise<void>;

	private turn: Promise<unknown> = Promise.resolve();

	private readonly underWay = new Set<Promise<unknown>>();

	/** `readStored` gives the credentials as they are stored now, with the key these ones have to go on with. */
	constructor(
		private readonly credentials: ICredentialDataDecryptedObject,
		private readonly readStored: () => Promise<ICredentialDataDecryptedObject>,
	) {
		this.isFirstRefusalOld = Boolean(credentials.accessToken);
		this.owner = fingerprint(credentials);
	}

	/** A request that was sent before another renewal was over says nothing about the token since. */
	get epoch(): number {
		return this.renewals;
	}

	/** New tokens were refused: others may have used them up first. */
	get needsOwnToken(): boolean {
		return this.refusals > 1;
	}

	/** Does the work at once, or alone and one after the other where tokens die quickly. */
	async inTurn<T>(work: () => Promise<T>, stopped: AbortSignal): Promise<T> {
		if (this.renewals <= HASTY_RENEWALS && !this.needsOwnToken) return await this.alongsideOthers(work);
		const done = this.turn.then(async () => {
			await Promise.allSettled(this.underWay);
			if (this.refusals > 0) await pause(waitMs(Math.min(this.refusals, LONGEST_PAUSE_AFTER)), stopped);
			return this.needsOwnToken ? await aloneWithKey(this.credentials, work) : await work();
		});
		this.turn = done.catch(() => {});
		return await done;
	}

	private async alongsideOthers<T>(work: () => Promise<T>): Promise<T> {
		const done = work();
		this.underWay.add(done);
		return await done.finally(() => this.underWay.delete(done));
	}

	/** The service did something else than to refuse the token. */
	noteAccepted(): void {
		this.refusals = 0;
		this.isFirstRefusalOld = true;
		lastPages.set(this.owner, Date.now());
	}

	/** Whether a request that was refused is worth another try. */
	async replace({ token, epoch }: RefusedRequest, stopped: AbortSignal): Promise<boolean> {
		this.refusedTokens.add(token);
		forgetToken(this.credentials, token);
		// Pages that are under way at the same time share one renewal.
		if (epoch === this.renewals && !this.renewal) {
			this.refusals += 1;
			const inVain = this.refusals - Number(this.isFirstRefusalOld);
			if (inVain >= this.mostInVain) return false;
			this.renewal = this.renew().finally(() => {
				this.renewal = undefined;
				this.renewals += 1;
			});
		}
		await this.renewal;
		return !stopped.aborted;
	}

	private get mostInVain(): number {
		const isLately = Date.now() - (lastPages.get(this.owner) ?? 0) < LATELY_MS;
		return isLately ? MOST_TOKENS_BETWEEN_PAGES : MOST_TOKENS_IN_VAIN;
	}

	/** Takes over a token that another run has stored since; otherwise the next request has n8n fetch one. */
	private async renew(): Promise<void> {
		const { credentials, refusedTokens, refusals } = this;
		const { accessToken, accessTokenFor } = await this.readStored();
		const isFresh = !refusedTokens.has(String(accessToken)) && accessTokenFor === fingerprint(credentials);
		if (isFresh && refusals === 1) {
			Object.assign(credentials, { accessToken, accessTokenFor });
			return;
		}
		// The credential takes this for a token of another key and has n8n renew it.
		credentials.accessTokenFor = '';
	}
}
