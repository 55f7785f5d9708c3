import type { Client } from '../service/client';
import type { PageRead } from './pages';

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

	private hasRepeatedPage = false;

	get isEmpty(): boolean {
		return this.pages === 0;
	}

	judge({ page, isFull, isLast, isRepeat = false }: PageRead): void {
		this.isComplete = isLast;
		this.hasRepeatedPage ||= isRepeat;
		if (page.clients.length === 0) return;
		const { totalCount = 0 } = page;
		this.hasMovingTotal ||= this.pages > 0 && totalCount !== this.total;
		this.total = totalCount;
		this.rows += page.clients.length;
		this.pages += 1;
		this.isOneShortPage = this.pages === 1 && !isFull;
	}

	/** No client can be missing, as far as anyone can tell from outside. */
	addsUp(foundInAllRounds: number): boolean {
		if (!this.isComplete || this.isEmpty || this.hasMovingTotal) return false;
		if (this.isOneShortPage) return true;
		return this.total === (this.hasRepeats ? foundInAllRounds : this.rows);
	}

	get isMoving(): boolean {
		return this.hasMovingTotal || this.hasRepeats || this.hasRepeatedPage;
	}

	private get hasRepeats(): boolean {
		return this.clients.size < this.rows;
	}
}
