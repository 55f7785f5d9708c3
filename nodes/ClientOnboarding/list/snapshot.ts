import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { PageRead } from './pages';
import { PageReader } from './pages';
import type { ClientsByKey } from './round';
import { Round } from './round';

const FIRST_SIZE = 100;
const LARGE_SIZE = 1_000;
/** For reading again: a list that fits one page is a snapshot in itself. */
const LARGEST_SIZE = 100_000;
const MAX_ROUNDS = 10;

/** How pages are asked for. */
export interface Paging {
	/** Undefined: chosen by how much there is to read. */
	pageSize?: number;
	parallelRequests: number;
}

export interface SnapshotOptions extends Paging {
	/** Enough after this many matching clients; Infinity for all. */
	limit: number;
	/** Few rows match, so that the limit says nothing about how much is to be read. */
	isSearch?: boolean;
}

/** The clients of a list at one time. */
export interface Snapshot {
	clients: Client[];
	/** Why the list may be incomplete, in words for the user. */
	doubt?: string;
	/** Not only the total is in doubt: the rounds of reading did not agree with each other. */
	isMoving?: boolean;
}

/** Reads a list until it has `limit` matching clients or all of them: each client once, none missing. */
export async function readSnapshot(
	ask: AskForPage,
	query: IDataObject,
	matches: (client: Client) => boolean,
	options: SnapshotOptions,
): Promise<Snapshot> {
	const reader = new PageReader(ask, query, options.parallelRequests);
	return await new SnapshotReader(reader, matches, options).read();
}

/** Reads the same list in rounds until what came adds up. */
class SnapshotReader {
	/** Of all rounds that are over. */
	private found: ClientsByKey = new Map();

	private round = new Round();

	private matching = 0;

	constructor(
		private readonly reader: PageReader,
		private readonly matches: (client: Client) => boolean,
		private readonly options: SnapshotOptions,
	) {}

	async read(): Promise<Snapshot> {
		const { limit, pageSize, isSearch } = this.options;
		const first = await this.reader.readFirst(Math.min(isSearch ? Infinity : limit, pageSize ?? FIRST_SIZE));
		this.add(first);
		if (this.isEnough || first.isLast) return this.result(this.round.clients);

		const wantedRows = this.expectRows(first);
		this.matching = 0;
		return await this.readInRounds(wantedRows, first);
	}

	private async readInRounds(firstWanted: number, first: PageRead): Promise<Snapshot> {
		const { pageSize } = this.options;
		let wantedRows = firstWanted;
		let size = pageSize ?? evenSize(wantedRows);
		for (let count = 1; ; count++) {
			const foundBefore = this.found.size;
			const isSettled = await this.readRound(size, wantedRows, count === 1 ? first : undefined);
			const { found, round } = this;
			if (isSettled || round.addsUp(found.size)) return this.result();
			const isStuck = round.isComplete && count > 1 && found.size === foundBefore;
			if (isStuck || count === MAX_ROUNDS) {
				const isMoving = !isStuck || round.isMoving;
				return { ...this.result(), doubt: doubtAbout(round.total, found.size, isMoving), isMoving };
			}
			wantedRows = Math.max(found.size, round.total) + 1;
			size = pageSize ?? Math.min(LARGEST_SIZE, Math.ceil(wantedRows * 1.1));
		}
	}

	/** Whether no other round is needed, whatever this one adds up to: enough was found, or just what was known before. */
	private async readRound(size: number, wantedRows: number, known?: PageRead): Promise<boolean> {
		this.round = new Round();
		for await (const read of this.reader.read(size, wantedRows, known)) {
			if (!known && this.round.isEmpty && this.confirms(read)) return true;
			this.add(read);
			if (this.isEnough) break;
		}
		this.found = merge(this.found, this.round.clients);
		return this.isEnough;
	}

	private get isEnough(): boolean {
		return this.matching >= this.options.limit;
	}

	private add(read: PageRead): void {
		const { clients } = this.round;
		for (const client of read.page.clients) {
			const key = clientKey(client);
			const sizeBefore = clients.size;
			clients.set(key, client);
			if (clients.size > sizeBefore && !this.found.has(key) && this.matches(client)) this.matching += 1;
		}
		this.round.judge(read);
	}

	/** How many rows there are to read after the first page, as far as it tells. */
	private expectRows({ page }: PageRead): number {
		const { limit, isSearch } = this.options;
		const rows = this.round.clients.size;
		const total = page.totalCount ?? 0;
		const expected = total >= rows ? total + 1 : Infinity;
		return isSearch || this.matching < rows ? expected : Math.min(expected, limit);
	}

	/** One page that is not full, with just the clients found before: two rounds agree. */
	private confirms({ page, isFull }: PageRead): boolean {
		const { found } = this;
		const isSame = page.clients.length === found.size && page.clients.every((client) => found.has(clientKey(client)));
		return isSame && !isFull;
	}

	private result(all = this.found): Snapshot {
		const clients: Client[] = [];
		for (const client of all.values()) {
			if (clients.length === this.options.limit) break;
			if (this.matches(client)) clients.push(client);
		}
		return { clients };
	}
}

/** Of a client that is in both, the later record. */
function merge(earlier: ClientsByKey, later: ClientsByKey): ClientsByKey {
	return earlier.size === 0 ? later : new Map([...earlier, ...later]);
}

function doubtAbout(total: number, found: number, isMoving: boolean): string | undefined {
	if (total > found) {
		return `The service speaks of ${total} clients, but ${found} came, also when asked again. Some may be missing.`;
	}
	return isMoving ? `The list kept changing while it was read. ${found} clients came; some may be missing.` : undefined;
}

/** As few pages as needed, all of about the same size; one row more than is there is no reason for another page. */
function evenSize(rows: number): number {
	return Number.isFinite(rows) ? Math.ceil(rows / Math.ceil((rows - 1) / LARGE_SIZE)) : LARGE_SIZE;
}
