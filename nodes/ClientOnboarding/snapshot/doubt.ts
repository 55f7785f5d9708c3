/** So many times the first total, and so many more, may come before nobody believes in an end any more. */
const MOST_TIMES_TOTAL = 10;
const MOST_CLIENTS_MORE = 1_000;
/** The same where the first page has all rows that the total speaks of: it may be the total of the page. */
const MOST_PAGES = 1_000;
const MOST_CLIENTS = 1_000_000;

/** Why a list may be incomplete. */
export interface Doubt {
	/** For the user. */
	words: string;
	/** Each round brought the same clients, and only the total speaks of more. */
	isAboutTotal?: boolean;
}

/** How many clients the service gave, and how many of them are wanted. */
interface Came {
	found: number;
	given: number;
}

/** Put into words when it is known who came. */
export type Reason = (came: Came) => Doubt;

export const isMoving: Reason = ({ given }) => ({
	words: `The list kept changing while it was read. ${given} clients came; some may be missing.`,
});

export const hasNoEnd =
	(total: number): Reason =>
	({ found }) => ({
		words: `The service speaks of ${total} clients, but ${found} came and there was no end. Some may not be real.`,
	});

export const hasOtherTotal =
	(total: number): Reason =>
	({ found }) => ({
		words: `The service speaks of ${total} clients, but ${found} came, also when asked again. Some may be missing.`,
		isAboutTotal: true,
	});

export const hasOtherPages =
	(pages: number): Reason =>
	() => ({
		words: `The service speaks of ${pages} pages, but no client came, also when asked again. Some may be missing.`,
		isAboutTotal: true,
	});

export const hasRepeats: Reason = ({ given }) => ({
	words: `Some clients came on several pages of the list, also when asked again. ${given} came; others may be missing.`,
});

export const hasStrays: Reason = ({ given }) => ({
	words: `Some clients came only when a few were asked for, not with the whole list, also when asked again. ${given} came; others may be missing.`,
});

export const isFirstPageOnly: Reason = ({ given }) => ({
	words: `The service gave its first page whatever page was asked for. ${given} clients came; others may be missing. Narrower filters may bring them.`,
});

export const hasHole =
	(page: number): Reason =>
	({ given }) => ({
		words: `The service gave no page ${page} of the list, but pages after it. ${given} clients came; some may be missing.`,
	});

/** More clients than this are not believed in, after a first page with so many rows. */
export function mostClients(total: number, firstRows: number): number {
	if (total === 0) return MOST_CLIENTS;
	const most = MOST_TIMES_TOTAL * total + MOST_CLIENTS_MORE;
	return total > firstRows ? most : Math.max(most, MOST_PAGES * firstRows);
}
