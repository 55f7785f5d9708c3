import { describe, expect, it } from '@jest/globals';
import { NumberReader, writeNumber } from '../../../../../nodes/ClientOnboarding/trigger/state/numbers';

/** The largest that takes so many bytes, and the next one. */
const NUMBERS = [0, 1, 127, 128, 255, 256, 16_383, 16_384, 29_000_000, 2 ** 40];

function write(numbers: number[]): number[] {
	const bytes: number[] = [];
	for (const number of numbers) writeNumber(bytes, number);
	return bytes;
}

describe('Numbers in a row', () => {
	it('are read as they were written', () => {
		const reader = new NumberReader(Buffer.from(write(NUMBERS)).toString('base64'));
		expect(NUMBERS.map(() => reader.read())).toEqual(NUMBERS);
	});

	it.each([
		[0, [0]],
		[127, [127]],
		[128, [128, 1]],
		[16_383, [255, 127]],
		[16_384, [128, 128, 1]],
	])('take as few bytes as they need, as earlier versions wrote them: %j', (number, bytes) => {
		expect(write([number])).toEqual(bytes);
	});
});
