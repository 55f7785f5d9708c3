import { randomInt } from 'node:crypto';
import type { Clients } from '../data/clients.mts';

export const MOST_PER_MINUTE = 600;

const MINUTE_MS = 60_000;
const TRIES = 200;

/** The next statuses, likelier ones more than once. The specification shows no transitions. */
const NEXT: Record<string, readonly string[]> = {
	Requested: ['Pending', 'Pending', 'Accepted'],
	Pending: ['Accepted', 'Accepted', 'Completed', 'Declined'],
	Accepted: ['Completed'],
};

const pick = <T,>(from: readonly T[]): T => from[randomInt(from.length)];

/** Changes the status of one open request, or adds a request if hardly any are open. */
export function moveOne(clients: Clients): void {
	const rows = clients.rows('created');
	for (let tries = Math.min(TRIES, rows.length); tries > 0; tries--) {
		const row = pick(rows as unknown as readonly number[]);
		const next = NEXT[clients.columns.requestStatus(row)];
		if (next) return void clients.setStatus(clients.columns.referenceId(row), pick(next));
	}
	clients.add({ request_status: 'Requested' });
}

/** Changes this many statuses a minute automatically. Off by default. */
export class Liveliness {
	readonly #clients: Clients;
	#timer: NodeJS.Timeout | undefined;
	#perMinute = 0;

	constructor(clients: Clients) {
		this.#clients = clients;
	}

	get perMinute() {
		return this.#perMinute;
	}

	set perMinute(changes: number) {
		clearInterval(this.#timer);
		this.#perMinute = changes;
		if (changes === 0) return;
		this.#timer = setInterval(() => moveOne(this.#clients), MINUTE_MS / changes);
		this.#timer.unref();
	}
}
