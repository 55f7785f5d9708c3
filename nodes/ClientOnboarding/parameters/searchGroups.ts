import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { readClients } from '../list/clients';
import { NO_FILTERS } from '../list/filters';
import { nameService, openService } from '../service/connection';
import { Given } from './given';
import { parsePaging } from './input';
import { ShortMemory } from './shortMemory';

const RESULTS_AT_ONCE = 100;

interface GroupSize {
	name: string;
	clients: number;
}

/** The editor asks at every keystroke. By environment, address and key; nothing of the clients is kept. */
const remembered = new ShortMemory<GroupSize[]>(30_000, 20);

/** The names for the list of the "Group" filter, each with its number of clients. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { account } = await nameService(this);
	const sizes = await remembered.recall(account, async () => await readGroupSizes(this));
	const groups = sizes
		.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()))
		.map(({ name, clients }) => ({ name: literal(`${name} (${clients})`), value: literal(name) }));
	const start = Number(paginationToken ?? 0);
	const end = start + RESULTS_AT_ONCE;
	return { results: groups.slice(start, end), paginationToken: end < groups.length ? String(end) : undefined };
}

async function readGroupSizes(context: ILoadOptionsFunctions): Promise<GroupSize[]> {
	const { paging, timeoutMs } = parsePaging(new Given({}));
	const ask = await openService(context, { itemIndex: 0, timeoutMs });
	const { clients } = await readClients(ask, NO_FILTERS, { ...paging, limit: Infinity });

	// The filter goes by name, so two groups of one name are one choice.
	const sizes = new Map<string, number>();
	for (const { group_name: group } of clients) {
		const name = typeof group === 'string' ? group.trim() : '';
		if (name !== '') sizes.set(name, (sizes.get(name) ?? 0) + 1);
	}
	return [...sizes].sort(([a], [b]) => a.localeCompare(b)).map(([name, size]) => ({ name, clients: size }));
}

/**
 * Text that n8n stores and never evaluates, which it does with all that begins with "=", the name shown for a choice included.
 * The filter does not mind the space in front.
 */
function literal(text: string): string {
	return text.startsWith('=') ? ` ${text}` : text;
}
