import type { Client, Clients } from '../data/clients.mts';
import { sample } from '../data/randomness.mts';
import type { Dialect } from './dialect.mts';
import { Refusal } from './envelope.mts';
import type { FilterName, ListQuery } from './query.mts';

type Accepts = (row: number) => boolean;

const UNKNOWN_STATUS = 'On Hold';

function servedStatus(clients: Clients, row: number, { extras, statusCase }: Dialect): string {
	const isUnknown = extras === 'statuses' && clients.columns.isHeldBack(row);
	const status = isUnknown ? UNKNOWN_STATUS : clients.columns.requestStatus(row);
	return statusCase === 'lower' ? status.toLowerCase() : status;
}

function serveRecord(clients: Clients, row: number, dialect: Dialect): Client {
	const client = clients.columns.record(row);
	client.request_status = servedStatus(clients, row, dialect);
	if (dialect.extras !== 'fields') return client;
	const unknown = { risk: { score: row % 100, flags: [] }, tags: ['vip', null], phone: null };
	return { ...client, ...unknown };
}

/** Every client as the list endpoint writes it under this dialect, oldest first. */
export function* serveAll(clients: Clients, dialect: Dialect): Generator<Client> {
	for (const row of clients.rows('created')) yield serveRecord(clients, row, dialect);
}

/** Few values, many rows: each value is looked at once. */
function remember(test: (value: string) => boolean): (value: string) => boolean {
	const known = new Map<string, boolean>();
	return (value) => {
		let result = known.get(value);
		if (result === undefined) {
			result = test(value);
			known.set(value, result);
		}
		return result;
	};
}

function matchText(reading: 'exact' | 'any-case' | 'contains', wanted: string) {
	const folded = wanted.toLowerCase();
	if (reading === 'exact') return (value: string) => value === wanted;
	if (reading === 'any-case') return (value: string) => value.toLowerCase() === folded;
	return (value: string) => value.toLowerCase().includes(folded);
}

function matchGroup(clients: Clients, dialect: Dialect, wanted: string): Accepts {
	const matches = remember(matchText(dialect.groupFilter, wanted));
	return (row) => matches(clients.columns.groupName(row));
}

function matchEmail(clients: Clients, dialect: Dialect, wanted: string): Accepts {
	if (dialect.emailFilter === 'group-name') return matchGroup(clients, dialect, wanted);
	if (dialect.emailFilter === 'exact') return clients.columns.matchEmail(wanted);
	const matches = matchText('contains', wanted);
	return (row) => matches(clients.columns.email(row));
}

function matchStatus(clients: Clients, dialect: Dialect, wanted: string): Accepts {
	const matches = remember((status) => status.toLowerCase() === wanted);
	return (row) => matches(servedStatus(clients, row, dialect));
}

const MATCHERS: Record<FilterName, (clients: Clients, dialect: Dialect, wanted: string) => Accepts> = {
	client_email: matchEmail,
	request_status: matchStatus,
	client_type: (clients, _, wanted) => (row) => clients.columns.clientType(row) === wanted,
	group_name: matchGroup,
};

function selectRows(clients: Clients, dialect: Dialect, filters: ListQuery['filters']): Uint32Array {
	const order = dialect.order === 'arbitrary' ? 'arbitrary' : 'created';
	const heeded = filters.filter(({ name }) => name !== 'client_email' || dialect.emailFilter !== 'ignored');
	const effective = dialect.severalFilters === 'first' ? heeded.slice(0, 1) : heeded;
	if (effective.length === 0) return clients.rows(order);

	const { emailFilter, groupFilter, severalFilters, extras } = dialect;
	const name = JSON.stringify([effective, emailFilter, groupFilter, severalFilters, extras]);
	const tests = effective.map((filter) => MATCHERS[filter.name](clients, dialect, filter.value));
	const accepts: Accepts =
		severalFilters === 'any' ? (row) => tests.some((test) => test(row)) : (row) => tests.every((test) => test(row));
	return clients.select(order, name, accepts);
}

function arrangePage(rows: Uint32Array, start: number, end: number, order: Dialect['order'], draw: number): number[] {
	const count = end - start;
	// With a new order on every request, any page is a random sample of the list.
	if (order === 'shuffled') {
		return sample(rows.length, count, draw).map((position) => rows[position]);
	}
	if (order !== 'created-descending') return Array.from(rows.subarray(start, end));
	return Array.from({ length: count }, (_, offset) => rows[rows.length - 1 - start - offset]);
}

function writeTotals(count: number, limit: number, totals: Dialect['totals']): object {
	if (totals === 'absent') return {};
	if (totals === 'zero') return { total_count: 0, total_pages: 0 };
	const told = totals === 'too-high' ? count + 37 : totals === 'too-low' ? Math.floor(count / 2) : count;
	const pages = Math.ceil(told / limit);
	return totals === 'strings'
		? { total_count: String(told), total_pages: String(pages) }
		: { total_count: told, total_pages: pages };
}

/** `draw` numbers the request, for the order that is different on every one. */
export function listClients(clients: Clients, dialect: Dialect, query: ListQuery, draw: number): object {
	const { limit, filters } = query;
	const rows = selectRows(clients, dialect, filters);
	const lastPage = Math.max(1, Math.ceil(rows.length / limit));
	let { page } = query;
	if (page > lastPage) {
		if (dialect.beyondLast === '404' || dialect.beyondLast === '400') {
			throw new Refusal(Number(dialect.beyondLast), `Page ${page} does not exist.`);
		}
		if (dialect.beyondLast === 'last-page') page = lastPage;
	}
	const start = Math.min((page - 1) * limit, rows.length);
	const end = Math.min(start + limit, rows.length);
	const pageRows = arrangePage(rows, start, end, dialect.order, draw);
	return {
		page_number: page,
		page_limit: limit,
		...writeTotals(rows.length, limit, dialect.totals),
		results: pageRows.map((row) => serveRecord(clients, row, dialect)),
	};
}
