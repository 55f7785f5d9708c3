import { beforeEach, describe, expect, it } from '@jest/globals';
import { ShortMemory } from '../../../../nodes/ClientOnboarding/parameters/shortMemory';

describe('A short memory', () => {
	let nowMs = 0;
	let readings = 0;
	let memory: ShortMemory<number>;
	const read = async () => ++readings;

	beforeEach(() => {
		[nowMs, readings] = [1_000_000, 0];
		memory = new ShortMemory(30_000, 2, () => nowMs);
	});

	it('serves all who ask within its time with one reading', async () => {
		expect(await Promise.all([memory.recall('a', read), memory.recall('a', read)])).toEqual([1, 1]);
		nowMs += 29_999;
		expect(await memory.recall('a', read)).toBe(1);
		nowMs += 1;
		expect(await memory.recall('a', read)).toBe(2);
	});

	it('counts that time from the end of the reading, however long that took', async () => {
		const reading = memory.recall('a', async () => {
			nowMs += 60_000;
			return await read();
		});
		expect(await Promise.all([reading, memory.recall('a', read)])).toEqual([1, 1]);
		expect(await memory.recall('a', read)).toBe(1);
	});

	it('keeps nothing for longer where the clock is set back', async () => {
		await memory.recall('a', read);
		nowMs -= 1;
		expect(await memory.recall('a', read)).toBe(2);
	});

	it('keeps the newest only', async () => {
		for (const key of ['a', 'b', 'c']) await memory.recall(key, read);
		expect(await memory.recall('c', read)).toBe(3);
		expect(await memory.recall('b', read)).toBe(2);
		expect(await memory.recall('a', read)).toBe(4);
	});

	it('keeps no reading that failed, and tells all who wait for it', async () => {
		const fail = async () => {
			throw new Error('Out of order');
		};
		const waiting = [memory.recall('a', fail), memory.recall('a', read)];
		for (const reading of waiting) await expect(reading).rejects.toThrow('Out of order');
		expect(await memory.recall('a', read)).toBe(1);
	});

	it('keeps a later reading where an earlier one, dropped meanwhile, fails', async () => {
		let fail!: (reason: Error) => void;
		const early = memory.recall('a', async () => await new Promise((_resolve, reject) => (fail = reject)));
		for (const key of ['b', 'c', 'a']) await memory.recall(key, read);
		fail(new Error('Out of order'));
		await expect(early).rejects.toThrow('Out of order');
		expect(await memory.recall('a', read)).toBe(3);
	});
});
