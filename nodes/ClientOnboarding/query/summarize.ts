import type { Client } from '../api/record';
import { CLIENT_TYPES, folded, REQUEST_STATUSES, textOf } from '../api/record';
import { groupBy } from './groupBy';

export type Counts = Record<string, number>;

export type Summary = {
	total: number;
	by_request_status: Counts;
	by_client_type: Counts;
};

export type Group = {
	group_name: string;
	group_token: string;
	clients: number;
	by_request_status: Counts;
};

export function summarizeClients(clients: Client[]): Summary {
	return {
		total: clients.length,
		by_request_status: countBy(clients, 'request_status', REQUEST_STATUSES),
		by_client_type: countBy(clients, 'client_type', CLIENT_TYPES),
	};
}

/** Sorted by name. Two groups with the same name have different tokens. */
export function summarizeGroups(clients: Client[]): Group[] {
	const members = groupBy(clients, (client) => JSON.stringify([textOf(client.group_token), textOf(client.group_name)]));
	const groups = [...members.values()].map((group) => ({
		group_name: textOf(group[0].group_name),
		group_token: textOf(group[0].group_token),
		clients: group.length,
		by_request_status: countBy(group, 'request_status', REQUEST_STATUSES),
	}));
	return groups.sort((a, b) => a.group_name.localeCompare(b.group_name) || a.group_token.localeCompare(b.group_token));
}

/** Known values come first, also with a count of 0; unknown ones follow. */
function countBy(clients: Client[], field: string, known: string[]): Counts {
	const counts = new Map(known.map((value) => [value, 0]));
	for (const client of clients) {
		const value = folded(client[field]) || 'unknown';
		counts.set(value, (counts.get(value) ?? 0) + 1);
	}
	return Object.fromEntries(counts);
}
