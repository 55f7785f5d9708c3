import type { IDataObject } from 'n8n-workflow';
import type { AskForPage } from '../service/connection';
import type { Filters } from './filters';
import { matcherFor, needsSearch, toQuery } from './filters';
import { toMissingList } from './pages';
import type { Snapshot, SnapshotOptions } from './snapshot';
import { readSnapshot } from './snapshot';

/** The clients that match every filter. The service's own filtering saves requests; it is never relied on. */
export async function readClients(ask: AskForPage, filters: Filters, options: SnapshotOptions): Promise<Snapshot> {
	const matches = matcherFor(filters);
	const query = toQuery(filters);
	const read = async (list: IDataObject) =>
		await readSnapshot(ask, list, matches, { ...options, isSearch: needsSearch(filters) });

	const snapshot = isEmpty(query) ? await read(query) : await read(query).catch(toMissingList);
	if (!snapshot) return await read({});

	// A filter that matches parts is never left to the service, so this is the query without the text filters.
	const withoutText = toQuery({ ...filters, textMatch: 'part' });
	const sentText = Object.keys(withoutText).length < Object.keys(query).length;
	return snapshot.clients.length === 0 && sentText ? await read(withoutText) : snapshot;
}

function isEmpty(query: IDataObject): boolean {
	return Object.keys(query).length === 0;
}
