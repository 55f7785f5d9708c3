import type { Client } from '../api/record';
import { clientKey, folded, textOf } from '../api/record';

/** Who has the IDs that are looked for, upper and lower case aside. Those that were found are found, whatever happens then. */
export class IdSearch {
	private readonly found: Map<string, Map<string, Client>>;

	constructor(referenceIds: ReadonlySet<string>) {
		this.found = new Map([...referenceIds].map((id) => [folded(id), new Map()]));
	}

	/** Why it could not be ended, if so. */
	trouble?: Error;

	note(client: Client): void {
		this.found.get(folded(client.reference_id))?.set(clientKey(client), client);
	}

	find(referenceId: string): Client[] {
		const similar = [...(this.found.get(folded(referenceId)) as Map<string, Client>).values()];
		const exact = similar.find((client) => textOf(client.reference_id).trim() === referenceId);
		if (exact) return [exact];
		if (this.trouble) throw this.trouble;
		return similar.length === 1 ? similar : [];
	}
}
