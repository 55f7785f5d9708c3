import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { parseFilters } from '../service/filters';
import { readClients } from '../service/reading';
import { openService } from '../service/request';

/** The groups for the list of the "Group" filter, each with its number of clients. */
export async function searchGroups(this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
	const ask = await openService(this, { itemIndex: 0, timeoutMs: 30_000 });
	const everyone = parseFilters({}, 'whole', 'UTC');
	const { clients } = await readClients(ask, everyone, { limit: Infinity, parallelRequests: 5 });

	const sizes = new Map<string, number>();
	for (const { group_name: name } of clients) {
		if (typeof name === 'string' && name !== '') sizes.set(name, (sizes.get(name) ?? 0) + 1);
	}
	const results = [...sizes]
		.filter(([name]) => name.toLowerCase().includes(filter.trim().toLowerCase()))
		.sort(([a], [b]) => a.localeCompare(b))
		.map(([value, size]) => ({ name: `${value} (${size})`, value }));
	return { results };
}
