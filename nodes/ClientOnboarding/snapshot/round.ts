import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { Page } from '../service/response';
import type { Reason } from './doubt';
import { hasHole, hasOtherPages, hasOtherTotal, hasRepeats, hasStrays } from './doubt';
import type { PageRead } from './judgement';

interface Hole {
	number: number;
	/** Otherwise it came without clients, which may all be hidden. */
	isRefused: boolean;
}

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

	/** How often a client came on another page again, so that others may have come on none. */
	private repeats = 0;

	/** The first page and the last one with anybody new on it: who stands first there, and how many there are. */
	private readonly ends = { first: '', last: '' };

	/** Who has not come on any page so far. */
	private readonly newcomers = new Set<string>();

	private pendingHole?: Hole;

	/** A page that did not come although clients came after it. */
	private hole?: Hole;

	/** So many pages the service speaks of, where nobody came on the first one. */
	private emptyPages = 0;

	add({ page, number, isFull, isLast, isRefused }: PageRead): void {
		this.isComplete = isLast;
		if (page.clients.length === 0) {
			this.pendingHole ??= { number, isRefused };
			if (number === 1) {
				this.total = page.totalCount ?? 0;
				this.emptyPages = page.totalPages ?? 0;
			}
			return;
		}
		const isBarren = this.noteRepeats(page);
		if (!isBarren) this.hole ??= this.pendingHole;
		const { totalCount = 0 } = page;
		this.hasMovingTotal ||= this.pages > 0 && totalCount !== this.total;
		this.total = totalCount;
		this.rows += page.clients.length;
		this.pages += 1;
		this.isOneShortPage = this.repeats === 0 && (isBarren ? this.isOneShortPage : this.pages === 1 && !isFull);
		for (const client of page.clients) {
			const key = clientKey(client);
			this.clients.set(key, client);
			this.newcomers.delete(key);
		}
	}

	/** Whether nobody on this page is new. */
	private noteRepeats({ clients }: Page): boolean {
		const known = clients.filter((client) => this.isPaged(client)).length;
		const isBarren = known === clients.length;
		const name = `${clients.length} ${clientKey(clients[0])}`;
		// Past the end, some services give the first or the last page again.
		const isPageAgain = isBarren && Object.values(this.ends).includes(name);
		if (!isPageAgain) this.repeats += known;
		if (!isBarren) Object.assign(this.ends, { first: this.ends.first || name, last: name });
		return isBarren;
	}

	/** Adds clients that were seen beside the pages. */
	take({ clients, totalCount = this.total }: Page): void {
		this.hasMovingTotal ||= totalCount !== this.total;
		for (const client of clients) {
			const key = clientKey(client);
			if (!this.clients.has(key)) this.newcomers.add(key);
			this.clients.set(key, client);
		}
	}

	/** How many clients have come on pages. */
	get paged(): number {
		return this.clients.size - this.newcomers.size;
	}

	/** Whether the client has come on a page. */
	isPaged(client: Client): boolean {
		return this.has(client) && !this.newcomers.has(clientKey(client));
	}

	has(client: Client): boolean {
		return this.clients.has(clientKey(client));
	}

	/** One page that had room for more is a snapshot in itself, unless the total speaks of others. */
	get isSnapshot(): boolean {
		return this.isComplete && this.isOneShortPage && this.total <= this.clients.size;
	}

	/** A page in the middle did not come, and nothing tells that nobody stood there. */
	get hasHole(): boolean {
		const { clients, hole, total } = this;
		return hole !== undefined && (hole.isRefused ? total !== clients.size : total > clients.size);
	}

	/** Clients came or went while it was read, so that one may have moved from an unread page to a read one. */
	get hasMoved(): boolean {
		return this.hasMovingTotal || this.repeats > 0 || this.newcomers.size > 0;
	}

	/** Nobody came, and yet there are pages. */
	private get isBelied(): boolean {
		return this.clients.size === 0 && this.total === 0 && this.emptyPages > 1;
	}

	/** Nothing speaks of others. A client comes again where a newcomer stands before it, or one that left the pages ahead. */
	get isAllTold(): boolean {
		const { clients, total } = this;
		if (this.hasHole || this.isBelied || total > clients.size) return false;
		return total === clients.size || this.repeats <= this.newcomers.size;
	}

	/** Nobody can be missing, unless one left and another came meanwhile. */
	addsUp(foundInAllRounds: number): boolean {
		const isGone = this.rows === 0 && foundInAllRounds > 0;
		if (!this.isComplete || this.hasHole || this.hasMovingTotal || this.isBelied || isGone) return false;
		return this.total === (this.clients.size < this.rows ? foundInAllRounds : this.rows);
	}

	/** Why some may be missing although another round brought the same clients. */
	get lastingDoubt(): Reason | undefined {
		const { clients, total } = this;
		if (this.hole && this.hasHole) return hasHole(this.hole.number);
		if (this.isBelied) return hasOtherPages(this.emptyPages);
		if (total === clients.size) return undefined;
		if (this.repeats > 0) return hasRepeats;
		if (this.newcomers.size > 0 && !this.isOneShortPage) return hasStrays;
		return total < clients.size ? undefined : hasOtherTotal(total);
	}

	hasSameClients({ clients }: Round): boolean {
		if (clients.size !== this.clients.size) return false;
		for (const key of clients.keys()) if (!this.clients.has(key)) return false;
		return true;
	}
}
