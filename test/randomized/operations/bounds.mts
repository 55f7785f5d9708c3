import { isShortLived, type Case } from './cases.mts';
import type { World } from './world.mts';

const MAX_PASSES = 4;
const MAX_REQUESTS_PER_PAGE = 12;
const MAX_TIMES_TOTAL = 10;
const MAX_MORE_THAN_TOTAL = 1_000;
const SMALLER_SIZES = [1_000, 100, 50, 25, 10];
/** Two for each of five statuses, two types and the end of the list. */
const COUNTING = 16;

/** A generous upper bound of the requests that the design allows. */
export function maxRequests(testCase: Case, rows: number, { met }: World): { list: number; token: number } {
	const { behavior, faults, filters, items, options, operation, rivals } = testCase;
	const { parallelRequests = 5 } = options;
	const isDisturbed = faults.length > 0 || isShortLived(testCase) || rivals > 0;
	// A third of the rows may be hidden but still take space on pages. Made-up rows end a read at a multiple of the total.
	const all = behavior.beyondLast === 'more-rows' ? MAX_TIMES_TOTAL * rows + MAX_MORE_THAN_TOTAL : 2 * rows;
	// One past the last page, and those under the other parameter name.
	const pages = Math.ceil(all / smallestPage(testCase)) + 3;
	const perPass = pages * (isDisturbed ? MAX_REQUESTS_PER_PAGE : 2) + 2 * parallelRequests;
	const isFiltered = filters.length > 0 || operation === 'find';
	const reads = (isFiltered ? 2 : 1) * items + (items > 1 ? 1 : 0);
	const own = (operation === 'count' ? COUNTING : 0) + reads * (MAX_REQUESTS_PER_PAGE + MAX_PASSES * perPass);
	const list = (1 + rivals) * (own + 2 * parallelRequests * (met.spoiled + met.rateLimited + met.revoked));
	// Also without expired tokens, a new one is requested after a response that could mean one.
	const refreshes = isDisturbed ? list : 2 + 2 * MAX_PASSES * reads + met.rateLimited + met.revoked;
	return { list, token: 2 * (1 + rivals) * refreshes };
}

function smallestPage({ options, behavior, maxPageLimit, faults }: Case): number {
	const wanted = options.pageSize ?? Infinity;
	const most = Math.min(wanted, maxPageLimit);
	if (faults.length > 0) return Math.min(most, 10);
	if (behavior.pageSizes === 'fixed') return Math.min(25, maxPageLimit);
	if (/refused|empty|hang/.test(behavior.overLimit ?? '') && wanted > maxPageLimit)
		return SMALLER_SIZES.find((size) => size <= maxPageLimit) ?? 1;
	return most;
}
