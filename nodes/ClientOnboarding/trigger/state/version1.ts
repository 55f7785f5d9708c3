import { folded } from '../../api/record';
import type { Condition } from '../conditions';
import { UNSEEN } from '../conditions';
import type { Key } from '../marks';
import { MARK_BYTES } from '../marks';
import { NumberReader } from './numbers';
import type { State } from './state';

/** What version 0.1.0 stored. Statuses stand in the table by their place among `names`. */
export interface Version1 extends Pick<State, 'events' | 'salt' | 'sorted'> {
	/** The environment, the address and the API key. */
	service: string;
	names: string[];
	table: Array<
		[status: number, isWanted: number, arrivals: Array<[status: number, times: number]>, stalledIn: number[]]
	>;
	marks: string;
	conditions: string;
}

export function fromVersion1({ service, names, table, marks, conditions: rows, ...rest }: Version1): State {
	const known = table.map(([place, isWanted, arrivals, stalledIn]): Condition => {
		const status = names[place];
		return {
			...UNSEEN,
			status,
			isWanted: isWanted === 1,
			reminders: Number(stalledIn.some((stalled) => names[stalled] === folded(status))),
			arrivals: arrivals.map(([name, times]) => [names[name], times]),
		};
	});
	const markBytes = Buffer.from(marks, 'base64');
	const nextRow = new NumberReader(rows);
	const conditions = new Map<Key, Condition>();
	for (let start = 0; start < markBytes.length; start += MARK_BYTES) {
		conditions.set(markBytes.readUIntBE(start, MARK_BYTES), known[nextRow.read()]);
	}
	return { ...rest, place: '', account: service, conditions, excess: 0 };
}
