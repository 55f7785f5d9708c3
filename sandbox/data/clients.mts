import type { Client } from './client.mts';
import { ClientColumns } from './clientColumns.mts';
import { keepRows, sortByChange, sortByCreation, sortByRank, sortByStatus } from './order.mts';
import { foldSeed } from './randomness.mts';
import { formatMicros } from './timestamp.mts';

export type { Client };
/** `changed`: last changed or added first. `status`: by status, so that a change moves a client. */
export type StableOrder = 'created' | 'arbitrary' | 'changed' | 'status';

export type ClientChanges = Partial<Omit<Client, 'reference_id' | 'created_at'>>;

/** Changes to generated clients by row, and added records. */
export interface Edits {
	changed: Array<[row: number, fields: Partial<Client>]>;
	added: Client[];
	removed: number[];
}

export interface ClientsOptions {
	/** How many to generate, or the records themselves. */
	clients: number | readonly Client[];
	seed: string;
	/** Spreads those that are generated over the year up to this instant, with statuses that fit their age. */
	createdUntilMs?: number;
	/** Of an earlier store with the same number, seed and instant. */
	edits?: Edits;
	now: () => number;
}

export const MOST_CLIENTS = 1_000_000;
const MOST_SELECTIONS = 64;

export class Clients {
	readonly columns: ClientColumns;
	readonly #now: () => number;
	readonly #rowOfGiven = new Map<string, number>();
	readonly #removed = new Set<number>();
	/** In the order of their last change. */
	readonly #changed = new Set<number>();
	readonly #orders = new Map<StableOrder, Uint32Array>();
	readonly #selections = new Map<string, Uint32Array>();
	#revision = 0;

	constructor({ clients, seed, createdUntilMs, edits, now }: ClientsOptions) {
		const isCount = typeof clients === 'number';
		const count = isCount ? clients : clients.length;
		if (!Number.isInteger(count) || count < 0 || count > MOST_CLIENTS) {
			throw new Error(`The number of clients must be a whole number from 0 to ${MOST_CLIENTS}.`);
		}
		this.columns = new ClientColumns(isCount ? clients : 0, foldSeed(seed), createdUntilMs);
		this.#now = now;
		if (!isCount) for (const client of clients) this.#append(client);
		if (edits) this.#redo(edits);
	}

	edits(): Edits {
		const { generated } = this.columns;
		const added = Array.from({ length: this.columns.length - generated }, (_, index) => generated + index);
		return {
			changed: this.columns.changes().filter(([row]) => row < generated),
			added: added.map((row) => this.columns.record(row)),
			removed: [...this.#removed],
		};
	}

	#redo({ changed, added, removed }: Edits) {
		for (const [row, fields] of changed) {
			this.columns.change(row, fields);
			this.#changed.add(row);
		}
		const gone = new Set(removed);
		for (const row of gone) if (row < this.columns.generated) this.#leaveOut(row);
		for (const client of added) {
			const row = this.#append(client);
			this.#changed.add(row);
			// At once, since a removed client may have been added again with the same reference_id.
			if (gone.has(row)) this.#leaveOut(row);
		}
	}

	#leaveOut(row: number) {
		this.#removed.add(row);
		this.#changed.delete(row);
		this.#rowOfGiven.delete(this.columns.referenceId(row));
	}

	/** Increases with every change. */
	get revision() {
		return this.#revision;
	}

	get size() {
		return this.columns.length - this.#removed.size;
	}

	/** Adds a client that is created now. Missing fields are generated. */
	add(fields: Partial<Client> = {}): Client {
		const created_at = formatMicros(Math.floor(this.#now() * 1000));
		const invented = { ...this.columns.invent(), request_status: 'Pending', created_at };
		const row = this.#append({ ...invented, ...fields });
		this.#changed.add(row);
		this.#clearOrders();
		return this.columns.record(row);
	}

	setStatus(referenceId: string, status: string): Client {
		return this.update(referenceId, { request_status: status });
	}

	update(referenceId: string, fields: ClientChanges): Client {
		const row = this.#demandRow(referenceId);
		this.columns.change(row, fields);
		this.#changed.delete(row);
		this.#changed.add(row);
		for (const order of ['changed', 'status'] as const) this.#orders.delete(order);
		this.#selections.clear();
		this.#revision += 1;
		return this.columns.record(row);
	}

	remove(referenceId: string): Client {
		const row = this.#demandRow(referenceId);
		this.#leaveOut(row);
		this.#clearOrders();
		return this.columns.record(row);
	}

	get(referenceId: string): Client | undefined {
		const row = this.#findRow(referenceId);
		return row === undefined ? undefined : this.columns.record(row);
	}

	/** Every client, oldest first. */
	*all(): Generator<Client> {
		for (const row of this.rows('created')) yield this.columns.record(row);
	}

	/** Every reference_id, oldest first. */
	ids(): string[] {
		return Array.from(this.rows('created'), (row) => this.columns.referenceId(row));
	}

	rows(order: StableOrder): Uint32Array {
		const rows = this.#orders.get(order) ?? this.#sort(order);
		this.#orders.set(order, rows);
		return rows;
	}

	/** The rows a filter accepts. `name` must be unique for the filter: the result is cached until a client changes. */
	select(order: StableOrder, name: string, accepts: (row: number) => boolean): Uint32Array {
		const key = `${order} ${name}`;
		let rows = this.#selections.get(key);
		if (!rows) {
			if (this.#selections.size >= MOST_SELECTIONS) this.#selections.clear();
			rows = keepRows(this.rows(order), accepts);
			this.#selections.set(key, rows);
		}
		return rows;
	}

	#sort(order: StableOrder): Uint32Array {
		const { columns } = this;
		if (order === 'created') return sortByCreation(columns, this.#removed);
		const created = this.rows('created');
		if (order === 'changed') return sortByChange(created, this.#changed);
		if (order === 'status') return sortByStatus(created, columns);
		return sortByRank(created, (row) => columns.arbitraryRank(row));
	}

	#clearOrders() {
		this.#revision += 1;
		this.#orders.clear();
		this.#selections.clear();
	}

	#append(client: Client): number {
		if (this.#findRow(client.reference_id) !== undefined) {
			throw new Error(`The reference_id "${client.reference_id}" is already taken.`);
		}
		const row = this.columns.append(client);
		this.#rowOfGiven.set(client.reference_id, row);
		return row;
	}

	#findRow(referenceId: string): number | undefined {
		const row = this.#rowOfGiven.get(referenceId) ?? this.columns.findGenerated(referenceId);
		return row === undefined || this.#removed.has(row) ? undefined : row;
	}

	#demandRow(referenceId: string): number {
		const row = this.#findRow(referenceId);
		if (row === undefined) throw new Error(`No client has the reference_id "${referenceId}".`);
		return row;
	}
}
