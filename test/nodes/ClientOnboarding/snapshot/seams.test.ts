import { describe, expect, it } from '@jest/globals';
import type { PageReader } from '../../../../nodes/ClientOnboarding/snapshot/pages';
import { Round } from '../../../../nodes/ClientOnboarding/snapshot/round';
import { SeamInspection } from '../../../../nodes/ClientOnboarding/snapshot/seams';
import type { Page } from '../../../../nodes/ClientOnboarding/service/response';

const SIZE = 20;
const ROWS = Array.from({ length: 100 }, (_, row) => ({ reference_id: `client-${row}` }));

/** Reads a list of a hundred in pages of twenty, and then looks at its seams as `give` shows them. */
async function inspect(give: (number: number, size: number) => Page) {
	const sizes: number[] = [];
	const round = new Round();
	const reader = {
		readAt: async (number: number, size: number) => {
			sizes.push(size);
			return give(number, size);
		},
	};
	const seams = new SeamInspection(reader as unknown as PageReader, round);
	for (let start = 0; start < ROWS.length; start += SIZE) {
		const clients = ROWS.slice(start, start + SIZE);
		const number = start / SIZE + 1;
		const page = { clients, pageLimit: SIZE };
		const read = {
			page,
			number,
			size: SIZE,
			pageRows: SIZE,
			isFull: true,
			isLast: false,
			coversTotal: false,
			isRefused: false,
		};
		seams.add(read);
		round.add(read);
	}
	const verdict = await seams.end();
	seams.stop();
	return { verdict, sizes, round };
}

const pageOf = (rows: typeof ROWS, number: number, size: number, granted = size): Page => ({
	clients: rows.slice((number - 1) * granted, number * granted),
	pageLimit: granted,
});

describe('The seams of a list', () => {
	it('that rests hold, each with one small page', async () => {
		const { verdict, sizes } = await inspect((number, size) => pageOf(ROWS, number, size));
		expect(verdict).toBe('holds');
		expect(sizes).toHaveLength(6);
	});

	it('hold where they have moved, and bring whom nobody had seen', async () => {
		const rows = [...ROWS.slice(0, 3).map(({ reference_id }) => ({ reference_id: `new-${reference_id}` })), ...ROWS];
		const { verdict, round } = await inspect((number, size) => pageOf(rows, number, size));
		expect(verdict).toBe('holds');
		expect(round.has({ reference_id: 'new-client-0' })).toBe(true);
	});

	it('are broken where nobody known is left', async () => {
		const rows = ROWS.map(({ reference_id }) => ({ reference_id: `other-${reference_id}` }));
		expect((await inspect((number, size) => pageOf(rows, number, size))).verdict).toBe('broken');
	});

	it('tell another order', async () => {
		const rows = [...ROWS].reverse();
		expect((await inspect((number, size) => pageOf(rows, number, size))).verdict).toBe('unordered');
	});

	it.each([1, 4, 20, 100])('cannot be looked at in pages of %i', async (granted) => {
		const { verdict } = await inspect((number, size) => pageOf(ROWS, number, size, granted));
		expect(verdict).toBe('impossible');
	});
});
