import type { State } from './state/state';

/**
 * If more clients than this, and a larger share of the list, are absent at once, the read may be wrong. They count as removed when
 * the next poll does not list them either.
 */
const MANY = 10;
const LARGE_SHARE = 0.1;

/** The absent clients that the next poll of each trigger must confirm. Kept in this process only. */
const unconfirmed = new Map<string, Set<string>>();

/** Clients in the state that are no longer listed. */
export function findAbsent({ clients }: State, listed: ReadonlySet<string>): string[] {
	const absent: string[] = [];
	for (const [id, { isListed }] of clients) if (isListed && !listed.has(id)) absent.push(id);
	return absent;
}

/** The absent clients that count as removed. */
export function confirmRemovals(trigger: string, state: State, absent: string[]): string[] {
	const before = unconfirmed.get(trigger);
	unconfirmed.delete(trigger);
	if (!needsConfirmation(state, absent)) return absent;
	unconfirmed.set(trigger, new Set(absent));
	return absent.filter((id) => before?.has(id));
}

function needsConfirmation({ clients }: State, absent: string[]): boolean {
	let listed = 0;
	for (const { isListed } of clients.values()) if (isListed) listed += 1;
	const isEmptyList = absent.length === listed;
	return isEmptyList || (absent.length > MANY && absent.length > LARGE_SHARE * listed);
}
