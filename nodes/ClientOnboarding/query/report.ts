import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import { createdMs, folded, textOf } from '../api/record';
import { groupBy } from './groupBy';

export const DIMENSIONS = ['age', 'clientType', 'group', 'monthCreated', 'requestStatus'] as const;

export type Dimension = (typeof DIMENSIONS)[number];

/** The time of the report, and the time zone in which its months begin. */
export interface ReportTime {
	nowMs: number;
	timeZone: string;
}

/** Where a client belongs in one dimension: the fields that say so, and a text that sorts and tells places apart. */
interface Place {
	fields: IDataObject;
	order: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const AGES = [
	{ maxDays: 7, name: 'Up to 7 days' },
	{ maxDays: 30, name: '7 to 30 days' },
	{ maxDays: 90, name: '30 to 90 days' },
	{ maxDays: Infinity, name: 'Over 90 days' },
];
const UNKNOWN = 'unknown';
/** Sorts after every other text. */
const LAST = '\uffff';

/** One record per combination of places that has clients, sorted by the dimensions in their order. */
export function buildReport(clients: Client[], dimensions: Dimension[], time: ReportTime): IDataObject[] {
	const monthOf = monthFormat(time.timeZone);
	const placesOf = (client: Client) => dimensions.map((dimension) => findPlace(client, dimension, time.nowMs, monthOf));
	const orderOf = (client: Client) => JSON.stringify(placesOf(client).map(({ order }) => order));
	const groups = [...groupBy(clients, orderOf)].map(([key, members]) => ({
		order: JSON.parse(key) as string[],
		members,
	}));
	groups.sort((a, b) => compareOrders(a.order, b.order));
	return groups.map(({ members }) => ({
		...Object.assign({}, ...placesOf(members[0]).map(({ fields }) => fields)),
		clients: members.length,
		oldest_created_at: oldest(members)?.created_at ?? null,
	}));
}

function findPlace(client: Client, dimension: Dimension, nowMs: number, monthOf: (timeMs: number) => string): Place {
	switch (dimension) {
		case 'age':
			return agePlace(nowMs - createdMs(client));
		case 'group': {
			const token = textOf(client.group_token);
			const { fields, order } = textPlace(client, 'group_name');
			// Two groups with the same name have different tokens.
			return { fields: { ...fields, group_token: token }, order: `${order}\n${token}` };
		}
		case 'monthCreated': {
			const timeMs = createdMs(client);
			const month = Number.isNaN(timeMs) ? undefined : monthOf(timeMs);
			return { fields: { month_created: month ?? UNKNOWN }, order: month ?? LAST };
		}
		case 'clientType':
			return textPlace(client, 'client_type');
		case 'requestStatus':
			return textPlace(client, 'request_status');
	}
}

function textPlace(client: Client, field: string): Place {
	const text = textOf(client[field]).trim();
	return { fields: { [field]: text || UNKNOWN }, order: folded(text) || LAST };
}

function agePlace(ageMs: number): Place {
	if (Number.isNaN(ageMs)) return { fields: { age: UNKNOWN }, order: LAST };
	const index = AGES.findIndex(({ maxDays }) => ageMs <= maxDays * DAY_MS);
	return { fields: { age: AGES[index].name }, order: String(index) };
}

/** Such as 2026-11. */
function monthFormat(timeZone: string): (timeMs: number) => string {
	const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit' });
	return (timeMs) => {
		const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, value]));
		return `${parts.year.padStart(4, '0')}-${parts.month}`;
	};
}

function compareOrders(a: string[], b: string[]): number {
	for (let index = 0; index < a.length; index++) {
		const difference = a[index].localeCompare(b[index]);
		if (difference !== 0) return difference;
	}
	return 0;
}

function oldest(clients: Client[]): Client | undefined {
	let [found, foundMs]: [Client | undefined, number] = [undefined, Infinity];
	for (const client of clients) {
		const timeMs = createdMs(client);
		if (timeMs < foundMs) [found, foundMs] = [client, timeMs];
	}
	return found;
}
