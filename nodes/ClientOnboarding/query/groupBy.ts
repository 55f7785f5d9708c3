import type { Client } from '../api/record';

export function groupBy(clients: Client[], keyOf: (client: Client) => string): Map<string, Client[]> {
	const groups = new Map<string, Client[]>();
	for (const client of clients) {
		const key = keyOf(client);
		const group = groups.get(key);
		if (group) group.push(client);
		else groups.set(key, [client]);
	}
	return groups;
}
