import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { Doubt, Reason } from './doubt';
import { hasNoEnd, isFirstPageOnly, mostClients } from './doubt';
import type { PageRead } from './judgement';
import { PageReader } from './pages';
import { Round } from './round';
import { Rounds } from './rounds';
import type { Verdict } from './seams';
import { SeamInspection } from './seams';
import { firstSize, quickSize, wholeSize } from './sizes';
import type { Source } from './source';

/** Whether a client at the seam of two pages may be missed while others come and go. */
export type Consistency = 'exact' | 'fast';

/** How pages are asked for. */
export interface Paging {
	/** Undefined: chosen by how much there is to read. */
	pageSize?: number;
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
	/** How many clients the service spoke of last, whoever matches; 0 where it named no total. */
	total: number;
	doubt?: Doubt;
}

/** Reads a list until it has `limit` matching clients or all of them: each client once, none missing. */
export async function readSnapshot(
	source: Source,
	query: IDataObject,
	matches: (client: Client) => boolean,
	options: SnapshotOptions,
): Promise<Snapshot> {
	const { limit, pageSize, isSearch } = options;
	const mostRows = isSearch ? Infinity : limit;
	const reader = new PageReader(source, query);
	const first = await reader.readFirst(pageSize ? Math.min(mostRows, pageSize) : firstSize(mostRows));
	return await new SnapshotReader(reader, matches, options, first).read();
}

/** Reads the same list in rounds until they can be believed. */
class SnapshotReader {
	private readonly rounds: Rounds;

	private round = new Round();

	private matching = 0;

	private readonly head: Client[];

	private readonly firstTotal: number;

	/** More clients than this are not believed in. */
	private readonly most: number;

	constructor(
		private readonly reader: PageReader,
		private readonly matches: (client: Client) => boolean,
		private readonly options: SnapshotOptions,
		private readonly first: PageRead,
	) {
		const { clients, totalCount = 0 } = first.page;
		this.head = clients;
		this.firstTotal = totalCount;
		this.most = mostClients(totalCount, clients.length);
		// Up to a limit, any clients will do.
		const looksAtSeams = options.consistency === 'exact' && options.limit === Infinity;
		this.rounds = new Rounds(totalCount, clients.length > 0, looksAtSeams);
	}

	async read(): Promise<Snapshot> {
		this.add(this.first);
		if (this.isEnough || this.first.isLast) return this.result(this.round.clients);

		const wantedRows = this.expectRows();
		this.matching = 0;
		return await this.readInRounds(wantedRows);
	}

	private async readInRounds(firstWanted: number): Promise<Snapshot> {
		const { first, reader, rounds } = this;
		const { pageSize } = this.options;
		let wantedRows = firstWanted;
		let known: PageRead | undefined = first;
		// A total that ends where the page ends may be that of the page: the next one of the same size tells.
		const isInDoubt = this.firstTotal === this.head.length;
		let size = pageSize ?? (isInDoubt ? first.size : Math.max(first.size, quickSize(wantedRows, reader.quickRows)));
		for (;;) {
			const seams = await this.readRound(size, wantedRows, known);
			const conclusion = rounds.add(this.round, seams);
			if (this.isEnough) return this.result();
			if (this.isEndless) return this.result(rounds.found, hasNoEnd(this.firstTotal));
			if (conclusion) return this.result(rounds.found, (await this.findFirstOnly()) ?? conclusion.doubt);
			known = undefined;
			wantedRows = Math.max(rounds.found.size, this.round.total) + 1;
			size = pageSize ?? wholeSize(wantedRows);
		}
	}

	/** What the seams of this round came to, where they were looked at. */
	private async readRound(size: number, wantedRows: number, known?: PageRead): Promise<Verdict | undefined> {
		const { reader } = this;
		const round = new Round();
		this.round = round;
		const seams = this.rounds.looksAtSeams ? new SeamInspection(reader, round) : undefined;
		try {
			for await (const read of reader.read(size, wantedRows, round, known)) {
				seams?.add(read);
				this.add(read);
				if (this.isEnough || this.isEndless) break;
			}
			return round.isComplete && !round.isSnapshot ? await seams?.end() : undefined;
		} finally {
			seams?.stop();
		}
	}

	/** Where each page is the first one again, the others cannot be asked for. */
	private async findFirstOnly(): Promise<Reason | undefined> {
		const { round, rounds } = this;
		const { size } = rounds.found;
		if (round.isSnapshot || size === 0) return undefined;
		return (await this.reader.ignoresNumbers(size)) ? isFirstPageOnly : undefined;
	}

	private get isEndless(): boolean {
		return this.round.clients.size > this.most;
	}

	private get isEnough(): boolean {
		return this.matching >= this.options.limit;
	}

	private add(read: PageRead): void {
		const { rounds, round } = this;
		for (const client of read.page.clients) {
			if (!round.has(client) && !rounds.found.has(clientKey(client)) && this.matches(client)) this.matching += 1;
		}
		round.add(read);
	}

	/** How many rows there are to read after the first page, as far as it tells. */
	private expectRows(): number {
		const { limit, isSearch } = this.options;
		const rows = this.round.clients.size;
		// A total that is no more than the rows of a full page may be that of the page.
		const expected = this.firstTotal > rows ? this.firstTotal + 1 : Infinity;
		return isSearch || this.matching < rows ? expected : Math.min(expected, limit);
	}

	private result(all = this.rounds.found, reason?: Reason): Snapshot {
		const clients: Client[] = [];
		for (const client of all.values()) {
			if (clients.length === this.options.limit) break;
			if (this.matches(client)) clients.push(client);
		}
		return {
			clients,
			head: this.head,
			total: this.round.total,
			doubt: reason?.({ given: clients.length, found: all.size }),
		};
	}
}
