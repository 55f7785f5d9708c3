type Depth = 'quick' | 'deep' | 'long';

const depth = (process.env.DEEP ?? 'quick') as Depth;

/** How far a hunt goes: with every `npm test`, before anything lands (`test:deep`), and at night (`test:long`). */
export function byDepth<T>(choices: Record<Depth, T>): T {
	return choices[depth];
}

export const isQuick = depth === 'quick';
