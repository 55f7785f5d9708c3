import { hash } from 'node:crypto';
import type { Condition } from '../conditions';
import type { Key } from '../marks';
import { MARK_BYTES } from '../marks';
import type { StoredOwn } from './own';
import { readOwn, writeOwn } from './own';
import type { State } from './state';
import type { StoredTable } from './table';
import { readTable, writeTable } from './table';
import type { Version1 } from './version1';
import { fromVersion1 } from './version1';

const VERSION = '3';
const NEEDED_VERSION = '0.3.0';

/** All that is said of single clients stands in the order of the marks, and then of the clashes. */
interface Stored extends Omit<State, 'conditions'>, StoredTable, StoredOwn {
	marks: string;
	/** Long marks of clients whose mark belongs to another one. */
	clashes?: string[];
}

/** One text, the same for the same state: about 9 bytes for a client that never changed, 15 for one that did. */
export function encodeState({ conditions, ...rest }: State): string {
	const marks = [...conditions.keys()].filter((key) => typeof key === 'number').sort((a, b) => a - b);
	const clashes = [...conditions.keys()].filter((key) => typeof key === 'string').sort();
	const inOrder = [...marks, ...clashes].map((key) => conditions.get(key) as Condition);
	const markBytes = Buffer.alloc(marks.length * MARK_BYTES);
	marks.forEach((mark, index) => markBytes.writeUIntBE(mark, index * MARK_BYTES, MARK_BYTES));
	const stored: Stored = {
		...rest,
		needs: NEEDED_VERSION,
		...writeTable(inOrder),
		...writeOwn(inOrder, rest.watchedFields),
		marks: markBytes.toString('base64'),
		...(clashes.length > 0 && { clashes }),
	};
	const body = JSON.stringify(stored);
	return `${VERSION}.${checksum(body)}.${body}`;
}

/** Throws an error that says what is wrong where the text is not a state. */
export function decodeState(text: unknown): State {
	const [, version, check, body] = /^(\d+)\.(\w+)\.(.*)$/s.exec(String(text)) ?? [];
	if (body === undefined || check !== checksum(body)) throw new Error('it is damaged');
	const content: unknown = JSON.parse(body);
	if (version === '1') return fromVersion1(content as Version1);
	if (version !== '2' && version !== VERSION)
		throw new Error(`version ${(content as Stored).needs} or later of this package is needed`);

	const { names, table, rows, since, reminders, prints, identities, marks, clashes = [], ...rest } = content as Stored;
	const markBytes = Buffer.from(marks, 'base64');
	const keys: Key[] = [];
	for (let start = 0; start < markBytes.length; start += MARK_BYTES) {
		keys.push(markBytes.readUIntBE(start, MARK_BYTES));
	}
	keys.push(...clashes);
	const nextCondition = readTable({ names, table, rows }, version);
	const nextOwn = readOwn({ since, reminders, prints, identities }, rest.watchedFields);
	return { ...rest, conditions: new Map(keys.map((key) => [key, nextOwn(nextCondition())])) };
}

/** A state begins with its checksum. */
export function nameOf(text: unknown): string {
	return String(text).slice(0, 16);
}

function checksum(text: string): string {
	return hash('sha256', text).slice(0, 12);
}
