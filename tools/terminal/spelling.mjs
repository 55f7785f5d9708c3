/**
 * @param {string} from
 * @param {string} to
 */
function countEdits(from, to) {
	let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const replaced = previous[column - 1] + (from[row - 1] === to[column - 1] ? 0 : 1);
			current.push(Math.min(replaced, previous[column] + 1, current[column - 1] + 1));
		}
		previous = current;
	}
	return previous[to.length];
}

/**
 * The most similar candidate, if it is similar enough to suggest.
 * @param {string} word
 * @param {readonly string[]} candidates
 */
export function findNearest(word, candidates) {
	const ranked = candidates
		.map((candidate) => ({ candidate, edits: countEdits(word, candidate) }))
		.sort((a, b) => a.edits - b.edits);
	const [nearest] = ranked;
	return nearest && nearest.edits <= Math.max(2, word.length / 3) ? nearest.candidate : undefined;
}
