import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { clientKey, textOf } from '../api/record';
import type { Consistency, Pass, Verdict } from './completeness';
import { describeVerdict, judge, maxRows } from './completeness';
import { FIRST_PAGE_SIZE, LARGEST_PAGE_SIZE } from './pageSize';
import type { NumberedPage } from './paginate';
import { fetchFirstPage, paginate } from './paginate';
import type { Source } from './source';

/** Asked for if the service reports no total. */
const ROWS_WITHOUT_TOTAL = 1_000;

/** How pages are requested. */
export interface Paging {
	/** Undefined: chosen by how many clients there are. */
	pageSize?: number;
	consistency: Consistency;
}

interface ReadOptions extends Paging {
	/** Enough after this many matching clients; Infinity for all. */
	limit: number;
	matches: (client: Client) => boolean;
	/** Matches may be rare, so more rows than the limit have to be read. */
	isSearch?: boolean;
}

export interface ListRead {
	/** Those that match, at most `limit`. */
	clients: Client[];
	/** How many clients the service reports, matching or not; 0 if it reports none. */
	total: number;
	/** How many rows the service returned, matching or not. */
	rows: number;
	completeness: Verdict;
	/** For the user, if clients may be missing. */
	warning?: string;
}

/** Reads a list in passes over its pages until it is complete or there is reason for a warning. */
export async function readList(source: Source, query: IDataObject, options: ReadOptions): Promise<ListRead> {
	return await new ListReader(source, query, options).read();
}

class ListReader {
	/** The latest record of each client, and the last pass that had it. */
	private readonly found = new Map<string, { client: Client; pass: Pass }>();

	private readonly passes: Pass[] = [];

	/** The latest `created_at` of all clients found in earlier passes. */
	private newestCreated = '';

	private matching = 0;

	/** The last one that the service reported. */
	private total?: number;

	constructor(
		private readonly source: Source,
		private readonly query: IDataObject,
		private readonly options: ReadOptions,
	) {}

	async read(): Promise<ListRead> {
		const { limit, pageSize, isSearch, consistency } = this.options;
		const mostRows = isSearch ? Infinity : limit;
		const first = await fetchFirstPage(this.source, this.query, pageSize ?? Math.min(FIRST_PAGE_SIZE, mostRows));
		let size = pageSize ?? this.sizeForAll(first);
		let known = pageSize === undefined && size > first.granted ? undefined : first;
		// It does not count as a pass, but its rows and its total are not forgotten.
		if (!known) this.addRows(first, this.startPass(first));
		for (;;) {
			const pass = await this.readPass(size, known);
			this.passes.push(pass);
			const verdict = judge(this.passes, consistency);
			if (verdict !== 'readAgain') return this.result(verdict);
			size = pageSize ?? rowsToRequest(Math.max(this.found.size, pass.total ?? 0));
			known = undefined;
		}
	}

	/** After the first page, the rest is requested in one page if possible; of a limited read, no more than it wants. */
	private sizeForAll(first: NumberedPage): number {
		const { limit, isSearch, matches } = this.options;
		const { clients, granted, totalCount } = first;
		const matching = clients.filter(matches).length;
		const isDone = matching >= limit || (clients.length < granted && clients.length >= (totalCount ?? Infinity));
		if (isDone || clients.length === 0) return granted;
		const all = rowsToRequest(totalCount ?? ROWS_WITHOUT_TOTAL);
		const wanted = isSearch || matching < clients.length ? all : Math.min(all, limit);
		return Math.min(wanted, this.source.learned.largestPage);
	}

	private async readPass(size: number, known: NumberedPage | undefined): Promise<Pass> {
		let pass: Pass | undefined;
		for await (const page of paginate(this.source, this.query, size, known)) {
			// Page 1 starts the pass, perhaps again in smaller pages.
			if (pass === undefined || page.number === 1) pass = this.startPass(page);
			const before = pass.rows;
			this.addRows(page, pass);
			const hasNoNewRows = pass.rows === before;
			const isShort = page.clients.length < page.granted;
			if (this.matching >= this.options.limit) pass.end = 'enough';
			else if (page.number * page.granted > maxRows(pass.total)) pass.end = 'endless';
			else if (page.number === 1 && isShort && pass.rows >= (pass.total ?? Infinity)) pass.end = 'snapshot';
			else if (!hasNoNewRows && !(isShort && pass.rows >= (pass.total ?? Infinity))) continue;
			break;
		}
		this.noteNewest();
		return pass as Pass;
	}

	/** A list that had a total keeps it: an empty page reports none. */
	private startPass({ totalCount }: NumberedPage): Pass {
		this.total = totalCount ?? this.total;
		return { rows: 0, repeatedRows: 0, missedRows: 0, total: this.total, end: 'lastPage', hasTotalMoved: false };
	}

	private addRows({ clients, totalCount }: NumberedPage, pass: Pass): void {
		if (clients.length > 0 && totalCount !== pass.total) pass.hasTotalMoved = true;
		const before = this.passes.at(-1);
		for (const client of clients) {
			const key = clientKey(client);
			const known = this.found.get(key);
			if (known?.pass !== pass) pass.rows += 1;
			if (known && known.pass === before) pass.repeatedRows += 1;
			if (!known) {
				if (this.options.matches(client)) this.matching += 1;
				// A client that was created after all others has just arrived; an older one was missed.
				if (before && !(textOf(client.created_at) > this.newestCreated)) pass.missedRows += 1;
				this.found.set(key, { client, pass });
			} else {
				known.client = client;
				known.pass = pass;
			}
		}
	}

	private noteNewest(): void {
		for (const { client } of this.found.values()) {
			const created = textOf(client.created_at);
			if (created > this.newestCreated) this.newestCreated = created;
		}
	}

	private result(completeness: Verdict): ListRead {
		const { limit, matches } = this.options;
		const clients: Client[] = [];
		for (const { client } of this.found.values()) {
			if (clients.length === limit) break;
			if (matches(client)) clients.push(client);
		}
		const warning = describeVerdict(completeness, this.total, this.found.size);
		return { clients, total: this.total ?? 0, rows: this.found.size, completeness, warning };
	}
}

/** One more row than there are: if the page has room for it, the page is the whole list. */
function rowsToRequest(rows: number): number {
	return Math.min(rows + 1, LARGEST_PAGE_SIZE);
}
