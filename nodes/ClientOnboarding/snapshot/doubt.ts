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

export function doubtMoving(came: number): Doubt {
	return { words: `The list kept changing while it was read. ${came} clients came; some may be missing.` };
}

export function doubtEndless(total: number, came: number): Doubt {
	return {
		words: `The service speaks of ${total} clients, but ${came} came and there was no end. Some may not be real.`,
	};
}

export function doubtTotal(total: number, came: number): Doubt {
	const words = `The service speaks of ${total} clients, but ${came} came, also when asked again. Some may be missing.`;
	return { words, isAboutTotal: true };
}

export function doubtRepeats(came: number): Doubt {
	const words = `Some clients came on several pages of the list, also when asked again. ${came} came; others may be missing.`;
	return { words };
}

export function doubtStrays(came: number): Doubt {
	const words = `Some clients came only when a few were asked for, not with the whole list, also when asked again. ${came} came; others may be missing.`;
	return { words };
}

export function doubtFirstOnly(came: number): Doubt {
	return {
		words: `The service gave its first page whatever page was asked for. ${came} clients came; others may be missing.`,
	};
}

export function doubtHole(page: number, came: number): Doubt {
	return {
		words: `The service gave no page ${page} of the list, but pages after it. ${came} clients came; some may be missing.`,
	};
}

/** More clients than this are not believed in, after a first page with so many rows. */
export function mostClients(total: number, firstRows: number): number {
	if (total === 0) return MOST_CLIENTS;
	const most = MOST_TIMES_TOTAL * total + MOST_CLIENTS_MORE;
	return total > firstRows ? most : Math.max(most, MOST_PAGES * firstRows);
}
