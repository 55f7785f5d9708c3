import type { ServerResponse } from 'node:http';
import type { ServedRequest } from '../requests.mts';

/** A browser has one stream for all its pages. Above the limit, the oldest stream is closed and reconnects. */
export const MOST_READERS = 50;

const KEPT_REQUESTS = 200;
/** A reader this far behind is disconnected, so that it does not fill the memory. */
const MOST_UNREAD_BYTES = 256 * 1024;
const POLL_MS = 500;
const POLLS_PER_HEARTBEAT = 30;

function write(name: string, data: unknown): string {
	return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Streams every request, and the state of the sandbox whenever it changes. */
export class Events {
	readonly #readers = new Set<ServerResponse>();
	readonly #requests: ServedRequest[] = [];
	readonly #describeState: () => object;
	#state = '';
	#polls = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(describeState: () => object) {
		this.#describeState = describeState;
	}

	note(request: ServedRequest): void {
		this.#requests.push(request);
		if (this.#requests.length > KEPT_REQUESTS) this.#requests.shift();
		this.#emit(write('request', request));
	}

	open(response: ServerResponse): void {
		const [first] = this.#readers;
		if (this.#readers.size >= MOST_READERS) first.destroy();
		response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		response.once('close', () => {
			this.#readers.delete(response);
			if (this.#readers.size === 0) this.close();
		});
		this.#poll();
		response.write(`retry: 1000\n\n${this.#state}${write('requests', this.#requests)}`);
		this.#readers.add(response);
		this.#timer ??= setInterval(() => this.#poll(), POLL_MS).unref();
	}

	close(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	#poll(): void {
		const state = write('state', this.#describeState());
		this.#polls += 1;
		if (state !== this.#state) this.#emit(state);
		else if (this.#polls % POLLS_PER_HEARTBEAT === 0) this.#emit(': still here\n\n');
		this.#state = state;
	}

	#emit(text: string): void {
		for (const reader of this.#readers) {
			if (reader.writableLength > MOST_UNREAD_BYTES) reader.destroy();
			else reader.write(text);
		}
	}
}
