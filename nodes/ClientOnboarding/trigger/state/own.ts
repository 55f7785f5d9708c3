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
	/** Fingerprints of the watched fields, where any are watched. */
	prints?: string;
	/** Where removals are looked for. */
	identities?: StoredIdentity[];
}

export function writeOwn(conditions: Condition[], watchedFields: string[] | undefined): StoredOwn {
	const since: number[] = [];
	for (const { sinceMinutes } of conditions) writeNumber(since, sinceMinutes);
	const prints = watchedFields && conditions.map((one) => rearrangePrints(one.prints, watchedFields, watchedFields));
	return {
		since: Buffer.from(since).toString('base64'),
		...(prints && { prints: Buffer.from(prints.join(''), 'latin1').toString('base64') }),
		...(conditions.some(({ identity }) => identity) && { identities: conditions.map(toStored) }),
	};
}

/** Adds to the condition of one client after the other what is its own. */
export function readOwn(
	{ since, prints, identities }: StoredOwn,
	watchedFields: string[] = [],
): (shared: Condition) => Condition {
	const reader = new NumberReader(since);
	const allPrints = prints === undefined ? undefined : Buffer.from(prints, 'base64').toString('latin1');
	const length = PRINT_BYTES * watchedFields.length;
	let place = -1;
	return (shared) => {
		place += 1;
		const sinceMinutes = reader.read();
		const identity = fromStored(identities?.[place] ?? null);
		if (sinceMinutes === 0 && allPrints === undefined && !identity) return shared;
		const start = place * length;
		return { ...shared, sinceMinutes, prints: allPrints?.slice(start, start + length), identity };
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
