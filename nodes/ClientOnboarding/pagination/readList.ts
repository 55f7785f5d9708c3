import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { clientKey, textOf } from '../api/record';
import type { Consistency, Pass, Verdict } from './completeness';
import { describeVerdict, judge, maxRows } from './completeness';
import { FIRST_PAGE_SIZE, LARGEST_PAGE_SIZE } from './pageSize';
import type { NumberedPage } from './paginate';
import { fetchFirstPage, isWholeList, paginate } from './paginate';
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
	/** All that the service returned, matching or not. */
	returned: Client[];
	/** How many clients the service reports, matching or not; 0 if it reports none. */
	total: number;
	completeness: Verdict;
	/** For the user, if clients may be missing. */
	warning?: string;
}

/** Reads a list in passes over its pages until it is complete or there is reason for a warning. */
export async function readList(source: Source, query: IDataObject, options: ReadOptions): Promise<ListRead> {
	const list = await openList(source, query, options);
	return await list.read();
}

/** Makes the first requests, which show how many clients there are and how large the pages are. */
export async function openList(source: Source, query: IDataObject, options: ReadOptions): Promise<ListReader> {
	const { limit, pageSize, isSearch } = options;
	const requested = pageSize ?? Math.min(FIRST_PAGE_SIZE, isSearch ? Infinity : limit);
	const probe = await fetchFirstPage(source, query, requested);
	const isCapped = probe.granted < requested;
	const size = pageSize ?? (isCapped ? probe.granted : sizeForAll(source, probe, options));
	const isLargeEnough = pageSize !== undefined || size <= probe.granted;
	const first = isLargeEnough ? probe : await fetchFirstPage(source, query, size);
	return new ListReader(source, query, options, size, probe, first);
}

/** After the first page, the rest is requested in one page if possible; of a limited read, no more than it wants. */
function sizeForAll(source: Source, probe: NumberedPage, { limit, isSearch, matches }: ReadOptions): number {
	const { clients, granted, totalCount } = probe;
	const matching = clients.filter(matches).length;
	if (matching >= limit || isWholeList(probe) || clients.length === 0) return granted;
	const all = rowsToRequest(totalCount ?? ROWS_WITHOUT_TOTAL);
	const wanted = isSearch || matching < clients.length ? all : Math.min(all, limit);
	return Math.min(wanted, source.learned.largestPage);
}

export class ListReader {
	/** The index of each client in the two arrays below. */
	private readonly places = new Map<string, number>();

	/** The latest record of each client. */
	private readonly clients: Client[] = [];

	/** The last pass that returned each client. */
	private readonly seenIn: Pass[] = [];

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
		private size: number,
		/** The first page that was returned. */
		probe: NumberedPage,
		/** Page 1 in the size of all pages, until it is read. */
		private first: NumberedPage | undefined,
	) {
		// The probe does not count as a pass, but its rows and its total are kept.
		if (probe !== first) this.addRows(probe, this.startPass(probe));
	}

	get firstClients(): Client[] {
		return this.first?.clients ?? [];
	}

	/** How many requests the rest of a list takes if it does not change meanwhile. */
	requestsLeft(): number {
		if (!this.first || isWholeList(this.first)) return 0;
		const pages = Math.ceil((this.first.totalCount ?? 0) / this.first.granted);
		return pages * (this.options.consistency === 'exact' ? 2 : 1) - 1;
	}

	async read(): Promise<ListRead> {
		const { pageSize, consistency } = this.options;
		for (;;) {
			const known = this.first;
			this.first = undefined;
			const pass = await this.readPass(this.size, known);
			this.passes.push(pass);
			const verdict = judge(this.passes, consistency);
			if (verdict !== 'readAgain') return this.result(verdict);
			this.size = pageSize ?? rowsToRequest(Math.max(this.clients.length, pass.total ?? 0));
		}
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
			const place = this.places.get(key) ?? this.clients.length;
			const seenIn = this.seenIn[place];
			if (seenIn !== pass) pass.rows += 1;
			if (seenIn && seenIn === before) pass.repeatedRows += 1;
			if (!seenIn) {
				this.places.set(key, place);
				if (this.options.matches(client)) this.matching += 1;
				// A client that was created after all others has just arrived; an older one was missed.
				if (before && !(textOf(client.created_at) > this.newestCreated)) pass.missedRows += 1;
			}
			// The same string as the key, so that only one copy of each ID stays in memory.
			if (seenIn && client.reference_id === key) client.reference_id = this.clients[place].reference_id;
			this.clients[place] = client;
			this.seenIn[place] = pass;
		}
	}

	private noteNewest(): void {
		for (const client of this.clients) {
			const created = textOf(client.created_at);
			if (created > this.newestCreated) this.newestCreated = created;
		}
	}

	private result(completeness: Verdict): ListRead {
		const { limit, matches } = this.options;
		const returned = this.clients;
		const clients = returned.filter(matches).slice(0, limit);
		const warning = describeVerdict(completeness, this.total, returned.length);
		return { clients, returned, total: this.total ?? 0, completeness, warning };
	}
}

/** One more row than there are: if the page has room for it, the page is the whole list. */
function rowsToRequest(rows: number): number {
	return Math.min(rows + 1, LARGEST_PAGE_SIZE);
}
