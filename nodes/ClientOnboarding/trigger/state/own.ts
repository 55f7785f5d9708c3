import type { Condition } from '../conditions';
import type { Identity } from '../identity';
import { IDENTITY_FIELDS } from '../identity';
import { PRINT_BYTES, rearrangePrints } from '../prints';
import { NumberReader, writeNumber } from './numbers';

/** The values of the fields, null for one that is missing; the ID alone where no more is known; null for nobody. */
type StoredIdentity = null | string | number | Array<string | number | null>;

/** What each client has of its own. */
export interface StoredOwn {
	since: string;
	/** How often it was time to tell that clients are stalled, where that was more than once. */
	reminders?: string;
	/** Fingerprints of the watched fields, where any are watched. */
	prints?: string;
	/** Where removals are looked for. */
	identities?: StoredIdentity[];
}

export function writeOwn(conditions: Condition[], watchedFields: string[] | undefined): StoredOwn {
	const since: number[] = [];
	const reminded: number[] = [];
	for (const { sinceMinutes, reminders } of conditions) {
		writeNumber(since, sinceMinutes);
		writeNumber(reminded, reminders);
	}
	const prints = watchedFields && conditions.map((one) => rearrangePrints(one.prints, watchedFields, watchedFields));
	return {
		since: Buffer.from(since).toString('base64'),
		...(conditions.some(({ reminders }) => reminders > 1) && { reminders: Buffer.from(reminded).toString('base64') }),
		...(prints && { prints: Buffer.from(prints.join(''), 'latin1').toString('base64') }),
		...(conditions.some(({ identity }) => identity) && { identities: conditions.map(toStored) }),
	};
}

/** Adds to the condition of one client after the other what is its own. */
export function readOwn(
	{ since, reminders, prints, identities }: StoredOwn,
	watchedFields: string[] = [],
): (shared: Condition) => Condition {
	const nextSince = new NumberReader(since);
	const nextReminders = reminders === undefined ? undefined : new NumberReader(reminders);
	const allPrints = prints === undefined ? undefined : Buffer.from(prints, 'base64').toString('latin1');
	const length = PRINT_BYTES * watchedFields.length;
	let place = -1;
	return (shared) => {
		place += 1;
		const sinceMinutes = nextSince.read();
		const times = nextReminders?.read() ?? shared.reminders;
		const identity = fromStored(identities?.[place] ?? null);
		const isShared = sinceMinutes === 0 && times === shared.reminders && allPrints === undefined && !identity;
		if (isShared) return shared;
		const start = place * length;
		return { ...shared, sinceMinutes, reminders: times, prints: allPrints?.slice(start, start + length), identity };
	};
}

function toStored({ identity }: Condition): StoredIdentity {
	if (!identity) return null;
	const [id, ...names] = IDENTITY_FIELDS.map((field) => (identity[field] ?? null) as string | number | null);
	return names.every((name) => name === null) ? id : [id, ...names];
}

function fromStored(stored: StoredIdentity): Identity | undefined {
	if (stored === null) return undefined;
	const values = [stored].flat();
	const fields = IDENTITY_FIELDS.filter((_, index) => (values[index] ?? null) !== null);
	return Object.fromEntries(fields.map((field) => [field, values[IDENTITY_FIELDS.indexOf(field)]]));
}
