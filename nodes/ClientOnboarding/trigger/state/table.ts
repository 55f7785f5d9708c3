import type { Condition } from '../conditions';
import { UNSEEN } from '../conditions';
import { NumberReader, writeNumber } from './numbers';

/** Statuses stand by their place among `names`; of reminders only whether there was any, for their number is each client's own. */
type Row = [
	status: number,
	flags: number,
	departures: number,
	updates: number,
	reminders: number,
	...arrivals: number[],
];

/** As version 0.2.0 wrote it: one flag said whether the client had stalled. */
type Row2 = [status: number, flags: number, departures: number, ...arrivals: number[]];

/** The conditions that clients share, and which of them each one is in. */
export interface StoredTable {
	names: string[];
	table: Array<Row | Row2>;
	rows: string;
}

const PRESENCES = ['listed', 'missing', 'gone'] as const;

interface Group {
	row: Row;
	count: number;
}

/** The frequent conditions first, whose places take one byte. */
export function writeTable(conditions: Condition[]): StoredTable {
	const names = namesIn(conditions);
	const namePlaces = new Map(names.map((name, place) => [name, place]));
	const groups = new Map<string, Group>();
	const groupOf = new Map<Condition, Group>();
	for (const condition of conditions) {
		const group = groupOf.get(condition) ?? groupFor(toRow(condition, namePlaces), groups);
		groupOf.set(condition, group);
		group.count += 1;
	}
	const frequentFirst = [...groups.values()].sort((a, b) => b.count - a.count);
	const placeOf = new Map(frequentFirst.map((group, place) => [group, place]));
	const rows: number[] = [];
	for (const condition of conditions) writeNumber(rows, placeOf.get(groupOf.get(condition) as Group) as number);
	return { names, table: frequentFirst.map(({ row }) => row), rows: Buffer.from(rows).toString('base64') };
}

/** Gives the condition of one client after the other. */
export function readTable({ names, table, rows }: StoredTable, version: string): () => Condition {
	const toCurrent = version === '2' ? fromVersion2 : (row: Row) => row;
	const known = table.map((row) => fromRow(toCurrent(row as Row), names));
	const reader = new NumberReader(rows);
	return () => known[reader.read()];
}

/** The statuses that are remembered, as the service wrote it and in lower case. */
function namesIn(conditions: Condition[]): string[] {
	const names = new Set<string>();
	for (const { status, arrivals } of new Set(conditions)) {
		names.add(status);
		for (const [name] of arrivals) names.add(name);
	}
	return [...names];
}

function groupFor(row: Row, groups: Map<string, Group>): Group {
	const key = row.join();
	const group = groups.get(key) ?? { row, count: 0 };
	groups.set(key, group);
	return group;
}

function toRow(
	{ status, isWanted, presence, reminders, arrivals, departures, updates }: Condition,
	places: Map<string, number>,
): Row {
	const place = (name: string) => places.get(name) as number;
	const flags = Number(isWanted) + 2 * PRESENCES.indexOf(presence);
	const times = arrivals.flatMap(([name, count]) => [place(name), count]);
	return [place(status), flags, departures, updates, Math.min(reminders, 1), ...times];
}

function fromRow([status, flags, departures, updates, reminders, ...times]: Row, names: string[]): Condition {
	const arrivals: Array<[name: string, times: number]> = [];
	for (let index = 0; index < times.length; index += 2) arrivals.push([names[times[index]], times[index + 1]]);
	return {
		...UNSEEN,
		status: names[status],
		isWanted: flags % 2 === 1,
		presence: PRESENCES[Math.floor(flags / 2)],
		reminders,
		arrivals,
		departures,
		updates,
	};
}

function fromVersion2([status, flags, departures, ...arrivals]: Row | Row2): Row {
	const [isWanted, reminders, presence] = [flags % 2, Math.floor(flags / 2) % 2, Math.floor(flags / 4)];
	return [status, isWanted + 2 * presence, departures, 0, reminders, ...arrivals];
}
