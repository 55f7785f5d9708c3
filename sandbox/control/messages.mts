import { redact } from '../requests.mts';

const KEPT_MESSAGES = 100;
export const MOST_CHARACTERS = 4_000;

export interface Message {
	at: string;
	text: string;
}

/** A test inbox for the messages that workflows send to a chat. */
export class Messages {
	readonly #kept: Message[] = [];
	#received = 0;

	/** Also counts messages that are no longer kept. */
	get received() {
		return this.#received;
	}

	/** The newest first. */
	list(): Message[] {
		return [...this.#kept].reverse();
	}

	/** Keeps the text without API keys. */
	take(text: string, keys: string[]): Message {
		const message = { at: new Date().toISOString(), text: redact(text, keys) };
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
