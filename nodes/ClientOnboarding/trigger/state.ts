import { hash } from 'node:crypto';
import type { Order } from '../list/newest';
import type { EventName } from './events';
import { MARK_BYTES } from './marks';

/** What is remembered of a client. Many share one, so an object is never changed. */
export interface Condition {
	/** As the service wrote it. */
	readonly status: string;
	/** Whether the client matched the filters. */
	readonly isWanted: boolean;
	/** How often the client came to a status, each in lower case. */
	readonly arrivals: Readonly<Record<string, number>>;
	/** The statuses in which the client was found stalled. */
	readonly stalledIn: readonly string[];
}

/** What a trigger remembers from one poll to the next. */
export interface State {
	/** The service it was read from. */
	service: string;
	/** The events that were looked for. */
	events: EventName[];
	/** By the mark of the client; of the client itself nothing is kept. */
	conditions: Map<number, Condition>;
	/** Changes all marks, for the case that two clients have the same. */
	salt: number;
	/** How the whole list was sorted when it was last read. */
	sorted?: { order: Order; atMs: number };
}

const VERSION = '1';

/** Statuses stand in the table by their place among `names`. */
type Row = [status: number, isWanted: number, arrivals: Array<[status: number, times: number]>, stalledIn: number[]];

type Stored = Pick<State, 'service' | 'events' | 'salt' | 'sorted'> & {
	names: string[];
	table: Row[];
	marks: string;
	conditions: string;
};

/** One text, the same for the same state: about 8 bytes a client. */
export function encodeState({ conditions, ...rest }: State): string {
	const names = namesIn(conditions);
	const { table, places } = tabulate(conditions, (condition) => toRow(condition, names));
	const marks = Float64Array.from(conditions.keys()).sort();
	const markBytes = Buffer.alloc(marks.length * MARK_BYTES);
	const conditionBytes: number[] = [];
	marks.forEach((mark, index) => {
		markBytes.writeUIntBE(mark, index * MARK_BYTES, MARK_BYTES);
		writeNumber(conditionBytes, places.get(conditions.get(mark) as Condition) as number);
	});
	const stored: Stored = {
		...rest,
		names,
		table,
		marks: markBytes.toString('base64'),
		conditions: Buffer.from(conditionBytes).toString('base64'),
	};
	const body = JSON.stringify(stored);
	return `${VERSION}.${checksum(body)}.${body}`;
}

/** Throws an error that says what is wrong where the text is not a state. */
export function decodeState(text: unknown): State {
	const [, version, check, body] = /^(\d+)\.(\w+)\.(.*)$/s.exec(String(text)) ?? [];
	if (version !== undefined && version !== VERSION) throw new Error('another version of this package wrote it');
	if (body === undefined || check !== checksum(body)) throw new Error('it is damaged');

	const { names, table, marks, conditions: numbers, ...rest } = JSON.parse(body) as Stored;
	const known = table.map((row) => fromRow(row, names));
	const markBytes = Buffer.from(marks, 'base64');
	const nextNumber = numberReader(Buffer.from(numbers, 'base64'));
	const conditions = new Map<number, Condition>();
	for (let start = 0; start < markBytes.length; start += MARK_BYTES) {
		conditions.set(markBytes.readUIntBE(start, MARK_BYTES), known[nextNumber()]);
	}
	return { ...rest, conditions };
}

/** All statuses that are remembered, as the service wrote them and in lower case. */
function namesIn(conditions: Map<number, Condition>): string[] {
	const distinct = new Set(conditions.values());
	const names = [...distinct].flatMap(({ status, arrivals, stalledIn }) => [
		status,
		...Object.keys(arrivals),
		...stalledIn,
	]);
	return [...new Set(names)].sort();
}

function toRow({ status, isWanted, arrivals, stalledIn }: Condition, names: string[]): Row {
	const place = (name: string) => names.indexOf(name);
	const times = Object.entries(arrivals).map(([name, count]): [number, number] => [place(name), count]);
	return [place(status), isWanted ? 1 : 0, times, stalledIn.map(place)];
}

function fromRow([status, isWanted, arrivals, stalledIn]: Row, names: string[]): Condition {
	return {
		status: names[status],
		isWanted: isWanted === 1,
		arrivals: Object.fromEntries(arrivals.map(([name, count]) => [names[name], count])),
		stalledIn: stalledIn.map((name) => names[name]),
	};
}

/** The different conditions, the frequent ones first, whose places take one byte; and the place of each. */
function tabulate(
	conditions: Map<number, Condition>,
	rowOf: (condition: Condition) => Row,
): { table: Row[]; places: Map<Condition, number> } {
	const counts = new Map<Condition, number>();
	for (const condition of conditions.values()) counts.set(condition, (counts.get(condition) ?? 0) + 1);
	const groups = new Map<string, { row: Row; same: Condition[]; count: number }>();
	for (const [condition, count] of counts) {
		const row = rowOf(condition);
		const key = JSON.stringify(row);
		const group = groups.get(key) ?? { row, same: [], count: 0 };
		groups.set(key, { row, same: [...group.same, condition], count: group.count + count });
	}
	const frequentFirst = [...groups].sort(
		([a, { count: countA }], [b, { count: countB }]) => countB - countA || (a < b ? -1 : 1),
	);
	const places = frequentFirst.flatMap(([, { same }], place) => same.map((condition) => [condition, place] as const));
	return { table: frequentFirst.map(([, { row }]) => row), places: new Map(places) };
}

/** Seven bits a byte; the eighth says that more follow. */
function writeNumber(bytes: number[], number: number): void {
	let rest = number;
	for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
	bytes.push(rest);
}

function numberReader(bytes: Buffer): () => number {
	let position = 0;
	return () => {
		let number = 0;
		let unit = 1;
		for (; bytes[position] > 127; unit *= 128) number += (bytes[position++] - 128) * unit;
		return number + bytes[position++] * unit;
	};
}

function checksum(text: string): string {
	return hash('sha256', text).slice(0, 12);
}
