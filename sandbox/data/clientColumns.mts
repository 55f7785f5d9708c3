import { spellStatus, type Client } from './client.mts';
import { createPopulation, type Population } from './population.mts';
import { parseMicros } from './timestamp.mts';

/** Far above the highest row, so that no row has the same reference_id. */
const FIRST_INVENTED = 2 ** 31;

/**
 * Rows below `generated` are computed from a seed, with changed fields on top. Given records follow them. A row keeps its
 * number, so that orders and selections are plain lists of rows.
 */
export class ClientColumns {
	readonly generated: number;
	readonly #population: Population;
	readonly #given: Client[] = [];
	readonly #givenMicros: number[] = [];
	readonly #changes = new Map<number, Partial<Client>>();

	constructor(generated: number, seed: number, createdUntilMs?: number) {
		this.generated = generated;
		this.#population = createPopulation(
			seed,
			createdUntilMs === undefined ? undefined : { count: generated, untilMs: createdUntilMs },
		);
	}

	get length() {
		return this.generated + this.#given.length;
	}

	/** A generated client for the next row. */
	invent(): Client {
		return this.#population.generate(this.length);
	}

	/** A reference_id that no row has, the same for the same index. */
	inventedId(index: number): string {
		return this.#population.referenceId(FIRST_INVENTED + (index % FIRST_INVENTED));
	}

	append(client: Client): number {
		this.#given.push({ ...client, request_status: spellStatus(client.request_status) });
		this.#givenMicros.push(parseMicros(client.created_at) || 0);
		return this.length - 1;
	}

	change(row: number, { request_status: status, ...fields }: Partial<Client>) {
		const spelled = status === undefined ? {} : { request_status: spellStatus(status) };
		this.#changes.set(row, { ...this.#changes.get(row), ...fields, ...spelled });
	}

	/** The fields that were changed, by row. */
	changes(): Array<[row: number, fields: Partial<Client>]> {
		return [...this.#changes];
	}

	record(row: number): Client {
		const client = row < this.generated ? this.#population.generate(row) : this.#givenAt(row);
		return { ...client, ...this.#changes.get(row) };
	}

	referenceId(row: number): string {
		return row < this.generated ? this.#population.referenceId(row) : this.#givenAt(row).reference_id;
	}

	findGenerated(referenceId: string): number | undefined {
		const row = this.#population.indexOf(referenceId);
		return row !== undefined && row < this.generated ? row : undefined;
	}

	requestStatus(row: number): string {
		const changed = this.#changes.get(row)?.request_status;
		if (changed !== undefined) return changed;
		return row < this.generated ? this.#population.requestStatus(row) : this.#givenAt(row).request_status;
	}

	clientType(row: number): string {
		const changed = this.#changes.get(row)?.client_type;
		if (changed !== undefined) return changed;
		return row < this.generated ? this.#population.clientType(row) : this.#givenAt(row).client_type;
	}

	groupName(row: number): string {
		const changed = this.#changes.get(row)?.group_name;
		if (changed !== undefined) return changed;
		return row < this.generated ? this.#population.groupName(row) : this.#givenAt(row).group_name;
	}

	clientName(row: number): string {
		const changed = this.#changes.get(row)?.client_name;
		if (changed !== undefined) return changed;
		return row < this.generated ? this.#population.clientName(row) : this.#givenAt(row).client_name;
	}

	email(row: number): string {
		const changed = this.#changes.get(row)?.email;
		if (changed !== undefined) return changed;
		return row < this.generated ? this.#population.email(row) : this.#givenAt(row).email;
	}

	/** Compares addresses as `spell` writes them. */
	matchEmail(wanted: string, spell: (email: string) => string): (row: number) => boolean {
		const matches = this.#population.matchEmail(wanted, spell);
		const spelled = spell(wanted);
		return (row) => {
			const isGenerated = row < this.generated && this.#changes.get(row)?.email === undefined;
			return isGenerated ? matches(row) : spell(this.email(row)) === spelled;
		};
	}

	createdMicros(row: number): number {
		return row < this.generated ? this.#population.createdMicros(row) : this.#givenMicros[row - this.generated];
	}

	arbitraryRank(row: number): number {
		return this.#population.arbitraryRank(row);
	}

	/** Whether the setting hiddenRows leaves this row out. Changes to the row do not matter. */
	isHidden(row: number): boolean {
		return this.#population.isHidden(row);
	}

	/** Whether the value "statuses" of the setting extras applies to this row. Added and changed rows keep their status. */
	isHeldBack(row: number): boolean {
		return row < this.generated && !this.#changes.has(row) && this.#population.isHeldBack(row);
	}

	#givenAt(row: number): Client {
		return this.#given[row - this.generated];
	}
}
