import { Random } from '../../support/random.mts';
import { drawCase, OPERATIONS, PLAIN, type Case } from './cases.mts';
import { casesFor, coverPairs } from './cover.mts';

const CHANGED_RESPONSES = 50;

/** `pairs`: every pair of behaviors with List Clients. The others but `hostile` are drawn at random. */
export const PARTS = ['pairs', ...OPERATIONS, 'fuzz', 'hostile'] as const;
export type Part = (typeof PARTS)[number];

/** What is fixed first, then so many random cases, about as many of each part. */
export function* chooseCases(seed: number, parts: Part[], count: number): Generator<Case> {
	const random = new Random(seed);
	if (parts.includes('hostile')) yield { ...PLAIN, part: 'hostile' };
	if (parts.includes('pairs')) for (const dialect of coverPairs(random)) yield* casesFor(dialect, random);
	const drawn = parts.filter((part) => part !== 'pairs' && part !== 'hostile');
	for (let index = 0; index < count && drawn.length > 0; index++) {
		const part = drawn[index % drawn.length];
		yield part === 'fuzz'
			? { ...PLAIN, part, seed: random.below(2 ** 31), count: CHANGED_RESPONSES }
			: drawCase(part, random);
	}
}
