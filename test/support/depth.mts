import { it } from '@jest/globals';

type Depth = 'quick' | 'deep' | 'long';

const depth = (process.env.DEEP ?? 'quick') as Depth;

/** For `npm test`, for `test:deep` before a merge, and for `test:long` at night. */
export function byDepth<T>(choices: Record<Depth, T>): T {
	return choices[depth];
}

export const isQuick = depth === 'quick';

/** In `npm test`, only one of this many; otherwise all. */
export function oneOf<T>(many: number, all: readonly T[]): T[] {
	return all.filter((_, index) => !isQuick || index % many === 0);
}

/** A test that `npm test` leaves out. */
export function deeply(...test: Parameters<typeof it>): void {
	if (!isQuick) it(...test);
}
