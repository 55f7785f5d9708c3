/** What the last poll of each trigger in this process doubted. It may put off what is told, never decide what. */
const doubted = new Map<string, number>();

/**
 * Whether a poll should come to nothing because the service speaks of so many clients more than it gives, or because nobody is
 * listed where others were: once, not twice in a row.
 */
export function hesitates(trigger: string, excess: number): boolean {
	if (doubted.get(trigger) === excess) return false;
	doubted.set(trigger, excess);
	return true;
}

/** The poll came to something. */
export function forgetDoubt(trigger: string): void {
	doubted.delete(trigger);
}
