import { hash } from 'node:crypto';
import type { Client } from '../api/record';
import { folded, textOf } from '../api/record';
import type { Watch } from './watch';

/** Of each watched field a fingerprint is remembered, four bytes that do not tell what it was. */
export const PRINT_BYTES = 4;
const UNKNOWN = '\0'.repeat(PRINT_BYTES);

/** Services may write these in more than one way. */
const CHOICES = ['client_type', 'client_status'];

/** The fingerprints of the watched fields one after the other, a character for each byte; undefined where nothing is watched. */
export function printsOf(client: Client, { events, watchedFields }: Watch): string | undefined {
	if (!events.includes('clientUpdated')) return undefined;
	return watchedFields
		.map((field) => printOf(CHOICES.includes(field) ? folded(client[field]) : textOf(client[field])))
		.join('');
}

/** Never that of an unknown field. */
function printOf(text: string): string {
	const print = hash('sha256', text, 'binary');
	return print.slice(0, PRINT_BYTES - 1) + String.fromCharCode(print.charCodeAt(PRINT_BYTES - 1) | 1);
}

/** The places of the fields that were known and are others now. */
export function changedPrints(was: string | undefined, now: string | undefined): number[] {
	if (was === undefined || now === undefined) return [];
	const places = Array.from({ length: now.length / PRINT_BYTES }, (_, place) => place);
	return places.filter((place) => {
		const before = printAt(was, place);
		return before !== UNKNOWN && before !== printAt(now, place);
	});
}

/** Fingerprints of these fields, from those of other ones. What was not watched is unknown. */
export function rearrangePrints(prints: string | undefined, from: readonly string[], to: readonly string[]): string {
	return to.map((field) => (prints && from.includes(field) ? printAt(prints, from.indexOf(field)) : UNKNOWN)).join('');
}

function printAt(prints: string, place: number): string {
	return prints.slice(place * PRINT_BYTES, (place + 1) * PRINT_BYTES);
}
