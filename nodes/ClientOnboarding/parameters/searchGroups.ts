import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { readClients } from '../list/clients';
import { NO_FILTERS } from '../list/filters';
import { openService } from '../service/connection';
import { parsePaging } from './input';

const RESULTS_AT_ONCE = 100;

/** The names for the list of the "Group" filter, each with its number of clients. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { paging, timeoutMs } = parsePaging({});
	const ask = await openService(this, { itemIndex: 0, timeoutMs });
	const { clients } = await readClients(ask, NO_FILTERS, { ...paging, limit: Infinity });

	// The filter goes by name, so two groups of one name are one choice.
	const sizes = new Map<string, number>();
	for (const { group_name: name } of clients) {
		if (typeof name === 'string' && name !== '') sizes.set(name, (sizes.get(name) ?? 0) + 1);
	}
	const groups = [...sizes]
		.filter(([name]) => name.toLowerCase().includes(filter.trim().toLowerCase()))
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([value, size]) => ({ name: `${value} (${size})`, value }));
	const start = Number(paginationToken ?? 0);
	const end = start + RESULTS_AT_ONCE;
	return { results: groups.slice(start, end), paginationToken: end < groups.length ? String(end) : undefined };
}
