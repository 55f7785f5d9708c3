import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Doubt } from './doubt';
import { doubtEndless, doubtFirstOnly, doubtMoving, mostClients } from './doubt';
import type { PageRead } from './judgement';
import { PageReader } from './pages';
import type { ClientsByKey } from './round';
import { Round } from './round';
import type { Verdict } from './seams';
import { SeamInspection } from './seams';
import { firstSize, quickSize, wholeSize } from './sizes';

const MAX_ROUNDS = 10;
/** A list in another order on every request is found little by little. */
const MAX_UNORDERED_ROUNDS = 30;

/** Whether a client at the seam of two pages may be missed while others come and go. */
export type Consistency = 'exact' | 'fast';

/** How pages are asked for. */
export interface Paging {
	/** Undefined: chosen by how much there is to read. */
	pageSize?: number;
	parallelRequests: number;
	consistency: Consistency;
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
	/** All rows of the first page, whoever matches. */
	head: Client[];
	doubt?: Doubt;
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

	/** Who came again since the last one was found. */
	private readonly seenAgain = new Set<string>();

	private round = new Round();

	private matching = 0;

	private head: Client[] = [];

	private firstTotal = 0;

	/** More clients than this are not believed in. */
	private most = Infinity;

	private looksAtSeams: boolean;

	/** The seams of a round have held. */
	private hasHeld = false;

	/** Rows stand in another order each time. */
	private isUnordered = false;

	constructor(
		private readonly reader: PageReader,
		private readonly matches: (client: Client) => boolean,
		private readonly options: SnapshotOptions,
	) {
		// Up to a limit, any clients will do.
		this.looksAtSeams = options.consistency === 'exact' && options.limit === Infinity;
	}

	async read(): Promise<Snapshot> {
		const { limit, pageSize, isSearch } = this.options;
		const mostRows = isSearch ? Infinity : limit;
		const first = await this.reader.readFirst(pageSize ? Math.min(mostRows, pageSize) : firstSize(mostRows));
		this.head = first.page.clients;
		this.firstTotal = first.page.totalCount ?? 0;
		this.most = mostClients(this.firstTotal, this.head.length);
		this.add(first);
		if (this.isEnough || first.isLast) return this.result(this.round.clients);

		const wantedRows = this.expectRows(first);
		this.matching = 0;
		return await this.readInRounds(wantedRows, first);
	}

	private async readInRounds(firstWanted: number, first: PageRead): Promise<Snapshot> {
		const { pageSize } = this.options;
		let wantedRows = firstWanted;
		// A total that ends where the page ends may be that of the page: the next one of the same size tells.
		const isInDoubt = this.firstTotal === this.head.length;
		let size =
			pageSize ?? (isInDoubt ? first.size : Math.max(first.size, quickSize(wantedRows, this.reader.quickRows)));
		for (let count = 1; ; count++) {
			const previous = count === 1 ? undefined : this.round;
			const isSettled = await this.readRound(size, wantedRows, count === 1 ? first : undefined);
			const result = isSettled ? this.result() : this.conclude(count, previous);
			if (result) return { ...result, doubt: result.doubt ?? (await this.findFirstOnly()) };
			wantedRows = Math.max(this.found.size, this.round.total) + 1;
			size = pageSize ?? wholeSize(wantedRows);
		}
	}

	/** Whether this round needs no other to be believed. */
	private async readRound(size: number, wantedRows: number, known?: PageRead): Promise<boolean> {
		const { reader } = this;
		const isAgain = this.found.size > 0;
		const round = new Round();
		this.round = round;
		const seams = this.looksAtSeams ? new SeamInspection(reader, round) : undefined;
		try {
			for await (const read of reader.read(size, wantedRows, round, known)) {
				seams?.add(read);
				this.add(read);
				if (this.isEnough || this.isEndless) break;
			}
			const verdict = round.isComplete && !round.isSnapshot ? await seams?.end() : undefined;
			if (verdict) this.learnFrom(verdict);
			this.remember();
			if (this.isEnough || round.isSnapshot) return true;
			if (seams) {
				this.hasHeld ||= verdict === 'holds' && round.isAllTold;
				// Who moved to a page that was read already is found by another round.
				return this.hasHeld && round.isAllTold && (isAgain || !round.hasMoved);
			}
			return !this.isUnordered && round.addsUp(this.found.size);
		} finally {
			seams?.stop();
		}
	}

	private learnFrom(verdict: Verdict): void {
		this.isUnordered = verdict === 'unordered';
		this.looksAtSeams = verdict === 'holds' || verdict === 'broken';
	}

	/** Of a client that came before, the later record. */
	private remember(): void {
		const { found, round, seenAgain } = this;
		this.found = found.size === 0 ? round.clients : new Map([...found, ...round.clients]);
		if (this.found.size > found.size) seenAgain.clear();
		else for (const key of round.clients.keys()) seenAgain.add(key);
	}

	/** What several rounds together come to; undefined where another one is needed. */
	private conclude(count: number, previous?: Round): Snapshot | undefined {
		const { found, round, isUnordered } = this;
		if (previous && round.isComplete && round.hasSameClients(previous)) {
			// A list that seems to be empty after some came may be one whose service cannot read it just now.
			const isEmptied = round.clients.size === 0 && this.head.length > 0;
			return this.result(found, isEmptied ? doubtMoving(found.size) : previous.lastingDoubt && round.lastingDoubt);
		}
		const isAllSeenAgain = isUnordered && this.seenAgain.size === found.size;
		if (isAllSeenAgain && round.total === found.size) return this.result();
		if (this.isEndless) return this.result(found, doubtEndless(this.firstTotal, found.size));
		// Where the total has moved, the next rounds tell who is still there.
		const isOver = isAllSeenAgain && round.total === this.firstTotal;
		if (!isOver && count < (isUnordered ? MAX_UNORDERED_ROUNDS : MAX_ROUNDS)) return undefined;
		return this.result(found, doubtMoving(found.size));
	}

	/** Where each page is the first one again, the others cannot be asked for. */
	private async findFirstOnly(): Promise<Doubt | undefined> {
		const { found, round } = this;
		if (this.isEnough || found.size === 0) return undefined;
		const isMinded = await this.reader.mindsNumbers(found.size);
		return (isMinded ?? round.total === found.size) ? undefined : doubtFirstOnly(found.size);
	}

	private get isEndless(): boolean {
		return this.round.clients.size > this.most;
	}

	private get isEnough(): boolean {
		return this.matching >= this.options.limit;
	}

	private add(read: PageRead): void {
		const { found, round } = this;
		for (const client of read.page.clients) {
			if (!round.has(client) && !found.has(clientKey(client)) && this.matches(client)) this.matching += 1;
		}
		round.add(read);
	}

	/** How many rows there are to read after the first page, as far as it tells. */
	private expectRows({ page }: PageRead): number {
		const { limit, isSearch } = this.options;
		const rows = this.round.clients.size;
		const total = page.totalCount ?? 0;
		// A total that is no more than the rows of a full page may be that of the page.
		const expected = total > rows ? total + 1 : Infinity;
		return isSearch || this.matching < rows ? expected : Math.min(expected, limit);
	}

	private result(all = this.found, doubt?: Doubt): Snapshot {
		const clients: Client[] = [];
		for (const client of all.values()) {
			if (clients.length === this.options.limit) break;
			if (this.matches(client)) clients.push(client);
		}
		return { clients, head: this.head, doubt };
	}
}
