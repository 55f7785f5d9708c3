const FIRST_SIZE = 100;
/** A larger page is not asked for at first, however quick the service is. */
const LARGE_SIZE = 10_000;
/** For reading again: a list that fits one page is a snapshot in itself. */
const LARGEST_SIZE = 100_000;
/** The default of the service: if any size comes, this one does. */
export const SMALL_SIZE = 10;
/** To fall back to where the service does not give a page of some size. */
const SMALLER_SIZES = [1000, 100, 50, 25, SMALL_SIZE];

/** The size of the first page, which tells how much there is and how quick the service is. */
export function firstSize(wantedRows: number): number {
	return Math.min(wantedRows, FIRST_SIZE);
}

/** The size of pages for the rest: as few as needed, all of about the same size, and none that takes long. */
export function quickSize(wantedRows: number, quickRows: number): number {
	const largest = Math.min(LARGE_SIZE, quickRows);
	if (!Number.isFinite(wantedRows)) return largest;
	// One row more than is there is no reason for another page.
	return Math.ceil(wantedRows / Math.ceil((wantedRows - 1) / largest));
}

/** The size of pages for reading again: all in one, if it can be. */
export function wholeSize(wantedRows: number): number {
	return Math.max(FIRST_SIZE, Math.min(LARGEST_SIZE, Math.ceil(wantedRows * 1.1)));
}

/** The largest page that the service gives, as far as it has let on. */
export class GrantedSize {
	private largest = Infinity;

	upTo(wantedSize: number): number {
		return Math.min(wantedSize, this.largest);
	}

	note(size: number): void {
		this.largest = Math.min(this.largest, size);
	}

	/** Notes that it gives no page of this size; false where there is no smaller one to ask for. */
	stepDown(size: number): boolean {
		const smaller = SMALLER_SIZES.find((candidate) => candidate < size);
		if (smaller !== undefined) this.note(smaller);
		return smaller !== undefined;
	}
}
