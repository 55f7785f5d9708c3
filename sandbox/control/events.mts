import type { ServerResponse } from 'node:http';
import type { ServedRequest } from '../requests.mts';

/** A browser has one stream for all its pages. Where more want to read, the one that came first has to come again. */
export const MOST_READERS = 50;

const KEPT_REQUESTS = 200;
/** Whoever lets so much pile up does not read: better to come again than to fill the memory. */
const MOST_UNREAD_BYTES = 256 * 1024;
const LOOK_MS = 500;
const LOOKS_PER_BEAT = 30;

function write(name: string, data: unknown): string {
	return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Tells whoever reads of every request, and of the sandbox's condition as soon as it is another one. */
export class Events {
	readonly #readers = new Set<ServerResponse>();
	readonly #requests: ServedRequest[] = [];
	readonly #describeState: () => object;
	#state = '';
	#looks = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(describeState: () => object) {
		this.#describeState = describeState;
	}

	note(request: ServedRequest): void {
		this.#requests.push(request);
		if (this.#requests.length > KEPT_REQUESTS) this.#requests.shift();
		this.#tell(write('request', request));
	}

	open(response: ServerResponse): void {
		const [first] = this.#readers;
		if (this.#readers.size >= MOST_READERS) first.destroy();
		response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		response.once('close', () => {
			this.#readers.delete(response);
			if (this.#readers.size === 0) this.close();
		});
		this.#look();
		response.write(`retry: 1000\n\n${this.#state}${write('requests', this.#requests)}`);
		this.#readers.add(response);
		this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
	}

	close(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	#look(): void {
		const state = write('state', this.#describeState());
		this.#looks += 1;
		if (state !== this.#state) this.#tell(state);
		else if (this.#looks % LOOKS_PER_BEAT === 0) this.#tell(': still here\n\n');
		this.#state = state;
	}

	#tell(text: string): void {
		for (const reader of this.#readers) {
			if (reader.writableLength > MOST_UNREAD_BYTES) reader.destroy();
			else reader.write(text);
		}
	}
}
