import { CLIENT_TYPES, type Client } from '../data/client.mts';
import type { Clients } from '../data/clients.mts';
import { demandChoice, demandLength, readNumber, STATUSES } from './clientInput.mts';

export const TABLE_PARAMETERS = [
	'search',
	'request_status',
	'client_type',
	'group_name',
	'sort',
	'page',
	'page_size',
] as const;
export const SORTS = ['newest', 'oldest', 'changed', 'name', 'status'];

const MOST_ROWS = 200;

interface Query {
	search: string;
	status: string;
	type: string;
	group: string;
	sort: string;
	page: number;
	pageSize: number;
}

export interface ClientTable {
	total: number;
	page: number;
	pages: number;
	clients: Client[];
}

function readQuery(parameters: URLSearchParams): Query {
	const read = (name: (typeof TABLE_PARAMETERS)[number], otherwise = '') => parameters.get(name) || otherwise;
	const query = {
		search: read('search').trim().toLowerCase(),
		status: read('request_status').toLowerCase(),
		type: read('client_type'),
		group: read('group_name'),
		sort: read('sort', SORTS[0]),
		page: readNumber('page', read('page', '1'), 1, Number.MAX_SAFE_INTEGER),
		pageSize: readNumber('page_size', read('page_size', '25'), 1, MOST_ROWS),
	};
	demandLength('search', query.search);
	if (query.status) demandChoice('request_status', query.status, STATUSES);
	if (query.type) demandChoice('client_type', query.type, CLIENT_TYPES);
	demandChoice('sort', query.sort, SORTS);
	return query;
}

function acceptRows({ columns }: Clients, { search, status, type, group }: Query): (row: number) => boolean {
	const holds = (text: string) => text.toLowerCase().includes(search);
	return (row) =>
		(!status || columns.requestStatus(row).toLowerCase() === status) &&
		(!type || columns.clientType(row) === type) &&
		(!group || columns.groupName(row) === group) &&
		(!search || holds(columns.clientName(row)) || holds(columns.email(row)) || holds(columns.referenceId(row)));
}

function sortRows(clients: Clients, rows: Uint32Array, sort: string): Uint32Array {
	if (sort === 'newest') return rows.slice().reverse();
	if (sort !== 'name') return rows;
	const names = new Map(Array.from(rows, (row) => [row, clients.columns.clientName(row).toLowerCase()]));
	const compare = (a: number, b: number) =>
		names.get(a)! < names.get(b)! ? -1 : Number(names.get(a) !== names.get(b));
	return rows.slice().sort(compare);
}

/** A page of the clients that match. */
export function findClients(clients: Clients, parameters: URLSearchParams): ClientTable {
	const query = readQuery(parameters);
	const { sort, page, pageSize, ...filters } = query;
	const order = sort === 'changed' || sort === 'status' ? sort : 'created';
	const found = clients.select(order, JSON.stringify(['table', filters]), acceptRows(clients, query));
	const rows = sortRows(clients, found, sort);
	const pages = Math.max(1, Math.ceil(rows.length / pageSize));
	// The last page may have been emptied meanwhile.
	const shown = Math.min(page, pages);
	const cut = rows.subarray((shown - 1) * pageSize, shown * pageSize);
	return { total: rows.length, page: shown, pages, clients: Array.from(cut, (row) => clients.columns.record(row)) };
}

/** Each group's name once, in alphabetical order. */
export function listGroups(clients: Clients): string[] {
	const names = new Set<string>();
	for (const row of clients.rows('created')) names.add(clients.columns.groupName(row));
	return [...names].sort((a, b) => a.localeCompare(b));
}
