import type { Client } from '../api/record';
import { folded } from '../api/record';
import type { ListRead } from '../pagination/readList';
import { isMisdated } from './creation';
import type { Filters } from './filters';
import { matcherFor, misdatedMatcherFor } from './filters';

/** All clients, for many who want some of them. */
export class WholeList {
	private byEmail?: Map<string, Client[]>;

	private misdated?: Client[];

	constructor(readonly read: ListRead) {}

	select(filters: Filters, limit: number): Client[] {
		return this.candidates(filters).filter(matcherFor(filters)).slice(0, limit);
	}

	/** Those whom filters by date leave out for a date that cannot be read. */
	selectMisdated(filters: Filters): Client[] {
		this.misdated ??= this.read.clients.filter(isMisdated);
		return this.misdated.filter(misdatedMatcherFor(filters));
	}

	/** Among them are all that match; of thousands of addresses, each is found at once. */
	private candidates({ clientEmail, textMatch }: Filters): Client[] {
		if (!clientEmail || textMatch === 'part') return this.read.clients;
		this.byEmail ??= groupByEmail(this.read.clients);
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
