import { hasGaps, isShortLived, isSlow, type Case } from '../cases/cases.mts';

const MOST_TRIES = 5;
const MOST_ROUNDS = 10;
const MOST_SHUFFLED_ROUNDS = 30;
const MOST_BARREN_PAGES = 40;
const MOST_TIMES_TOTAL = 10;
const MOST_MORE = 1_000;
const MOST_PAGES = 1_000;
const MOST_ONE_BY_ONE = 7;
const STEPS_DOWN = [1_000, 100, 50, 25, 10];

/** What happened in a run that costs requests of its own. */
export interface Met {
	/** Requests that were spoilt or refused for their rate. */
	troubles: number;
	/** Of these, the ones that look like "no such page". */
	endings: number;
	revocations: number;
}

/** The most requests a run may need under its reading of the specification. */
export function mostRequests(testCase: Case, rows: number, met: Met): { list: number; token: number } {
	const { part, options, dialect } = testCase;
	const parallel = options.parallelRequests ?? 5;
	// A third of the rows may be hidden, and still stand on the pages.
	const all = dialect.hiddenRows === 'after-paging' ? 2 * rows : rows;
	const isEndless = dialect.beyondLast === 'more-rows';
	const size = smallestPage(testCase, met);
	// The last page has to be seen to be the last, and made-up rows to be too many.
	const madeUpPages = isEndless && all <= size ? MOST_PAGES : 0;
	const pages = Math.max(madeUpPages, Math.ceil((isEndless ? MOST_TIMES_TOTAL * all + MOST_MORE : all) / size)) + 1;
	const isShuffled = dialect.order === 'shuffled' && all >= size;
	// What does not add up is read twice; where it moves, up to ten times; in an order that never rests, thirty times.
	const isMoving = testCase.moves !== 'none' || hasGaps(testCase);
	const rounds = isShuffled ? MOST_SHUFFLED_ROUNDS : isMoving ? MOST_ROUNDS : 3 + met.endings;
	// In each round, a look at every seam; pages may be asked for ahead, or under the name that does not count.
	const perList = 1 + 2 * STEPS_DOWN.length + rounds * (2 * pages + 4 * parallel + MOST_BARREN_PAGES);
	const isFiltered = testCase.filters.length > 0 || part === 'find' || part === 'items';
	// Only few items are asked for one by one; many are found in one reading.
	const lists = (isFiltered ? 3 : 1) + (testCase.items > MOST_ONE_BY_ONE ? 0 : testCase.items - 1);
	// Two a part: five statuses, two types, the end.
	const counting = part === 'count' ? 16 : 0;
	const own = counting + lists * perList + 2 * met.troubles + met.revocations * parallel;
	const list = (1 + testCase.rivals) * own;
	const isDying = isShortLived(testCase) || testCase.rivals > 0;
	return {
		list: isDying ? (1 + parallel) * list : list,
		token: (dialect.tokenMethod === 'POST' ? 2 : 1) * (isDying ? list : 3 + 3 * met.revocations + 3 * met.troubles),
	};
}

function smallestPage({ options, dialect, maxPageLimit, faults }: Case, { endings, troubles }: Met): number {
	const wanted = options.pageSize ?? 1_000;
	const isRefusing = /refused|empty/.test(dialect.overLimit ?? '') && wanted > maxPageLimit;
	const granted =
		dialect.overLimit === 'capped'
			? Math.min(wanted, maxPageLimit)
			: isRefusing
				? (STEPS_DOWN.find((step) => step <= maxPageLimit) as number)
				: wanted;
	// So many troubles may be those of one page, which seems too large then.
	const isSteppedDown = faults.some(isSlow) || troubles >= MOST_TRIES;
	const stepped = endings > 0 ? 10 : isSteppedDown ? 100 : granted;
	// A total that is no more than a full first page is that of the page, perhaps, so that pages stay as they are.
	const fixed = dialect.pageSizes === 'fixed' ? 25 : dialect.totals === 'of-page' ? 100 : Infinity;
	return Math.max(1, Math.min(granted, stepped, fixed));
}
