import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NO_FILTERS } from '../service/filters';
import { readClients } from '../service/reading';
import { openService } from '../service/request';

const RESULTS_AT_ONCE = 100;

/** The names for the list of the "Group" filter, each with its number of clients. */
export async function searchGroups(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const ask = await openService(this, { itemIndex: 0, timeoutMs: 30_000 });
	const { clients } = await readClients(ask, NO_FILTERS, { limit: Infinity, parallelRequests: 5 });

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
