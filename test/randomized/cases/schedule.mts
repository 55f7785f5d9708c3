import { Random } from '../../support/random.mts';
import { drawCase, drawFilterCase, OPERATIONS, PLAIN, type Case } from './cases.mts';
import { casesFor, coverPairs } from './cover.mts';

const CHANGED_RESPONSES = 50;

/** `pairs`: every pair of behaviors with every operation. All others except `hostile` are random. */
export const PARTS = ['pairs', 'filters', ...OPERATIONS, 'fuzz', 'hostile'] as const;
export type Part = (typeof PARTS)[number];

/** The cases that are not random first, then `count` random cases, about as many of each part. */
export function* chooseCases(seed: number, parts: Part[], count: number): Generator<Case> {
	const random = new Random(seed);
	if (parts.includes('hostile')) yield { ...PLAIN, part: 'hostile' };
	if (parts.includes('pairs')) for (const behavior of coverPairs(random)) yield* casesFor(behavior, random);
	const drawn = parts.filter((part) => part !== 'pairs' && part !== 'hostile');
	for (let index = 0; index < count && drawn.length > 0; index++) {
		const part = drawn[index % drawn.length];
		if (part === 'fuzz') yield { ...PLAIN, part, seed: random.below(2 ** 31), count: CHANGED_RESPONSES };
		else yield part === 'filters' ? drawFilterCase(random) : drawCase(part, random);
	}
}
