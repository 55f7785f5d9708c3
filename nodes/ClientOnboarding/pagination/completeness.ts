/** `fast`: a client that moves to another page while the list is read may be missed. */
export type Consistency = 'exact' | 'fast';

/** What one pass over all pages has shown. */
export interface Pass {
	/** Distinct clients of this pass. */
	rows: number;
	/** How many of them were in the pass before. */
	repeatedRows: number;
	/** How many of them existed in earlier passes, which missed them. */
	missedRows: number;
	/** Undefined if the service reports none. */
	total?: number;
	/** `snapshot`: one page that had room for more. `enough`: what was wanted is there. */
	end: 'snapshot' | 'lastPage' | 'enough' | 'endless';
	hasTotalMoved: boolean;
}

/** Whether to stop, and why a list may be incomplete. */
export type Verdict = 'complete' | 'readAgain' | 'fewerThanTotal' | 'changing' | 'endless';

const MAX_PASSES = 4;

export function judge(passes: Pass[], consistency: Consistency): Verdict {
	const [before, pass] = [passes.at(-2), passes[passes.length - 1]];
	if (pass.end === 'enough') return 'complete';
	if (pass.end === 'endless') return 'endless';
	const isEmptyList = pass.rows === 0 && pass.total === undefined && !before;
	const isComplete = isEmptyList || pass.rows >= (pass.total ?? before?.rows ?? Infinity);
	if (isComplete && (isEmptyList || pass.end === 'snapshot' || consistency === 'fast')) return 'complete';
	if (isComplete && before && pass.missedRows === 0 && !pass.hasTotalMoved) return 'complete';
	const isSame = pass.rows === before?.rows && pass.rows === pass.repeatedRows;
	if (isSame) return (pass.total ?? 0) > pass.rows ? 'fewerThanTotal' : 'complete';
	return passes.length < MAX_PASSES ? 'readAgain' : 'changing';
}

const MAX_TIMES_TOTAL = 10;
const MAX_MORE_THAN_TOTAL = 1_000;
const MAX_WITHOUT_TOTAL = 1_000_000;

/** With more clients than this, the service is taken to repeat itself without an end. */
export function maxRows(total: number | undefined): number {
	return total === undefined ? MAX_WITHOUT_TOTAL : MAX_TIMES_TOTAL * total + MAX_MORE_THAN_TOTAL;
}

/** For the user; undefined if nothing is missing. */
export function describeVerdict(verdict: Verdict, total: number | undefined, rows: number): string | undefined {
	if (verdict === 'fewerThanTotal') {
		return `The service reports ${total} clients but returned ${rows}, also on a second read. Some may be missing.`;
	}
	if (verdict === 'changing') {
		return `The list kept changing while it was being read: the service reports ${describeTotal(total)} and returned ${rows}. Some may be missing.`;
	}
	if (verdict === 'endless') {
		return `The service reports ${describeTotal(total)} but returned ${rows} and kept returning more. Some may be missing, and some may not exist.`;
	}
	return undefined;
}

function describeTotal(total: number | undefined): string {
	return total === undefined ? 'no number of clients' : `${total} clients`;
}
