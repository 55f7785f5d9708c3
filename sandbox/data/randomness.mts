const ROUNDS = 4;
// Read once: in jest's contexts, access to a global costs far more than the multiplication.
const { imul } = Math;

export function foldSeed(text: string): number {
	let hash = 0x811c9dc5;
	for (const character of text) {
		hash = imul(hash ^ character.codePointAt(0)!, 0x01000193);
	}
	return hash >>> 0;
}

/** A 32-bit number that looks random and depends on nothing but its arguments. */
export function mix(seed: number, index: number, salt: number): number {
	let hash = seed ^ imul(index + 1, 0x9e3779b1) ^ imul(salt + 1, 0x7feb352d);
	hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/** A Feistel network: reference ids look random, never collide, and can be converted back to their index without a table. */
export function scramble(value: number, seed: number): number {
	let [left, right] = [value >>> 16, value & 0xffff];
	for (let round = 0; round < ROUNDS; round++) {
		[left, right] = [right, left ^ (mix(seed, right, round) & 0xffff)];
	}
	return ((left << 16) | right) >>> 0;
}

export function unscramble(value: number, seed: number): number {
	let [left, right] = [value >>> 16, value & 0xffff];
	for (let round = ROUNDS - 1; round >= 0; round--) {
		[left, right] = [right ^ (mix(seed, left, round) & 0xffff), left];
	}
	return ((left << 16) | right) >>> 0;
}

export function formatUuid(seed: number, index: number): string {
	const hex = [0, 1, 2, 3]
		.map((part) =>
			mix(seed, index, 1000 + part)
				.toString(16)
				.padStart(8, '0'),
		)
		.join('');
	const variant = '89ab'[Number.parseInt(hex[16], 16) & 3];
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Picks `count` of the numbers below `total`, each at most once, in random order, without building the whole list. */
export function sample(total: number, count: number, seed: number): number[] {
	const moved = new Map<number, number>();
	return Array.from({ length: count }, (_, position) => {
		const chosen = position + (mix(seed, position, 0) % (total - position));
		const value = moved.get(chosen) ?? chosen;
		moved.set(chosen, moved.get(position) ?? position);
		return value;
	});
}
