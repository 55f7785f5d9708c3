import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findAny } from './findAny.mts';

// Few different characters, so that parts of words are everywhere. One of them is not Latin.
const letters = (minLength: number, maxLength: number) =>
	fc.string({ unit: fc.constantFrom('a', 'b', 'ж'), minLength, maxLength });

it('findAny finds the first of the words, as indexOf does', () => {
	fc.assert(
		fc.property(letters(0, 200), fc.array(letters(2, 6), { minLength: 1, maxLength: 4 }), (text, words) => {
			const places = words.map((word) => text.indexOf(word)).filter((place) => place >= 0);
			expect(findAny(text, words)).toBe(places.length === 0 ? -1 : Math.min(...places));
		}),
	);
});
