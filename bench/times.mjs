export function median(values) {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The smallest value that this percentage of the values does not exceed. */
export function percentile(values, percent) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}

/** The times of each contender by circumstances. */
export class Times {
	#entries = new Map();

	add(circumstances, tookMs, requests) {
		const key = keyOf(circumstances);
		const entry = this.#entries.get(key) ?? { all: [], requests };
		entry.all.push(tookMs);
		this.#entries.set(key, entry);
	}

	/** The median in milliseconds; undefined if it was not measured. */
	of(circumstances) {
		const entry = this.#entries.get(keyOf(circumstances));
		return entry && median(entry.all);
	}

	requests(circumstances) {
		return this.#entries.get(keyOf(circumstances))?.requests;
	}
}

function keyOf({ clients, isCapped, name }) {
	return [clients, isCapped, name].join();
}
