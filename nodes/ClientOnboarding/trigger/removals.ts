import type { State } from './state/state';

/** More than this many, and more than this share of the list, are absent at once only if the next poll agrees. */
const MANY = 10;
const LARGE_SHARE = 0.1;

/** The clients whose absence the last poll of a trigger doubted, in this process. */
const doubted = new Map<string, Set<string>>();

/** The clients of the state that are not listed any more. */
export function findAbsent({ clients }: State, listed: ReadonlySet<string>): string[] {
	const absent: string[] = [];
	for (const [id, { isListed }] of clients) if (isListed && !listed.has(id)) absent.push(id);
	return absent;
}

/** Those of the absent clients that count as removed. */
export function confirmRemovals(trigger: string, state: State, absent: string[]): string[] {
	const before = doubted.get(trigger);
	doubted.delete(trigger);
	if (absent.length === 0 || !isDoubtful(state, absent)) return absent;
	doubted.set(trigger, new Set(absent));
	return absent.filter((id) => before?.has(id));
}

function isDoubtful({ clients }: State, absent: string[]): boolean {
	let listed = 0;
	for (const { isListed } of clients.values()) if (isListed) listed += 1;
	const isEmptyList = absent.length === listed;
	return isEmptyList || (absent.length > MANY && absent.length > LARGE_SHARE * listed);
}
