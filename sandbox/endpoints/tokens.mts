import { randomBytes } from 'node:crypto';

export interface TokensOptions {
	lifetimeSeconds: number;
	/** A new exchange revokes every earlier token. */
	single: boolean;
	now: () => number;
}

export class Tokens {
	lifetimeSeconds: number;
	readonly #single: boolean;
	readonly #now: () => number;
	readonly #expiryMs = new Map<string, number>();

	constructor({ lifetimeSeconds, single, now }: TokensOptions) {
		this.lifetimeSeconds = lifetimeSeconds;
		this.#single = single;
		this.#now = now;
	}

	issue(): string {
		if (this.#single) this.revokeAll();
		else this.#forgetExpired();
		const token = randomBytes(32).toString('base64url');
		this.#expiryMs.set(token, this.#now() + this.lifetimeSeconds * 1000);
		return token;
	}

	isValid(token: string): boolean {
		const expiryMs = this.#expiryMs.get(token);
		return expiryMs !== undefined && this.#now() < expiryMs;
	}

	revoke(token: string): boolean {
		return this.#expiryMs.delete(token);
	}

	/** Returns how many tokens were still valid. */
	revokeAll(): number {
		const revoked = [...this.#expiryMs.keys()].filter((token) => this.isValid(token)).length;
		this.#expiryMs.clear();
		return revoked;
	}

	#forgetExpired() {
		for (const token of this.#expiryMs.keys()) {
			if (this.isValid(token)) return;
			this.#expiryMs.delete(token);
		}
	}
}
