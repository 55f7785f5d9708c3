import { isSlow, type Case } from '../cases/cases.mts';

const MOST_ROUNDS = 10;
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
	const size = smallestPage(testCase, met);
	// The last page has to be seen to be the last.
	const pages = Math.ceil(rows / size) + 1;
	const isOnePage = rows < size;
	const isMoving = (dialect.order === 'shuffled' && !isOnePage) || testCase.moves !== 'none';
	const isHonest = [undefined, 'numbers', 'strings'].includes(dialect.totals);
	// Totals that do not fit make it read twice; an order that never stands still, up to ten times.
	const rounds = isMoving ? MOST_ROUNDS : (isHonest ? 1 : 2) + met.endings;
	// In each round pages may be asked for ahead, or under the name that does not count.
	const perList = 1 + STEPS_DOWN.length + rounds * (pages + 2 * parallel + 1);
	const lists = testCase.filters.length > 0 || part === 'find' ? 2 : 1;
	// Two a part: five statuses, two types, the end.
	const counting = part === 'count' ? 16 : 0;
	return {
		list: counting + lists * perList + 2 * met.troubles + met.revocations * parallel,
		token: (dialect.tokenMethod === 'POST' ? 2 : 1) * (1 + met.revocations + met.troubles),
	};
}

function smallestPage({ options, dialect, maxPageLimit, faults }: Case, { endings }: Met): number {
	const wanted = options.pageSize ?? 1_000;
	const isRefusing = dialect.overLimit?.startsWith('refused') && wanted > maxPageLimit;
	const granted =
		dialect.overLimit === 'capped'
			? Math.min(wanted, maxPageLimit)
			: isRefusing
				? (STEPS_DOWN.find((step) => step <= maxPageLimit) as number)
				: wanted;
	const stepped = endings > 0 ? 10 : faults.some(isSlow) ? 100 : granted;
	return Math.max(1, Math.min(granted, stepped));
}
