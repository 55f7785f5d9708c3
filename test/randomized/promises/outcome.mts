import type { Case } from '../cases/cases.mts';

export interface Outcome {
	/** The broken promises, in words. */
	broken: string[];
	clients: number;
	requests: number;
	faults: number;
	/** A smaller case that breaks the same promise, if the part knows one. */
	culprit?: Partial<Case>;
}
