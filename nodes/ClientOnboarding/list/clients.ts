import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { capitalise, CLIENT_TYPES, clientKey, folded, REQUEST_STATUSES } from '../service/client';
import type { Filters } from './filters';
import { matcherFor, needsSearch, toQuery } from './filters';
import { toMissingList } from '../snapshot/absence';
import type { Source } from '../snapshot/source';
import { PageReader } from '../snapshot/pages';
import type { Snapshot, SnapshotOptions } from '../snapshot/snapshot';
import { readSnapshot } from '../snapshot/snapshot';

/** A reading of so many rows tells how the service compares. */
const PROBE_SIZE = 10;
const TEXTS = ['client_email', 'group_name'];
const CHOICES: Record<string, string[]> = { client_type: CLIENT_TYPES, request_status: REQUEST_STATUSES };
/** How choices may be stored: as they are sent, with a capital or in capitals. */
const WRITINGS = [(choice: string) => choice, capitalise, inCapitals];

interface Options extends SnapshotOptions {
	/** Gets every client that is read. */
	onSeen?: (client: Client) => void;
	/** The whole list, where others want it too. */
	readAll?: () => Promise<Snapshot>;
}

/** The clients that match every filter. The service's own filtering saves requests; it is never relied on. */
export async function readClients(
	source: Source,
	filters: Filters,
	{ onSeen = () => {}, readAll, ...options }: Options,
): Promise<Snapshot> {
	let query = toQuery(filters);
	const isFiltered = Object.keys(query).length > 0;
	const isMatch = matcherFor(filters);
	const shown = new Map<string, Client>();
	const matches = (client: Client) => {
		onSeen(client);
		const isWanted = isMatch(client);
		// The latest record of a client decides.
		if (isFiltered && isWanted) shown.set(clientKey(client), client);
		else if (isFiltered) shown.delete(clientKey(client));
		return isWanted;
	};
	const read = async (asked: IDataObject) =>
		await readSnapshot(source, asked, matches, { ...options, isSearch: needsSearch(filters) });

	while (Object.keys(query).length > 0) {
		const snapshot = await read(query).catch(toMissingList);
		// Where there is no such list, that of all clients tells whether nobody matches.
		if (!snapshot) break;
		if (snapshot.clients.length === options.limit) return snapshot;
		const unreliable = await new FilterProbe(source, query, matches, snapshot).findUnreliable();
		if (unreliable.length === 0) return snapshot;
		query = Object.fromEntries(Object.entries(query).filter(([name]) => !unreliable.includes(name)));
	}
	// The first clients of all are cheaper than all.
	const isShared = readAll !== undefined && isFiltered;
	const all = isShared ? await readAll() : await read({});
	const clients = isShared ? all.clients.filter(matches) : all.clients;
	// Some services show more of their clients to those who ask for them, such as those that are archived.
	for (const client of clients) shown.delete(clientKey(client));
	return { ...all, clients: [...clients, ...shown.values()].slice(0, options.limit) };
}

/** Asks for the same filters in another writing: a service that minds upper and lower case keeps some clients back. */
class FilterProbe {
	private readonly known: Set<string>;

	constructor(
		private readonly source: Source,
		private readonly query: IDataObject,
		private readonly matches: (client: Client) => boolean,
		private readonly snapshot: Snapshot,
	) {
		this.known = new Set(snapshot.clients.map(clientKey));
	}

	/** The names of filters that may keep somebody back. */
	async findUnreliable(): Promise<string[]> {
		const texts = TEXTS.filter((name) => name in this.query);
		const choices = Object.keys(CHOICES).filter((name) => name in this.query);
		return [
			...((await this.isReliableForTexts(texts)) ? [] : texts),
			...((await this.isReliableForChoices(choices)) ? [] : choices),
		];
	}

	/** Text may be stored in any writing, so that only a list that shows the same clients in another case is relied on. */
	private async isReliableForTexts(names: string[]): Promise<boolean> {
		const changed = this.rewrite(names, inOtherCase);
		const texts = Object.entries(changed);
		// Some know the cases of plain letters only, and would show the same list for those.
		if (texts.some(([, text]) => this.known.size === 0 || /[^\x20-\x7e]/.test(text))) return false;
		if (texts.every(([name, text]) => text === this.query[name])) return true;
		const shown = await this.show(changed);
		return shown.length > 0 && this.areKnown(shown);
	}

	/** Each choice may be stored in a way of its own. */
	private async isReliableForChoices(names: string[]): Promise<boolean> {
		if (this.snapshot.head.length === 0) {
			for (const name of names) if (!(await this.isKnownToWork(name))) return false;
		}
		// Whoever gives clients that are written in another way does not mind.
		const isOpen = (name: string) => this.snapshot.clients.every((client) => client[name] === this.query[name]);
		for (const changed of this.rewriteInEveryWay(names.filter(isOpen))) {
			if (!this.areKnown(await this.show(changed))) return false;
		}
		return true;
	}

	/** That nobody has a choice is believed where the same filter shows somebody who has another one. */
	private async isKnownToWork(name: string): Promise<boolean> {
		const others = CHOICES[name].filter((choice) => choice !== this.query[name]);
		for (const write of WRITINGS) {
			for (const other of others) {
				const reader = new PageReader(this.source, { [name]: write(other) });
				const page = await reader.readAt(1, PROBE_SIZE).catch(toMissingList);
				if (page?.clients.some((client) => folded(client[name]) === other)) return true;
			}
		}
		return false;
	}

	private rewriteInEveryWay([name, ...others]: string[]): Array<Record<string, string>> {
		if (name === undefined) return [];
		const rest = this.rewriteInEveryWay(others);
		const own = WRITINGS.slice(1).map((change) => this.rewrite([name], change));
		return [...rest, ...own, ...own.flatMap((one) => rest.map((other) => ({ ...one, ...other })))];
	}

	private areKnown(keys: string[]): boolean {
		return keys.every((key) => this.known.has(key));
	}

	private rewrite(names: string[], change: (text: string) => string): Record<string, string> {
		return Object.fromEntries(names.map((name) => [name, change(String(this.query[name]))]));
	}

	/** Who matches on the first page of the list that is filtered by these texts; nobody where the service refuses them. */
	private async show(changed: IDataObject): Promise<string[]> {
		const size = Math.max(PROBE_SIZE, this.snapshot.head.length);
		const reader = new PageReader(this.source, { ...this.query, ...changed });
		const page = await reader.readAt(1, size).catch(toMissingList);
		return page?.clients.filter(this.matches).map(clientKey) ?? [];
	}
}

function inCapitals(text: string): string {
	return text.toUpperCase();
}

/** The text itself where it knows no other case. */
function inOtherCase(text: string): string {
	const others = [text.toUpperCase(), text.toLowerCase()];
	return others.find((other) => other !== text && folded(other) === folded(text)) ?? text;
}
