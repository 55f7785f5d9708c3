import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { Filters } from './filters';
import { matcherFor, toQuery } from './filters';
import type { AskForPage } from './request';
import type { ReadOptions, Reading } from './snapshot';
import { readSnapshot } from './snapshot';

/** The clients that match every filter. The service's own filtering saves requests; it is never relied on. */
export async function readClients(ask: AskForPage, filters: Filters, options: ReadOptions): Promise<Reading> {
	const matches = matcherFor(filters);
	const query = toQuery(filters);
	const read = async (list: IDataObject) => await readSnapshot(ask, list, matches, options);

	const reading = await read(query).catch((error: NodeApiError) => {
		// Some services know no page, not even a first one, of a list without rows.
		if (error.httpCode === '404' && !isEmpty(query)) return undefined;
		throw error;
	});
	if (!reading) return await read({});

	// A filter that matches parts is never left to the service, so this is the query without the text filters.
	const withoutText = toQuery({ ...filters, textMatch: 'part' });
	const sentText = Object.keys(withoutText).length < Object.keys(query).length;
	return reading.clients.length === 0 && sentText ? await read(withoutText) : reading;
}

function isEmpty(query: IDataObject): boolean {
	return Object.keys(query).length === 0;
}
