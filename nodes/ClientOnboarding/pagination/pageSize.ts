import { MAX_TRIES, MAX_TRIES_BEFORE_SMALLER_PAGE } from '../api/retry';
import type { Page } from '../api/response';

/** Rows of the first page, which shows the total. Fewer if "Limit" is smaller; "Page Size" overrides it. */
export const FIRST_PAGE_SIZE = 100;
/** The most rows that are requested in one page. */
export const LARGEST_PAGE_SIZE = 10_001;
/** The sizes to try if a larger page is refused or fails. The last one is the service's default. */
const SMALLER_SIZES = [1000, 100, 50, 25, 10];

/** Many services cannot cope with larger pages. Not less than `FIRST_PAGE_SIZE`, which should get all tries. */
const LARGE_PAGE_ABOVE = 100;

export function nextSmallerSize(size: number): number | undefined {
	return SMALLER_SIZES.find((smaller) => smaller < size);
}

/** Large pages, and those that were reduced already, get fewer tries. */
export function triesForSize(size: number, isReduced: boolean): number {
	return size > LARGE_PAGE_ABOVE || isReduced ? MAX_TRIES_BEFORE_SMALLER_PAGE : MAX_TRIES;
}

/** How many rows a full page has, judged by the first page. */
export function grantedSize({ clients, pageLimit, totalCount = 0 }: Page, requested: number): number {
	const rows = clients.length;
	// If there are more clients than rows, the page is full, whatever page_limit says.
	if (rows > 0 && rows < totalCount) return rows;
	return pageLimit !== undefined && rows <= pageLimit ? pageLimit : Math.max(rows, requested);
}
