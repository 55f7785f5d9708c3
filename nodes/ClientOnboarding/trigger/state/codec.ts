import type { IDataObject } from 'n8n-workflow';
import { FIELD_HASH_BYTES, ID_HASH_BYTES, type TrackedClient } from '../trackedClient';
import type { State } from './state';

const VERSION = '1';
const LISTED = 1;
const MATCHES = 2;

/** One row for each client in every column. Numbers and hashes have a fixed width and are in base64. */
interface Columns {
	ids: string;
	/** The status of each client, by its index in `statusNames`. */
	statuses: string;
	flags: string;
	since?: string;
	reminded?: string;
	emitted?: string;
	fieldHashes?: string;
	/** The saved values by field. Null for a client without one. */
	values: Record<string, Array<IDataObject[string] | null>>;
}

interface StoredState extends Omit<State, 'clients'>, Columns {
	statusNames: string[];
}

export function encodeState({ clients, ...rest }: State): string {
	const tracked = [...clients.values()];
	const statusNames = [...new Set(tracked.map(({ status }) => status))];
	const statusIndexes = new Map(statusNames.map((name, index) => [name, index]));
	const stored: StoredState = {
		...rest,
		statusNames,
		ids: writeBytes([...clients.keys()]),
		statuses: writeNumbers(
			tracked.map(({ status }) => statusIndexes.get(status) as number),
			2,
		),
		flags: writeNumbers(
			tracked.map(({ isListed, matches }) => Number(isListed) * LISTED + Number(matches) * MATCHES),
			1,
		),
		since: writeIfAny(tracked.map(({ sinceMinutes }) => sinceMinutes)),
		reminded: writeIfAny(tracked.map(({ remindedMinutes }) => remindedMinutes)),
		emitted: writeIfAny(tracked.map(({ emitted }) => emitted)),
		fieldHashes: rest.watchedFields.length > 0 ? writeBytes(tracked.map(({ fieldHashes }) => fieldHashes)) : undefined,
		values: Object.fromEntries(
			fieldsOf(tracked).map((field) => [field, tracked.map(({ values }) => values?.[field] ?? null)]),
		),
	};
	return `${VERSION}.${JSON.stringify(stored)}`;
}

class UnreadableStateError extends Error {}

/** Throws if the text is not a state of this version, or columns have different lengths. */
export function decodeState(text: string): State {
	const [version] = text.split('.', 1);
	if (version !== VERSION) throw new UnreadableStateError();
	const { statusNames, ids, statuses, flags, since, reminded, emitted, fieldHashes, values, ...rest } = JSON.parse(
		text.slice(VERSION.length + 1),
	) as StoredState;
	const idHashes = readBytes(ids, ID_HASH_BYTES);
	const count = idHashes.length;
	const statusOf = readNumbers(statuses, 2, count);
	const flagsOf = readNumbers(flags, 1, count);
	const sinceOf = readNumbers(since, 4, count);
	const remindedOf = readNumbers(reminded, 4, count);
	const emittedOf = readNumbers(emitted, 4, count);
	const fieldHashesOf =
		fieldHashes === undefined ? [] : readBytes(fieldHashes, FIELD_HASH_BYTES * rest.watchedFields.length);
	const clients = idHashes.map((id, index): [string, TrackedClient] => [
		id,
		{
			status: statusNames[statusOf(index)],
			isListed: (flagsOf(index) & LISTED) > 0,
			matches: (flagsOf(index) & MATCHES) > 0,
			sinceMinutes: sinceOf(index),
			remindedMinutes: remindedOf(index),
			emitted: emittedOf(index),
			fieldHashes: fieldHashesOf[index] ?? '',
			values: readValues(values, index),
		},
	]);
	return { ...rest, clients: new Map(clients) };
}

function fieldsOf(tracked: TrackedClient[]): string[] {
	return [...new Set(tracked.flatMap(({ values }) => Object.keys(values ?? {})))];
}

function readValues(columns: Columns['values'], index: number): IDataObject | undefined {
	const entries = Object.entries(columns).map(([field, column]) => [field, column[index]] as const);
	const present = entries.filter(([, value]) => value !== null);
	return present.length > 0 ? Object.fromEntries(present) : undefined;
}

function writeBytes(rows: string[]): string {
	return Buffer.from(rows.join(''), 'latin1').toString('base64');
}

function readBytes(column: string, width: number): string[] {
	const text = Buffer.from(column, 'base64').toString('latin1');
	return Array.from({ length: text.length / width }, (_, index) => text.slice(index * width, (index + 1) * width));
}

function writeIfAny(numbers: number[]): string | undefined {
	return numbers.some((number) => number > 0) ? writeNumbers(numbers, 4) : undefined;
}

function writeNumbers(numbers: number[], width: number): string {
	const bytes = Buffer.alloc(numbers.length * width);
	numbers.forEach((number, index) => bytes.writeUIntLE(number, index * width, width));
	return bytes.toString('base64');
}

/** The number of a row; 0 if there is no such column. */
function readNumbers(column: string | undefined, width: number, count: number): (index: number) => number {
	if (column === undefined) return () => 0;
	const bytes = Buffer.from(column, 'base64');
	if (bytes.length !== count * width) throw new UnreadableStateError();
	return (index) => bytes.readUIntLE(index * width, width);
}
