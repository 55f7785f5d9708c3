import { it } from '@jest/globals';

type Depth = 'quick' | 'deep' | 'long';

const depth = (process.env.DEEP ?? 'quick') as Depth;

/** How far a hunt goes: with every `npm test`, before anything lands (`test:deep`), and at night (`test:long`). */
export function byDepth<T>(choices: Record<Depth, T>): T {
	return choices[depth];
}

export const isQuick = depth === 'quick';

/** All of them before anything lands; with every `npm test`, one of so many. */
export function oneOf<T>(many: number, all: readonly T[]): T[] {
	return all.filter((_, index) => !isQuick || index % many === 0);
}

/** A test that only what is about to land has to pass. */
export function deeply(...test: Parameters<typeof it>): void {
	if (!isQuick) it(...test);
}
