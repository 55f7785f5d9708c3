import type { Client } from '../api/record';
import { folded, textOf } from '../api/record';
import type { ListRead, ListReader, Paging } from '../pagination/readList';
import { openList, readList } from '../pagination/readList';
import type { Source } from '../pagination/source';
import { countByTotals } from './countByTotals';
import type { Filters } from './filters';
import { isFilteredHere, matcherFor, toQuery } from './filters';
import { groupBy } from './groupBy';
import type { FilteredRead } from './listClients';
import { listClients, readFiltered } from './listClients';
import type { Summary } from './summarize';
import { summarizeClients } from './summarize';

/** Which clients an input item wants. */
export interface Selection {
	filters: Filters;
	/** At least this many are read, if there are. Infinity for all. */
	limit: number;
}

/** Clients, and a warning if some may be missing. */
export type Result = Pick<ListRead, 'clients' | 'warning' | 'returned'>;

const everyClient = () => true;

type Plan = 'oneByOne' | 'wholeList';

/** Reads for many input items: equal ones share a read, and one read of the whole list serves all if that costs less. */
export class BatchReader {
	/** Equal filters share the read with the highest limit. */
	private readonly selections = new Map<string, Selection>();

	private readonly reads = new Map<string, Promise<Result>>();

	private search?: Promise<IdSearch>;

	private whole?: Promise<WholeList>;

	private plan?: Promise<Plan>;

	private readonly filteredReads: Array<Promise<FilteredRead>> = [];

	/** The whole list, once its first page was needed to choose a plan or to read it. */
	private opened?: ListReader;

	constructor(
		private readonly source: Source,
		private readonly paging: Paging,
		selections: Selection[],
		/** IDs that items search for. */
		private readonly referenceIds: ReadonlySet<string>,
	) {
		for (const { filters, limit } of selections) {
			const key = JSON.stringify(filters);
			this.selections.set(key, { filters, limit: Math.max(limit, this.selections.get(key)?.limit ?? 0) });
		}
	}

	async read({ filters }: Selection): Promise<Result> {
		const key = JSON.stringify(filters);
		const read = this.reads.get(key) ?? this.readSelection(this.selections.get(key) as Selection);
		this.reads.set(key, read);
		return await read;
	}

	async count(selection: Selection): Promise<{ summary: Summary } & Pick<Result, 'returned' | 'warning'>> {
		if ((await this.choosePlan()) === 'oneByOne') {
			const summary = await countByTotals(this.source, selection.filters);
			if (summary) return { summary, returned: [] };
		}
		const { clients, returned, warning } = await this.read(selection);
		return { summary: summarizeClients(clients), returned, warning };
	}

	/** The client with this ID or, if there is none, the only one whose ID differs in case. */
	async findById(referenceId: string): Promise<Result> {
		this.search ??= this.searchIds();
		return (await this.search).find(referenceId);
	}

	private async readSelection({ filters, limit }: Selection): Promise<Result> {
		const { source, paging } = this;
		if ((await this.choosePlan()) === 'wholeList') return (await this.readWholeList()).select(filters);
		if (this.selections.size === 1) return await listClients(source, filters, { ...paging, limit });
		const filteredRead = readFiltered(source, filters, { ...paging, limit, stopIfIgnored: true });
		this.filteredReads.push(filteredRead);
		const { read, isSure } = await filteredRead;
		if (isSure()) return read;
		// The reads of other items may show that the filter can be trusted.
		await Promise.allSettled(this.filteredReads);
		return isSure() ? read : (await this.readWholeList()).select(filters);
	}

	private async searchIds(): Promise<IdSearch> {
		const { source, paging, referenceIds } = this;
		if ((await this.choosePlan()) === 'wholeList') return new IdSearch((await this.readWholeList()).read, referenceIds);
		const matches = (client: Client) => referenceIds.has(textOf(client.reference_id).trim());
		const read = await readList(source, {}, { ...paging, matches, limit: referenceIds.size, isSearch: true });
		return new IdSearch(read, referenceIds);
	}

	private async readWholeList(): Promise<WholeList> {
		this.whole ??= this.openWholeList().then(async (list) => new WholeList(await list.read()));
		return await this.whole;
	}

	private async openWholeList(): Promise<ListReader> {
		this.opened ??= await openList(this.source, {}, { ...this.paging, matches: everyClient, limit: Infinity });
		return this.opened;
	}

	private async choosePlan(): Promise<Plan> {
		this.plan ??= this.comparePlans();
		return await this.plan;
	}

	/** Different selections are read one by one if they are fewer than the requests that the whole list takes. */
	private async comparePlans(): Promise<Plan> {
		const { selections, referenceIds } = this;
		const reads = selections.size + Number(referenceIds.size > 0);
		if (reads < 2) return 'oneByOne';
		if (referenceIds.size > 0 || [...selections.values()].some(readsEverything)) return 'wholeList';
		const list = await this.openWholeList();
		return reads < list.requestsLeft() ? 'oneByOne' : 'wholeList';
	}
}

/** Whether the service applies none of its filters, so that the whole list must be read. */
function readsEverything({ filters, limit }: Selection): boolean {
	return Object.keys(toQuery(filters)).length === 0 && (limit === Infinity || isFilteredHere(filters));
}

class WholeList {
	private byEmail?: Map<string, Client[]>;

	constructor(readonly read: ListRead) {}

	select(filters: Filters): Result {
		return { ...this.read, clients: this.candidates(filters).filter(matcherFor(filters)) };
	}

	/** Uses an index by email: with thousands of items, a scan of all clients for each of them is slow. */
	private candidates({ texts: { email } }: Filters): Client[] {
		if (email?.match !== 'whole') return this.read.clients;
		this.byEmail ??= groupBy(this.read.clients, (client) => folded(client.email));
		return this.byEmail.get(folded(email.text)) ?? [];
	}
}

class IdSearch {
	private readonly byId: Map<string, Client[]>;

	constructor(
		private readonly read: ListRead,
		referenceIds: ReadonlySet<string>,
	) {
		const wanted = new Set([...referenceIds].map(folded));
		const similar = read.returned.filter((client) => wanted.has(folded(client.reference_id)));
		this.byId = groupBy(similar, (client) => folded(client.reference_id));
	}

	find(referenceId: string): Result {
		const similar = this.byId.get(folded(referenceId)) ?? [];
		const exact = similar.find((client) => textOf(client.reference_id).trim() === referenceId);
		const [client] = exact || similar.length === 1 ? [exact ?? similar[0]] : [];
		return { ...this.read, clients: client ? [client] : [] };
	}
}
