import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey, folded } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Filters } from './filters';
import { matcherFor, needsSearch, NO_FILTERS, toQuery } from './filters';
import { PageReader, toMissingList } from './pages';
import type { Snapshot, SnapshotOptions } from './snapshot';
import { readSnapshot } from './snapshot';

const REFUSED_CHOICE = ['400', '422'];

/** The clients that match every filter. The service's own filtering saves requests; it is never relied on. */
export async function readClients(ask: AskForPage, filters: Filters, options: SnapshotOptions): Promise<Snapshot> {
	const matches = matcherFor(filters);
	const query = toQuery(filters);
	const read = async (list: IDataObject) =>
		await readSnapshot(ask, list, matches, { ...options, isSearch: needsSearch(filters) });
	const readIfThere = async (list: IDataObject) =>
		isEmpty(list) ? await read(list) : await read(list).catch(toMissingList);

	const snapshot = await readIfThere(query);
	// Where there is no such list, that of all clients tells whether nobody matches.
	if (!snapshot) return await read({});

	// A filter that matches parts is never left to the service, so this is the query without the text filters.
	const withoutText = toQuery({ ...filters, textMatch: 'part' });
	const sentText = Object.keys(withoutText).length < Object.keys(query).length;
	const isEnough = !sentText || snapshot.clients.length === options.limit;
	const canTell = snapshot.clients.length > 0 && snapshot.head.length > 0;
	const isAll = isEnough || (canTell && (await ignoresCase(ask, query, snapshot.head)));
	const result = isAll ? snapshot : ((await readIfThere(withoutText)) ?? (await read({})));
	const isNobody = result.clients.length === 0 && !isEmpty(withoutText);
	return isNobody && (await mindsCase(ask, withoutText, filters)) ? await read({}) : result;
}

/** Whether the service finds somebody for the same choices written with a capital, as records have them. */
async function mindsCase(ask: AskForPage, choices: IDataObject, filters: Filters): Promise<boolean> {
	const { clientTypes, requestStatuses } = filters;
	const capitalised = Object.entries(choices).map(([name, value]) => [name, capitalise(String(value))]);
	const reader = new PageReader(ask, Object.fromEntries(capitalised) as IDataObject, 1);
	// Who refuses a choice in that writing knows the other one.
	const page = await reader.readAt(1, 1).catch((error: NodeApiError) => {
		return REFUSED_CHOICE.includes(String(error.httpCode)) ? undefined : toMissingList(error);
	});
	return Boolean(page?.clients.some(matcherFor({ ...NO_FILTERS, clientTypes, requestStatuses })));
}

function capitalise(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A service that does not mind upper and lower case gives the same list for the same text in another case. */
async function ignoresCase(ask: AskForPage, query: IDataObject, head: Client[]): Promise<boolean> {
	const changed = Object.fromEntries(
		['client_email', 'group_name'].flatMap((name) => (query[name] ? [[name, inOtherCase(String(query[name]))]] : [])),
	);
	const texts = Object.entries(changed);
	// Some know the cases of plain letters only, and would give the same list for those.
	if (texts.some(([, text]) => /[^\x20-\x7e]/.test(text))) return false;
	if (texts.every(([name, text]) => text === query[name])) return true;
	const reader = new PageReader(ask, { ...query, ...changed }, 1);
	const page = await reader.readAt(1, head.length).catch(toMissingList);
	return page?.clients[0] !== undefined && clientKey(page.clients[0]) === clientKey(head[0]);
}

/** The text itself where it knows no other case. */
function inOtherCase(text: string): string {
	const others = [text.toUpperCase(), text.toLowerCase()];
	return others.find((other) => other !== text && folded(other) === folded(text)) ?? text;
}

function isEmpty(query: IDataObject): boolean {
	return Object.keys(query).length === 0;
}
