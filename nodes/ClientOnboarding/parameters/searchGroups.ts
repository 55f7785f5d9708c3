import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { readClients } from '../list/clients';
import { NO_FILTERS } from '../list/filters';
import { identifyService } from '../api/apiClient';
import { openSource } from '../pagination/source';
import { Given } from './given';
import { parsePaging } from './input';
import { ShortMemory } from './shortMemory';

const RESULTS_AT_ONCE = 100;

interface GroupSize {
	name: string;
	clients: number;
	/** How many groups have this name. */
	groups: number;
}

/** The editor asks at every keystroke. By environment, address and key; nothing of the clients is kept. */
const remembered = new ShortMemory<GroupSize[]>(30_000, 20);

/** The names for the list of the "Group" filter, each with its number of clients. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { account } = await identifyService(this);
	const sizes = await remembered.recall(account, async () => await readGroupSizes(this));
	const groups = sizes
		.filter(({ name }) => searchable(name).includes(searchable(filter)))
		.map((size) => ({ name: literal(label(size)), value: literal(size.name) }));
	const start = Number(paginationToken ?? 0);
	const end = start + RESULTS_AT_ONCE;
	return { results: groups.slice(start, end), paginationToken: end < groups.length ? String(end) : undefined };
}

async function readGroupSizes(context: ILoadOptionsFunctions): Promise<GroupSize[]> {
	const { paging, access } = parsePaging(new Given({}));
	const source = await openSource(context, { itemIndex: 0, ...access });
	const { clients } = await readClients(source, NO_FILTERS, { ...paging, limit: Infinity });

	// The filter goes by name, so two groups of one name are one choice.
	const sizes = new Map<string, { clients: number; tokens: Set<unknown> }>();
	for (const { group_name: group, group_token: token } of clients) {
		const name = typeof group === 'string' ? group.trim() : '';
		if (name === '') continue;
		const size = sizes.get(name) ?? { clients: 0, tokens: new Set() };
		sizes.set(name, { clients: size.clients + 1, tokens: size.tokens.add(token) });
	}
	return [...sizes]
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([name, size]) => ({ name, clients: size.clients, groups: size.tokens.size }));
}

function label({ name, clients, groups }: GroupSize): string {
	return groups > 1 ? `${name} (${clients}, in ${groups} groups of this name)` : `${name} (${clients})`;
}

/** Nobody types accents to search. */
function searchable(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{Diacritic}/gu, '')
		.trim()
		.toLowerCase();
}

/**
 * Text that n8n stores and never evaluates, which it does with all that begins with "=", the name shown for a choice included.
 * The filter does not mind the space in front.
 */
function literal(text: string): string {
	return text.startsWith('=') ? ` ${text}` : text;
}
