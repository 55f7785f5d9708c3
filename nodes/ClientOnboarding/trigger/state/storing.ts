import type { IDataObject } from 'n8n-workflow';

/** What to do with what a poll has learnt and tells nobody: n8n stores it only together with an execution. */
export const QUIET_CHANGES = ['automatic', 'always', 'never'] as const;

export type QuietChanges = (typeof QUIET_CHANGES)[number];

/** How much executions that told nothing have taken of n8n's database, of which a day's worth is forgotten in a day. */
export interface Spent extends IDataObject {
	atMs: number;
	bytes: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** So much may they take in a day, and a little more at once after a time without any. */
const MOST_BYTES_A_DAY = 10_000_000;
const MOST_BYTES_AT_ONCE = 1_000_000;
/** An execution takes about so much besides the copy of the state. */
const EXECUTION_BYTES = 2_000;

/** What is spent after another execution with a state of this size; undefined where it would be too much. */
export function spend(
	quietChanges: QuietChanges,
	spent: Spent | undefined,
	stateBytes: number,
	atMs: number,
): Spent | undefined {
	const { atMs: lastMs, bytes: lastBytes } = spent ?? { atMs, bytes: 0 };
	const forgotten = (Math.max(0, atMs - lastMs) / DAY_MS) * MOST_BYTES_A_DAY;
	const left = Math.max(0, Math.round(lastBytes - forgotten));
	const bytes = left + stateBytes + EXECUTION_BYTES;
	const isAffordable = bytes <= MOST_BYTES_AT_ONCE || left === 0;
	return quietChanges === 'always' || (quietChanges === 'automatic' && isAffordable) ? { atMs, bytes } : undefined;
}
