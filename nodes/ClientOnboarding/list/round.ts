import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { PageRead } from './pages';

/** So many times the total, and so many more, may come before nobody believes in an end any more. */
const MOST_TIMES_TOTAL = 10;
const MOST_CLIENTS_MORE = 1_000;
const MOST_CLIENTS = 1_000_000;

export type ClientsByKey = Map<string, Client>;

/** All pages read once, and what it shows about itself. */
export class Round {
	readonly clients: ClientsByKey = new Map();

	isComplete = false;

	/** The total the service named last; 0 where it named none. */
	total = 0;

	private rows = 0;

	private pages = 0;

	private hasMovingTotal = false;

	private isOneShortPage = false;

	add({ page, isFull, isLast }: PageRead): void {
		this.isComplete = isLast;
		if (page.clients.length === 0) return;
		const { totalCount = 0 } = page;
		this.hasMovingTotal ||= this.pages > 0 && totalCount !== this.total;
		this.total = totalCount;
		this.rows += page.clients.length;
		this.pages += 1;
		this.isOneShortPage = this.pages === 1 && !isFull;
		this.take(page.clients);
	}

	take(clients: Client[]): void {
		for (const client of clients) this.clients.set(clientKey(client), client);
	}

	has(client: Client): boolean {
		return this.clients.has(clientKey(client));
	}

	/** One page that had room for more is a snapshot in itself, unless the total speaks of others. */
	get isSnapshot(): boolean {
		return this.isComplete && this.isOneShortPage && this.total <= this.clients.size;
	}

	get isEndless(): boolean {
		const most = this.total > 0 ? MOST_TIMES_TOTAL * this.total + MOST_CLIENTS_MORE : MOST_CLIENTS;
		return this.clients.size > most;
	}

	/** Nobody can be missing, unless one left and another came meanwhile. */
	addsUp(foundInAllRounds: number): boolean {
		if (!this.isComplete || this.hasMovingTotal) return false;
		return this.total === (this.clients.size < this.rows ? foundInAllRounds : this.rows);
	}

	hasSameClients({ clients }: Round): boolean {
		if (clients.size !== this.clients.size) return false;
		for (const key of clients.keys()) if (!this.clients.has(key)) return false;
		return true;
	}
}
