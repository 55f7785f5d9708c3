import type { INodeParameters } from 'n8n-workflow';
import { CLIENT_TYPES, REQUEST_STATUSES } from '../../../sandbox/data/client.mts';
import type { Random } from '../../support/random.mts';
import type { Case, FilterName, Sort } from './cases.mts';
import type { Sent } from './clients.mts';

const DAY_MS = 86_400_000;

/** Values for the filters of a case. Most of them match a client. */
export function chooseFilters({ filters, options }: Case, clients: Sent[], random: Random): INodeParameters {
	const client = random.one(clients) ?? {};
	const text = (value: unknown) => {
		const whole = String(value ?? '');
		const wanted = options.textMatch === 'part' ? whole.slice(1, 6) : whole;
		return random.one([wanted, wanted, wanted.toUpperCase(), ` ${wanted} `, 'nobody@example.com']);
	};
	const choose: Record<FilterName, () => INodeParameters[string]> = {
		clientEmail: () => text(client.email),
		clientStatus: () => random.one([String(client.client_status ?? ''), 'ACTIVE', ' inactive']),
		groupName: () => ({ __rl: true, mode: 'name', value: text(client.group_name) }),
		clientType: () => random.one(CLIENT_TYPES),
		requestStatus: () => random.some(REQUEST_STATUSES, 0.4).map((status) => status.toLowerCase()),
		createdAfter: () => String(random.one(clients)?.created_at ?? '2025-01-15'),
		createdBefore: () => String(random.one(clients)?.created_at ?? '2025-02-15'),
		createdWithinDays: () => aboutAgeOf(random.one(clients), random),
		olderThanDays: () => aboutAgeOf(random.one(clients), random),
	};
	return Object.fromEntries(filters.map((name) => [name, choose[name]()]));
}

/** A day more or less than a client's age, so that the clock cannot decide whether it matches. */
function aboutAgeOf(client: Sent | undefined, random: Random): number {
	const createdMs = Date.parse(String(client?.created_at ?? '2025-01-15')) || 0;
	return Math.max(0, Math.round((Date.now() - createdMs) / DAY_MS) + random.one([-1, 1.5]));
}

export interface Expected {
	/** No other client may be returned. */
	allowed: Sent[];
	/** All of these have to be returned. */
	demanded: Sent[];
}

/**
 * What a filter means, without code of the package. A case-sensitive service may return only the clients with the exact
 * spelling, if there are any.
 */
export function expectClients(clients: Sent[], filters: INodeParameters, { behavior, options }: Case): Expected {
	const group = (filters.groupName as { value?: string } | undefined)?.value;
	const texts = [
		{ field: 'email', wanted: filters.clientEmail, mayBePart: true, behavior: behavior.emailFilter },
		{ field: 'group_name', wanted: group, mayBePart: true, behavior: behavior.groupFilter },
		{ field: 'client_status', wanted: filters.clientStatus, mayBePart: false, behavior: 'ignored' },
	]
		.map(({ wanted, ...text }) => ({ ...text, wanted: String(wanted ?? '').trim() }))
		.filter(({ wanted }) => wanted !== '');
	const isPart = options.textMatch === 'part';
	const statuses = (filters.requestStatus ?? []) as string[];
	const nowMs = Date.now();
	const allowed = clients.filter((client) => {
		const createdMs = Date.parse(String(client.created_at));
		return (
			texts.every(({ field, wanted, mayBePart }) =>
				isPart && mayBePart
					? lower(client[field]).includes(wanted.toLowerCase())
					: lower(client[field]) === wanted.toLowerCase(),
			) &&
			(!filters.clientType || lower(client.client_type) === filters.clientType) &&
			(statuses.length === 0 || statuses.includes(lower(client.request_status))) &&
			(!filters.createdAfter || createdMs >= Date.parse(String(filters.createdAfter))) &&
			(!filters.createdBefore || createdMs < Date.parse(String(filters.createdBefore))) &&
			(filters.createdWithinDays === undefined || createdMs >= nowMs - Number(filters.createdWithinDays) * DAY_MS) &&
			(filters.olderThanDays === undefined || createdMs < nowMs - Number(filters.olderThanDays) * DAY_MS)
		);
	});
	const exact = isPart ? [] : texts.filter(({ behavior = 'exact' }) => behavior === 'exact');
	const isSpelled = (client: Sent) => exact.map(({ field, wanted }) => client[field] === wanted);
	const spelled = allowed.filter((client) => isSpelled(client).every(Boolean));
	const isMixed = spelled.length === 0 && allowed.some((client) => isSpelled(client).some(Boolean));
	return { allowed, demanded: spelled.length > 0 ? spelled : isMixed ? [] : allowed };
}

const SORT_FIELDS: Record<Sort, string> = {
	newestFirst: 'created_at',
	oldestFirst: 'created_at',
	name: 'client_name',
	status: 'request_status',
};

/** Clients without the value are last. Clients with equal values are sorted by ID. */
export function compareBy(sort: Sort, a: Sent, b: Sent): number {
	const [one, other] = [a, b].map((client) => lower(client[SORT_FIELDS[sort]]));
	const isTime = SORT_FIELDS[sort] === 'created_at';
	const order = isTime ? Date.parse(one) - Date.parse(other) : one.localeCompare(other, 'en');
	const [idOne, idOther] = [a, b].map((client) => String(client.reference_id));
	return (
		Number(one === '') - Number(other === '') ||
		(sort === 'newestFirst' ? -order : order) ||
		(idOne < idOther ? -1 : Number(idOne > idOther))
	);
}

export function tally(clients: Sent[]): object {
	return {
		total: clients.length,
		by_request_status: countValues(clients, 'request_status', REQUEST_STATUSES.map(lower)),
		by_client_type: countValues(clients, 'client_type', CLIENT_TYPES),
	};
}

export function groups(clients: Sent[]): object[] {
	const members = new Map<string, Sent[]>();
	for (const client of clients) {
		const key = `${client.group_token}\n${client.group_name}`;
		members.set(key, [...(members.get(key) ?? []), client]);
	}
	return [...members.values()].map((group) => ({
		group_name: String(group[0].group_name ?? ''),
		group_token: String(group[0].group_token ?? ''),
		clients: group.length,
		by_request_status: countValues(group, 'request_status', REQUEST_STATUSES.map(lower)),
	}));
}

/** The choices of the group filter. */
export function groupChoices(clients: Sent[]): object[] {
	const names = [...new Set(clients.map(({ group_name: name }) => String(name ?? '')))].filter(Boolean);
	return names.map((value) => {
		const members = clients.filter(({ group_name: name }) => name === value);
		const groups = new Set(members.map(({ group_token: token }) => token)).size;
		const more = groups > 1 ? `, in ${groups} groups with this name` : '';
		return { name: `${value} (${members.length}${more})`, value };
	});
}

function countValues(clients: Sent[], field: string, always: string[]): Record<string, number> {
	const values = [...always, ...clients.map((client) => lower(client[field]) || 'unknown')];
	const counts = Object.fromEntries(values.map((value) => [value, -Number(always.includes(value))]));
	for (const value of values) counts[value] += 1;
	return counts;
}

function lower(value: unknown): string {
	return String(value ?? '')
		.trim()
		.toLowerCase();
}
