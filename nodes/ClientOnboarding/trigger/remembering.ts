import type { Changes } from './changes';
import { encodeState } from './state/encoding';
import type { State } from './state/state';
import type { QuietChanges } from './state/storing';
import { spend } from './state/storing';

/** The text to keep, and whether n8n has to store it now, with or without events. */
export function remember(
	text: unknown,
	before: State | undefined,
	{ events, state, hasLearnt, isAnotherAccount }: Changes,
	quietChanges: QuietChanges,
): { next: string; isForN8n: boolean } {
	const isQuiet = events.length === 0 && before !== undefined && !isAnotherAccount;
	if (!isQuiet) return { next: encodeState({ ...state, isUnstored: undefined }), isForN8n: true };
	if (!hasLearnt && !before.isUnstored)
		return { next: state === before ? String(text) : encodeState(state), isForN8n: false };

	const spent = spend(quietChanges, state.spent, String(text).length, Date.now());
	const next = spent ? { ...state, spent, isUnstored: undefined } : { ...state, isUnstored: true };
	return { next: encodeState(next), isForN8n: spent !== undefined };
}
