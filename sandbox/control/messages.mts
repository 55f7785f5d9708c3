import { conceal } from '../requests.mts';

const KEPT_MESSAGES = 100;
export const MOST_LETTERS = 4_000;

export interface Message {
	at: string;
	text: string;
}

/** A practice chat: what workflows would have sent to a real one. */
export class Messages {
	readonly #kept: Message[] = [];
	#received = 0;

	/** How many came so far. */
	get received() {
		return this.#received;
	}

	/** The newest first. */
	list(): Message[] {
		return [...this.#kept].reverse();
	}

	/** Keeps the text without any of the keys. */
	take(text: string, keys: string[]): Message {
		const message = { at: new Date().toISOString(), text: conceal(text, keys) };
		this.#kept.push(message);
		if (this.#kept.length > KEPT_MESSAGES) this.#kept.shift();
		this.#received += 1;
		return message;
	}

	clear(): void {
		this.#kept.length = 0;
		this.#received = 0;
	}
}
