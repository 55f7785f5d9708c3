import type { IDataObject } from 'n8n-workflow';
import type { Client } from './client';
import { clientKey } from './client';
import type { PageRead } from './pages';
import { PageReader } from './pages';
import type { AskForPage } from './request';

const FIRST_SIZE = 100;
const LARGE_SIZE = 1_000;
/** For reading again: a list that fits one page is a snapshot in itself. */
const LARGEST_SIZE = 100_000;
const MAX_ROUNDS = 10;

export interface ReadOptions {
	/** Enough after this many matching clients; Infinity for all. */
	limit: number;
	/** Undefined: chosen by how much there is to read. */
	pageSize?: number;
	parallelRequests: number;
	/** Few rows match, so that the limit says nothing about how much is to be read. */
	isSearch?: boolean;
}

export interface Reading {
	clients: Client[];
	/** Why the list may be incomplete, in words for the user. */
	doubt?: string;
	/** Not only the total is in doubt: the readings did not agree with each other. */
	isMoving?: boolean;
}

/** Reads a list until it has `limit` matching clients or all of them: each client once, none missing. */
export async function readSnapshot(
	ask: AskForPage,
	query: IDataObject,
	matches: (client: Client) => boolean,
	{ limit, pageSize, parallelRequests, isSearch }: ReadOptions,
): Promise<Reading> {
	const reader = new PageReader(ask, query, parallelRequests);
	let found: ClientsByKey = new Map();
	let round = new Round();
	let matching = 0;

	const first = await reader.readFirst(Math.min(isSearch ? Infinity : limit, pageSize ?? FIRST_SIZE));
	add(first);
	const rows = round.clients.size;
	if (matching >= limit || first.isLast) return result(round.clients);

	const total = first.page.totalCount ?? 0;
	const expected = total >= rows ? total + 1 : Infinity;
	let wanted = isSearch || matching < rows ? expected : Math.min(expected, limit);
	let size = pageSize ?? evenSize(wanted);
	matching = 0;
	for (let count = 1; ; count++) {
		round = new Round();
		for await (const read of reader.read(size, wanted, count === 1 ? first : undefined)) {
			if (count > 1 && round.isEmpty && confirms(read)) return result(found);
			add(read);
			if (matching >= limit) return result(merge(found, round.clients));
		}
		const foundBefore = found.size;
		found = merge(found, round.clients);
		if (round.addsUp(found.size)) return result(found);
		const isStuck = round.isComplete && count > 1 && found.size === foundBefore;
		if (isStuck || count === MAX_ROUNDS) {
			const isMoving = !isStuck || round.isMoving;
			return { ...result(found), doubt: doubtAbout(round.total, found.size, isMoving), isMoving };
		}

		wanted = Math.max(found.size, round.total) + 1;
		size = pageSize ?? Math.min(LARGEST_SIZE, Math.ceil(wanted * 1.1));
	}

	function add(read: PageRead): void {
		const { clients } = round;
		for (const client of read.page.clients) {
			const key = clientKey(client);
			const sizeBefore = clients.size;
			clients.set(key, client);
			if (clients.size > sizeBefore && !found.has(key) && matches(client)) matching++;
		}
		round.judge(read);
	}

	/** One page that is not full, with just the clients found before: two readings agree. */
	function confirms({ page, isFull }: PageRead): boolean {
		const isSame = page.clients.length === found.size && page.clients.every((client) => found.has(clientKey(client)));
		return isSame && !isFull;
	}

	function result(all: ClientsByKey): Reading {
		const clients: Client[] = [];
		for (const client of all.values()) {
			if (clients.length === limit) break;
			if (matches(client)) clients.push(client);
		}
		return { clients };
	}
}

type ClientsByKey = Map<string, Client>;

/** Of a client that is in both, the later record. */
function merge(earlier: ClientsByKey, later: ClientsByKey): ClientsByKey {
	return earlier.size === 0 ? later : new Map([...earlier, ...later]);
}

/** One reading of all pages, and what it shows about itself. */
class Round {
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

function doubtAbout(total: number, found: number, isMoving: boolean): string | undefined {
	if (total > found)
		return `The service speaks of ${total} clients, but ${found} came, also when asked again. Some may be missing.`;
	return isMoving ? `The list kept changing while it was read. ${found} clients came; some may be missing.` : undefined;
}

/** As few pages as needed, all of about the same size; one row more than is there is no reason for another page. */
function evenSize(rows: number): number {
	return Number.isFinite(rows) ? Math.ceil(rows / Math.ceil((rows - 1) / LARGE_SIZE)) : LARGE_SIZE;
}
