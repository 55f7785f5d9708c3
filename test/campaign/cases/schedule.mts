import { Random } from '../../support/random.mts';
import { drawCase, OPERATIONS, PLAIN, type Case, type Operation } from './cases.mts';
import { coverPairs, drawDialect } from './cover.mts';

const FUZZ_BLOCKS = 20;
const FUZZ_BLOCK = 5_000;
const SOCKET_BLOCKS = 10;
const SOCKET_BLOCK = 100;

export const PARTS: Array<Case['part']> = [...OPERATIONS, 'fuzz', 'fuzzSockets', 'hostile'];

/** What is always run: every pair of readings with every operation, 100,000 changed answers, everything hostile. */
export function* coverAll(seed: number, parts: Array<Case['part']>): Generator<Case> {
	const random = new Random(seed);
	const blocks = (part: Case['part'], length: number, count: number) =>
		Array.from({ length }, () => ({ ...PLAIN, part, count, seed: random.below(2 ** 31) }));
	const operations = OPERATIONS.filter((operation) => parts.includes(operation));
	const dialects = operations.length > 0 ? coverPairs(random) : [];
	const fixed: Case[] = [
		{ ...PLAIN, part: 'hostile' },
		...dialects.flatMap((dialect) => operations.map((operation) => drawCase(operation, dialect, random))),
		...blocks('fuzz', FUZZ_BLOCKS, FUZZ_BLOCK),
		...blocks('fuzzSockets', SOCKET_BLOCKS, SOCKET_BLOCK),
	];
	yield* fixed.filter(({ part }) => parts.includes(part));
}

/** What is run while there is time. */
export function* drawForever(seed: number, parts: Array<Case['part']>): Generator<Case> {
	const random = new Random(seed + 1);
	const operations = OPERATIONS.filter((operation) => parts.includes(operation));
	for (;;) {
		const operation = random.chance(0.95) ? random.one<Operation | undefined>(operations) : undefined;
		if (operation) {
			yield drawCase(operation, drawDialect(random), random);
			continue;
		}
		const [part, count] = random.chance(0.5)
			? (['fuzz', FUZZ_BLOCK] as const)
			: (['fuzzSockets', SOCKET_BLOCK] as const);
		const seedOfBlock = random.below(2 ** 31);
		if (parts.includes(part)) yield { ...PLAIN, part, count, seed: seedOfBlock };
		else if (operations.length === 0) return;
	}
}
