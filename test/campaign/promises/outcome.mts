import type { Case } from '../cases/cases.mts';

/** What came of a case. */
export interface Outcome {
	/** The promises it broke, in words. */
	broken: string[];
	clients: number;
	requests: number;
	faults: number;
	/** A smaller case that breaks the same, where the part knows one. */
	culprit?: Partial<Case>;
}
