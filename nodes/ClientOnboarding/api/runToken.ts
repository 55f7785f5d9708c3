import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { fingerprint } from './baseUrl';
import type { ConcurrencyLimiter } from './concurrencyLimiter';
import { pause, retryDelayMs } from './retry';

export const MAX_REFUSED_TOKENS = 8;
const MAX_TOKEN_DELAY_MS = 2_000;

export interface Token {
	value: string;
	/** Requests that were sent with it. Infinity for a stored or shared token, whose number of uses is unknown. */
	uses: number;
}

/** The token that all requests of a run share. */
export class RunToken {
	/** Unset if the next request has to request one. */
	current?: Token;

	private refresh?: Promise<boolean>;

	private refreshes = 0;

	/** Refused tokens since the last one that was accepted. */
	private refusals = 0;

	/** Tokens that were requested for this run since then, not taken over from other executions. */
	private newTokens = 0;

	private readonly refused = new Set<string>();

	constructor(
		credentials: ICredentialDataDecryptedObject,
		private readonly limiter: ConcurrencyLimiter,
		private readonly readStored: () => Promise<ICredentialDataDecryptedObject>,
	) {
		this.current = storedToken(credentials);
	}

	/** New tokens were refused, too. Other executions may have used them up, so the next one must not be shared. */
	get mustBeNew(): boolean {
		return this.refusals > 1;
	}

	/** Takes over the token that n8n requested during a request that started with `before`. */
	adopt(before: Token | undefined, value: string, isShared: boolean | undefined): Token {
		const token: Token = { value, uses: isShared ? Infinity : 0 };
		if (!isShared && this.current === before) this.newTokens += 1;
		if (this.current === before) this.current = token;
		// Requests at the same time may have requested the same one.
		return this.current?.value === value ? this.current : token;
	}

	/** The service returned a page, or something else that is not about the token. */
	noteAccepted(): void {
		this.refusals = 0;
		this.newTokens = 0;
	}

	/**
	 * Drops a token, so that the next request has another one. Parallel requests share it. `reason`: it was refused, or a
	 * refusal of something else may be about it. False if too many were refused.
	 */
	async replace(token: Token, reason: 'refused' | 'suspected', stopped: AbortSignal): Promise<boolean> {
		this.refused.add(token.value);
		// Another request has replaced it already.
		if (token !== this.current) return true;
		this.refresh ??= this.drop(reason, stopped).finally(() => (this.refresh = undefined));
		return await this.refresh;
	}

	private async drop(reason: 'refused' | 'suspected', stopped: AbortSignal): Promise<boolean> {
		if (reason === 'refused') {
			if (this.newTokens >= MAX_REFUSED_TOKENS) return false;
			this.refusals += 1;
		}
		this.refreshes += 1;
		// With fewer requests at once, a token that lives for two requests still serves all.
		if (this.refreshes > 1) this.limiter.halve();
		if (this.mustBeNew) await pause(Math.min(retryDelayMs(this.refusals - 1), MAX_TOKEN_DELAY_MS), stopped);
		// Another execution may have stored a newer one.
		const stored = storedToken(await this.readStored());
		this.current = stored && !this.mustBeNew && !this.refused.has(stored.value) ? stored : undefined;
		return true;
	}
}

/** Undefined if there is none, or one of another environment, address or key. */
function storedToken(credentials: ICredentialDataDecryptedObject): Token | undefined {
	const { accessToken, accessTokenFor } = credentials;
	if (!accessToken || accessTokenFor !== fingerprint(credentials)) return undefined;
	return { value: String(accessToken), uses: Infinity };
}
