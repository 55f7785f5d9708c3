import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { clientKey, folded, textOf } from '../api/record';
import { creationMs, isMisdated } from './creation';

/** How the two text filters match: the whole value or a part of it, never minding upper and lower case. */
export type TextMatch = 'whole' | 'part';

export interface Filters {
	clientEmail?: string;
	clientStatus?: string;
	clientTypes: string[];
	createdAfterMs?: number;
	createdBeforeMs?: number;
	/** Clients that are too young for the filters will be old enough one day. */
	isAboutAge?: true;
	groupName?: string;
	/** Of each ID one client. */
	referenceIds?: ReadonlySet<string>;
	requestStatuses: string[];
	textMatch: TextMatch;
}

export const NO_FILTERS: Filters = { clientTypes: [], requestStatuses: [], textMatch: 'whole' };

/** The part of the filters the service is asked to apply. Its answer is checked again with `matcherFor`. */
export function toQuery({ clientEmail, clientTypes, groupName, requestStatuses, textMatch }: Filters): IDataObject {
	const query: IDataObject = {};
	if (clientEmail && textMatch === 'whole') query.client_email = clientEmail;
	if (groupName && textMatch === 'whole') query.group_name = groupName;
	// The service takes one of each. Asking for several one after the other could miss a client that moves between them.
	if (clientTypes.length === 1) query.client_type = clientTypes[0];
	if (requestStatuses.length === 1) query.request_status = requestStatuses[0];
	return query;
}

/** Filters the service knows nothing of, so that any number of its rows may have to be looked at. */
export function needsSearch({
	clientStatus,
	clientTypes,
	createdAfterMs,
	createdBeforeMs,
	referenceIds,
	requestStatuses,
	textMatch,
	...text
}: Filters): boolean {
	const hasPartOfText = textMatch === 'part' && Boolean(text.clientEmail ?? text.groupName);
	const isLocal = [clientStatus, createdAfterMs, createdBeforeMs, referenceIds].some((filter) => filter !== undefined);
	return isLocal || hasPartOfText || clientTypes.length > 1 || requestStatuses.length > 1;
}

/** Whether a client that does not match now may match later: all but its creation can change. */
export function mayMatchLater({
	clientEmail,
	clientStatus,
	clientTypes,
	groupName,
	isAboutAge,
	requestStatuses,
}: Filters): boolean {
	return (
		Boolean(isAboutAge ?? clientEmail ?? clientStatus ?? groupName) ||
		clientTypes.length > 0 ||
		requestStatuses.length > 0
	);
}

export function matcherFor(filters: Filters): (client: Client) => boolean {
	const {
		clientEmail,
		clientStatus,
		clientTypes,
		createdAfterMs,
		createdBeforeMs,
		groupName,
		referenceIds,
		requestStatuses,
		textMatch,
	} = filters;
	const checks: Array<(client: Client) => boolean> = [];
	if (referenceIds) checks.push(idCheck(referenceIds));
	if (clientEmail) checks.push(textCheck('email', clientEmail, textMatch));
	if (clientStatus) checks.push(textCheck('client_status', clientStatus, 'whole'));
	if (groupName) checks.push(textCheck('group_name', groupName, textMatch));
	if (clientTypes.length > 0) checks.push((client) => clientTypes.includes(folded(client.client_type)));
	if (requestStatuses.length > 0) {
		checks.push((client) => requestStatuses.includes(folded(client.request_status)));
	}
	if (createdAfterMs !== undefined) checks.push((client) => creationMs(client) >= createdAfterMs);
	if (createdBeforeMs !== undefined) checks.push((client) => creationMs(client) < createdBeforeMs);
	return (client) => checks.every((check) => check(client));
}

/** Who would match if its date of creation could be read; nobody where the filters do not ask for it. */
export function misdatedMatcherFor({
	createdAfterMs,
	createdBeforeMs,
	...others
}: Filters): (client: Client) => boolean {
	if (createdAfterMs === undefined && createdBeforeMs === undefined) return () => false;
	const isMatch = matcherFor(others);
	return (client) => isMisdated(client) && isMatch(client);
}

function idCheck(ids: ReadonlySet<string>): (client: Client) => boolean {
	const owners = new Map<string, string>();
	return (client) => {
		const id = textOf(client.reference_id).trim();
		if (!ids.has(id)) return false;
		const key = clientKey(client);
		if (!owners.has(id)) owners.set(id, key);
		return owners.get(id) === key;
	};
}

function textCheck(field: string, wanted: string, textMatch: TextMatch): (client: Client) => boolean {
	const text = folded(wanted);
	return textMatch === 'whole'
		? (client) => folded(client[field]) === text
		: (client) => folded(client[field]).includes(text);
}
