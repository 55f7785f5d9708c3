import { randomBytes } from 'node:crypto';

export interface TokensOptions {
	lifetimeSeconds: number;
	/** How many list requests a token is valid for; 0: any number. */
	requests: number;
	/** A new token revokes all earlier ones. */
	single: boolean;
	now: () => number;
}

/** Lifetime and number of requests may be changed at any time. */
export class Tokens {
	lifetimeSeconds: number;
	requests: number;
	readonly #single: boolean;
	readonly #now: () => number;
	readonly #issued = new Map<string, { expiryMs: number; uses: number }>();

	constructor({ lifetimeSeconds, requests, single, now }: TokensOptions) {
		this.lifetimeSeconds = lifetimeSeconds;
		this.requests = requests;
		this.#single = single;
		this.#now = now;
	}

	issue(): string {
		if (this.#single) this.revokeAll();
		else this.#removeExpired();
		const token = randomBytes(32).toString('base64url');
		this.#issued.set(token, { expiryMs: this.#now() + this.lifetimeSeconds * 1000, uses: 0 });
		return token;
	}

	isValid(token: string): boolean {
		const issued = this.#issued.get(token);
		if (!issued || this.#now() >= issued.expiryMs) return false;
		return this.requests === 0 || issued.uses < this.requests;
	}

	/** Counts one list request, if the token is still valid. */
	use(token: string): boolean {
		if (!this.isValid(token)) return false;
		this.#issued.get(token)!.uses += 1;
		return true;
	}

	revoke(token: string): boolean {
		return this.#issued.delete(token);
	}

	countValid(): number {
		return [...this.#issued.keys()].filter((token) => this.isValid(token)).length;
	}

	/** Returns how many tokens were still valid. */
	revokeAll(): number {
		const revoked = this.countValid();
		this.#issued.clear();
		return revoked;
	}

	#removeExpired() {
		for (const token of this.#issued.keys()) {
			if (this.isValid(token)) return;
			this.#issued.delete(token);
		}
	}
}
