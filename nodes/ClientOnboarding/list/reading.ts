import type { Client } from '../api/record';
import { clientKey } from '../api/record';
import type { ListRead, Paging } from '../pagination/readList';
import { readList } from '../pagination/readList';
import type { Source } from '../pagination/source';
import { readClients } from './clients';
import { countByTotals } from './counting';
import { misdatedMatcherFor, NO_FILTERS } from './filters';
import { IdSearch } from './idSearch';
import { NearMisses } from './nearMisses';
import type { Need } from './needs';
import { isWorthReadingAll, mergeNeeds, needKey } from './needs';
import type { Tally } from './tally';
import { tallyClients } from './tally';
import { WholeList } from './wholeList';

/** Looking for what may be wrong takes a look at every client. */
const MOST_ADVISED = 5;

/** Reads one list for all who want something of it: as little as they need together, and one look for all where it can be. */
export class Reading {
	/** Why clients may be missing. */
	readonly warnings = new Set<string>();

	/** What may be wrong with filters that match nobody; empty where nothing can be said. */
	advice = '';

	private all?: Promise<WholeList>;

	private search?: Promise<IdSearch>;

	private isForAll?: Promise<boolean>;

	/** For how many who got nobody it was looked for. */
	private advised = 0;

	private readonly found = new Map<string, Promise<Client[]>>();

	private readonly needs: ReadonlyMap<string, Need>;

	private readonly ids: IdSearch;

	/** `needs` are those of everybody; `referenceIds` those of all clients that are looked for. */
	constructor(
		private readonly source: Source,
		private readonly paging: Paging,
		needs: Need[],
		private readonly referenceIds: ReadonlySet<string>,
	) {
		this.needs = mergeNeeds(needs);
		this.ids = new IdSearch(referenceIds);
	}

	/** Those who want the same, but not as many, get the first of them. */
	async read({ filters, limit }: Need): Promise<Client[]> {
		const key = needKey(filters);
		const need = this.needs.get(key) as Need;
		const found = this.found.get(key) ?? this.readOnce(need);
		this.found.set(key, found);
		const clients = await found.catch(async (error: Error) => {
			if (limit === need.limit) throw error;
			// What cannot be read may be no part of what this one wants.
			return await this.readOnce({ ...need, limit });
		});
		return clients.slice(0, limit);
	}

	private async readOnce(need: Need): Promise<Client[]> {
		const nearMisses = new NearMisses(need.filters, need.hasTextMatch, need.rangeFields);
		const all = (await this.sharesAll()) ? await this.readAll() : undefined;
		const { clients, warning, misdated } = all
			? {
					clients: all.select(need.filters, need.limit),
					warning: all.read.warning,
					misdated: all.selectMisdated(need.filters).length,
				}
			: await this.readFiltered(need, nearMisses);
		if (warning) this.warnings.add(warning);
		if (misdated > 0) {
			this.warnings.add(
				`The date of creation cannot be read for ${misdated} of the clients: filters by date leave them out.`,
			);
		}
		// Where some may be missing, nobody knows what the filters would match.
		const isInDoubt = warning !== undefined || misdated > 0;
		if (clients.length > 0 || isInDoubt || this.advice || this.advised === MOST_ADVISED) return clients;
		this.advised += 1;
		all?.read.clients.forEach((client) => nearMisses.note(client));
		this.advice = nearMisses.advise() ?? '';
		return clients;
	}

	async count(need: Need): Promise<Tally> {
		const tally = (await this.sharesAll()) ? undefined : await countByTotals(this.source, need.filters);
		return tally ?? tallyClients(await this.read(need));
	}

	/** The client with this very ID or, where there is none, the only one whose ID differs in upper and lower case. */
	async findById(referenceId: string): Promise<Client[]> {
		this.search ??= this.searchForIds();
		return (await this.search).find(referenceId);
	}

	private async readFiltered(
		{ filters, limit }: Need,
		nearMisses: NearMisses,
	): Promise<ListRead & { misdated: number }> {
		const isMisdatedMatch = misdatedMatcherFor(filters);
		const misdated = new Set<string>();
		const read = await readClients(this.source, filters, {
			...this.paging,
			limit,
			onSeen: (client) => {
				nearMisses.note(client);
				if (isMisdatedMatch(client)) misdated.add(clientKey(client));
			},
			readAll: this.needs.size > 1 ? async () => (await this.readAll()).read : undefined,
		});
		return { ...read, misdated: misdated.size };
	}

	private async searchForIds(): Promise<IdSearch> {
		const { ids, paging, referenceIds, source } = this;
		try {
			const { warning } = (await this.sharesAll())
				? (await this.readAll()).read
				: await readClients(
						source,
						{ ...NO_FILTERS, referenceIds },
						{ ...paging, limit: referenceIds.size, onSeen: (client) => ids.note(client) },
					);
			if (warning) this.warnings.add(warning);
		} catch (error) {
			ids.trouble = error as Error;
		}
		return ids;
	}

	private async readAll(): Promise<WholeList> {
		const matches = (client: Client) => {
			this.ids.note(client);
			return true;
		};
		this.all ??= readList(this.source, {}, { ...this.paging, limit: Infinity, matches }).then(
			(read) => new WholeList(read),
		);
		return await this.all;
	}

	private async sharesAll(): Promise<boolean> {
		this.isForAll ??= this.isCheaperForAll();
		return await this.isForAll;
	}

	private async isCheaperForAll(): Promise<boolean> {
		const { source, needs, paging, referenceIds } = this;
		const isSearch = referenceIds.size > 0;
		if (needs.size + Number(isSearch) < 2) return false;
		return isSearch || (await isWorthReadingAll(source, [...needs.values()], paging.pageSize));
	}
}
