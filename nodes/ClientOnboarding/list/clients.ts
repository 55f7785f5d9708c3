import type { Client } from '../api/record';
import { textOf } from '../api/record';
import type { ListRead, Paging } from '../pagination/readList';
import { readList } from '../pagination/readList';
import type { Source } from '../pagination/source';
import type { Filters } from './filters';
import { matcherFor, needsSearch, toQuery } from './filters';

/** The text filters, and the fields they are about. */
const TEXT_FILTERS: Record<string, string> = { client_email: 'email', group_name: 'group_name' };

/**
 * By address and filter: text filters that have returned a match in another spelling. They ignore case, so that no match means
 * that there is none. A match in the same spelling does not show that: a case-sensitive service returns it, too.
 */
const provenFilters = new Set<string>();

interface Options extends Paging {
	limit: number;
	/** Gets every client that is read. */
	onSeen?: (client: Client) => void;
	/** The whole list, if other items need it too. */
	readAll?: () => Promise<ListRead>;
}

/** The clients that match every filter. The service's own filtering saves requests; every row is checked here. */
export async function readClients(
	source: Source,
	filters: Filters,
	{ onSeen = () => {}, readAll, ...options }: Options,
): Promise<ListRead> {
	const query = toQuery(filters);
	const names = Object.keys(query);
	const textNames = Object.keys(TEXT_FILTERS).filter((name) => name in query);
	const isMatch = matcherFor(filters);
	let isIgnored = false;
	const matches = (client: Client) => {
		onSeen(client);
		if (names.length === 1 && textNames.length === 1) isIgnored ||= !mentions(client, textOf(query[names[0]]));
		return isMatch(client);
	};
	const read = async (sent: typeof query) =>
		await readList(source, sent, { ...options, matches, isSearch: needsSearch(filters) });

	const filtered = await read(query);
	const proofs = textNames.map((name) => `${source.client.addressId} ${name}`);
	if (filtered.clients.length > 0) {
		const isOtherSpelling = (client: Client) => client[TEXT_FILTERS[names[0]]] !== query[names[0]];
		if (names.length === 1 && filtered.clients.some(isOtherSpelling))
			proofs.forEach((proof) => provenFilters.add(proof));
		return filtered;
	}
	const isTrusted = isIgnored || proofs.every((proof) => provenFilters.has(proof));
	if (textNames.length === 0 || isTrusted) return filtered;
	// The specification does not show how texts are compared: the service may mind case, or compare another field.
	if (!readAll) {
		return await read(Object.fromEntries(Object.entries(query).filter(([name]) => !textNames.includes(name))));
	}
	const all = await readAll();
	return { ...all, clients: all.clients.filter(matches).slice(0, options.limit) };
}

/** A row that holds the text nowhere shows that the filter was ignored. */
function mentions(client: Client, text: string): boolean {
	return JSON.stringify(client).toLowerCase().includes(JSON.stringify(text).slice(1, -1).toLowerCase());
}
