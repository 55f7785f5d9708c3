/**
 * Where the first of the words begins in the text, or -1.
 *
 * A result of megabytes may have to be searched for hundreds of words. So this reads only every so many characters: the last
 * two of a window as long as the shortest word say how far the window can go on without passing a word.
 */
export function findAny(text: string, words: string[]): number {
	const length = Math.min(...words.map((word) => word.length));
	if (length < 2) throw new Error('A word is too short to search for');
	const steps = new Uint16Array(1 << 16).fill(length - 1);
	for (const word of words) {
		for (let end = 1; end < length; end++) {
			const pair = pairAt(word, end);
			steps[pair] = Math.min(steps[pair], length - 1 - end);
		}
	}

	for (let end = length - 1; end < text.length;) {
		const step = steps[pairAt(text, end)];
		const start = end - length + 1;
		if (step === 0 && words.some((word) => text.startsWith(word, start))) return start;
		end += step || 1;
	}
	return -1;
}

/** Different pairs may get the same number, then the window is moved too little, never too far. */
function pairAt(text: string, end: number): number {
	return ((text.charCodeAt(end - 1) << 8) ^ text.charCodeAt(end)) & 0xffff;
}
