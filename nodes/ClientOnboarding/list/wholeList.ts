import type { Client } from '../service/client';
import { folded } from '../service/client';
import type { Snapshot } from '../snapshot/snapshot';
import type { Filters } from './filters';
import { matcherFor } from './filters';

/** All clients, for many who want some of them. */
export class WholeList {
	private byEmail?: Map<string, Client[]>;

	constructor(readonly snapshot: Snapshot) {}

	select(filters: Filters, limit: number): Client[] {
		return this.candidates(filters).filter(matcherFor(filters)).slice(0, limit);
	}

	/** Among them are all that match; of thousands of addresses, each is found at once. */
	private candidates({ clientEmail, textMatch }: Filters): Client[] {
		if (!clientEmail || textMatch === 'part') return this.snapshot.clients;
		this.byEmail ??= groupByEmail(this.snapshot.clients);
		return this.byEmail.get(folded(clientEmail)) ?? [];
	}
}

function groupByEmail(clients: Client[]): Map<string, Client[]> {
	const byEmail = new Map<string, Client[]>();
	for (const client of clients) {
		const email = folded(client.email);
		const others = byEmail.get(email);
		if (others) others.push(client);
		else byEmail.set(email, [client]);
	}
	return byEmail;
}
