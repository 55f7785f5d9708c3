import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { identifyService } from '../api/credentials';
import { openSource } from '../pagination/source';
import { NO_FILTERS } from '../query/filters';
import { listClients } from '../query/listClients';
import { parseReadSettings } from './filtersAndOptions';
import { ParameterValue } from './value';

const RESULTS_AT_ONCE = 100;

interface GroupSize {
	name: string;
	clients: number;
	/** How many groups have this name. */
	groups: number;
}

/** The editor searches at every keystroke. By account; nothing but names and numbers is kept. */
const recent = new Map<string, { sizes: Promise<GroupSize[]>; /** When it was read. */ atMs: number }>();
const KEPT_FOR_MS = 30_000;

/** The choices of the "Group" filter: the name of each group and its number of clients. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { account } = await identifyService(this);
	for (const [key, { atMs }] of recent) if (Date.now() - atMs >= KEPT_FOR_MS) recent.delete(key);
	const kept = recent.get(account) ?? { sizes: readGroupSizes(this), atMs: Infinity };
	recent.set(account, kept);
	kept.sizes.then(
		() => (kept.atMs = Math.min(kept.atMs, Date.now())),
		() => recent.delete(account),
	);
	const groups = (await kept.sizes)
		.filter(({ name }) => searchable(name).includes(searchable(filter)))
		.map((size) => ({ name: literal(label(size)), value: literal(size.name) }));
	const start = Number(paginationToken ?? 0);
	const end = start + RESULTS_AT_ONCE;
	return { results: groups.slice(start, end), paginationToken: end < groups.length ? String(end) : undefined };
}

async function readGroupSizes(context: ILoadOptionsFunctions): Promise<GroupSize[]> {
	const { paging, ...settings } = parseReadSettings(new ParameterValue({}));
	const source = await openSource(context, { itemIndex: 0, ...settings });
	const { clients } = await listClients(source, NO_FILTERS, { ...paging, limit: Infinity });

	// The filter goes by name, so two groups with the same name are one choice.
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
	return groups > 1 ? `${name} (${clients}, in ${groups} groups with this name)` : `${name} (${clients})`;
}

/** People search without accents. */
function searchable(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{Diacritic}/gu, '')
		.trim()
		.toLowerCase();
}

/** n8n evaluates saved text that starts with "=", also the name of a choice. The filter ignores the space in front. */
function literal(text: string): string {
	return text.startsWith('=') ? ` ${text}` : text;
}
