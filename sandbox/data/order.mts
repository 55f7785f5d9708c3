import type { ClientColumns } from './clientColumns.mts';

function findFirstAfter(micros: number, length: number, microsOf: (row: number) => number): number {
	let [low, high] = [0, length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (microsOf(middle) <= micros) low = middle + 1;
		else high = middle;
	}
	return low;
}

export function sortByCreation(columns: ClientColumns, removed: ReadonlySet<number>): Uint32Array {
	const { generated, length: total } = columns;
	const microsOf = (row: number) => columns.createdMicros(row);
	const sorted = new Uint32Array(total - removed.size);
	const given = Array.from({ length: total - generated }, (_, index) => generated + index)
		.filter((row) => !removed.has(row))
		.sort((a, b) => microsOf(a) - microsOf(b) || a - b);

	// Generated rows are in order as they are; the given ones go between them.
	let length = 0;
	let next = 0;
	const takeGenerated = (end: number) => {
		for (; next < end; next++) {
			if (!removed.has(next)) sorted[length++] = next;
		}
	};
	for (const row of given) {
		takeGenerated(findFirstAfter(microsOf(row), generated, microsOf));
		sorted[length++] = row;
	}
	takeGenerated(generated);
	return sorted;
}

const ROW_RANGE = 2 ** 21;

/** Every row has its own rank, so the others keep their order when one is added or removed. */
export function sortByRank(rows: Uint32Array, rankOf: (row: number) => number): Uint32Array {
	const keys = new Float64Array(rows.length);
	for (let index = 0; index < rows.length; index++) keys[index] = rankOf(rows[index]) * ROW_RANGE + rows[index];
	keys.sort();
	const sorted = new Uint32Array(rows.length);
	for (let index = 0; index < rows.length; index++) sorted[index] = keys[index] % ROW_RANGE;
	return sorted;
}

/** Changed rows, last changed first, then all others, newest first. */
export function sortByChange(created: Uint32Array, changed: ReadonlySet<number>): Uint32Array {
	const sorted = new Uint32Array(created.length);
	let length = changed.size;
	let position = length;
	for (const row of changed) sorted[--position] = row;
	for (let index = created.length - 1; index >= 0; index--) {
		if (!changed.has(created[index])) sorted[length++] = created[index];
	}
	return sorted;
}

/** Statuses in alphabetical order; within a status, the oldest first. */
export function sortByStatus(created: Uint32Array, columns: ClientColumns): Uint32Array {
	const byStatus = new Map<string, number[]>();
	for (const row of created) {
		const status = columns.requestStatus(row);
		const rows = byStatus.get(status);
		if (rows) rows.push(row);
		else byStatus.set(status, [row]);
	}
	return Uint32Array.from([...byStatus.keys()].sort().flatMap((status) => byStatus.get(status) ?? []));
}

/** On a million rows, the built-in filter takes four times as long. */
export function keepRows(rows: Uint32Array, accepts: (row: number) => boolean): Uint32Array {
	const kept = new Uint32Array(rows.length);
	let length = 0;
	for (let index = 0; index < rows.length; index++) {
		if (accepts(rows[index])) kept[length++] = rows[index];
	}
	return kept.slice(0, length);
}
