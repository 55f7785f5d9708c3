import type { Clients, StableOrder } from '../data/clients.mts';
import type { Behavior } from './behavior.mts';
import type { FilterName, ListQuery } from './query.mts';
import { servedStatus } from './records.mts';

type Accepts = (row: number) => boolean;

const ORDERS: Partial<Record<Behavior['order'], StableOrder>> = {
	arbitrary: 'arbitrary',
	'last-changed': 'changed',
	'by-status': 'status',
};

/** There are few values and many rows, so each value is tested once. */
function memoize(test: (value: string) => boolean): (value: string) => boolean {
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

function matchText(comparison: Behavior['groupFilter'], wanted: string) {
	const folded = wanted.toLowerCase();
	if (comparison === 'exact') return (value: string) => value === wanted;
	if (comparison === 'any-case') return (value: string) => value.toLowerCase() === folded;
	return (value: string) => value.toLowerCase().includes(folded);
}

function matchGroup(clients: Clients, behavior: Behavior, wanted: string): Accepts {
	const matches = memoize(matchText(behavior.groupFilter, wanted));
	return (row) => matches(clients.columns.groupName(row));
}

function matchEmail(clients: Clients, behavior: Behavior, wanted: string): Accepts {
	if (behavior.emailFilter === 'group-name') return matchGroup(clients, behavior, wanted);
	if (behavior.emailFilter === 'exact') return clients.columns.matchEmail(wanted, (email) => email);
	if (behavior.emailFilter === 'any-case') return clients.columns.matchEmail(wanted, (email) => email.toLowerCase());
	const matches = matchText('contains', wanted);
	return (row) => matches(clients.columns.email(row));
}

function matchStatus(clients: Clients, behavior: Behavior, wanted: string): Accepts {
	const matches = matchChoice(wanted);
	return (row) => matches(servedStatus(clients, row, behavior));
}

function matchType(clients: Clients, _: Behavior, wanted: string): Accepts {
	const matches = matchChoice(wanted);
	return (row) => matches(clients.columns.clientType(row));
}

function matchChoice(wanted: string): (value: string) => boolean {
	return memoize(matchText('any-case', wanted));
}

const MATCHERS: Record<FilterName, (clients: Clients, behavior: Behavior, wanted: string) => Accepts> = {
	client_email: matchEmail,
	request_status: matchStatus,
	client_type: matchType,
	group_name: matchGroup,
};

function isIgnored(name: FilterName, { emailFilter, groupFilter }: Behavior): boolean {
	if (name === 'client_email' && emailFilter === 'ignored') return true;
	const isGroup = name === 'group_name' || (name === 'client_email' && emailFilter === 'group-name');
	return isGroup && groupFilter === 'ignored';
}

/** The rows that the filters accept. The page itself applies newest first and shuffled. */
export function selectRows(clients: Clients, behavior: Behavior, { filters }: ListQuery): Uint32Array {
	const order = ORDERS[behavior.order] ?? 'created';
	const heeded = filters.filter(({ name }) => !isIgnored(name, behavior));
	const effective = behavior.severalFilters === 'first' ? heeded.slice(0, 1) : heeded;
	if (effective.length === 0) return clients.rows(order);

	const { emailFilter, groupFilter, severalFilters, statusCase, extras } = behavior;
	const name = JSON.stringify([effective, emailFilter, groupFilter, severalFilters, statusCase, extras]);
	const tests = effective.map((filter) => MATCHERS[filter.name](clients, behavior, filter.value));
	const accepts: Accepts =
		severalFilters === 'any' ? (row) => tests.some((test) => test(row)) : (row) => tests.every((test) => test(row));
	return clients.select(order, name, accepts);
}

const visibleCounts = new WeakMap<Uint32Array, number>();

/** How many of these rows are shown. Lists of rows are never changed, so each is counted once. */
export function countVisible(clients: Clients, { hiddenRows }: Behavior, rows: Uint32Array): number {
	if (hiddenRows === 'none') return rows.length;
	let count = visibleCounts.get(rows);
	if (count === undefined) {
		count = rows.reduce((sum, row) => (clients.columns.isHidden(row) ? sum : sum + 1), 0);
		visibleCounts.set(rows, count);
	}
	return count;
}
