/** Tests shorten it. */
export const backOff = { firstMs: 500 };
const MAX_WAIT_MS = 60_000;

/**
 * How long to wait before the next try: longer each time, with some chance in it. A service may ask for more, never for
 * less: its clock may be behind, and "at once" has just not helped.
 */
export function waitMs(tries: number, askedMs = 0): number {
	const growing = backOff.firstMs * 2 ** (tries - 1);
	return Math.max(growing / 2 + (Math.random() * growing) / 2, Math.min(askedMs, MAX_WAIT_MS));
}

/** Waits, but no longer than until `stopped`. */
export async function pause(ms: number, stopped: AbortSignal): Promise<void> {
	await withFirstOf([stopped, AbortSignal.timeout(Math.ceil(ms))], async (over) => {
		if (!over.aborted)
			await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
	});
}

/**
 * Does the work with a signal that aborts with the first of these. AbortSignal.any would be shorter, but in Node 20 its
 * signals never abort once garbage has been collected.
 */
export async function withFirstOf<T>(
	signals: Array<AbortSignal | undefined>,
	work: (first: AbortSignal) => Promise<T>,
): Promise<T> {
	const first = new AbortController();
	const abort = () => first.abort();
	const given = signals.filter((signal) => signal !== undefined);
	if (given.some(({ aborted }) => aborted)) abort();
	for (const signal of given) addReaction(signal, abort);
	try {
		return await work(first.signal);
	} finally {
		for (const signal of given) removeReaction(signal, abort);
	}
}

/** Node warns of more than ten listeners to a signal, and more pages may be under way: they share one. */
const shared = new WeakMap<AbortSignal, { reactions: Set<() => void>; listener: () => void }>();

function addReaction(signal: AbortSignal, reaction: () => void): void {
	const known = shared.get(signal);
	if (known) {
		known.reactions.add(reaction);
		return;
	}
	const reactions = new Set([reaction]);
	const listener = () => reactions.forEach((react) => react());
	shared.set(signal, { reactions, listener });
	signal.addEventListener('abort', listener);
}

function removeReaction(signal: AbortSignal, reaction: () => void): void {
	const { reactions, listener } = shared.get(signal) as { reactions: Set<() => void>; listener: () => void };
	reactions.delete(reaction);
	if (reactions.size > 0) return;
	shared.delete(signal);
	signal.removeEventListener('abort', listener);
}
