import type { Client } from '../api/record';
import { clientKey, createdMs } from '../api/record';
import { fetchFirstPage, fetchSinglePage } from '../pagination/paginate';
import type { Source } from '../pagination/source';

/** How a list is sorted by the time of creation. */
export type Order = 'oldestFirst' | 'newestFirst';

/** A list in the order of creation, as it was when it was last read. */
export interface SortedList {
	order: Order;
	count: number;
	isKnown: (client: Client) => boolean;
}

const SMALLEST_SIZE = 50;
const LARGEST_SIZE = 100;
const MAX_PAGES = 3;
/** So many known clients next to the new ones show that the order still holds. */
const WITNESSES = 10;
/** Pages of up to so many where many clients have to be read. */
const PART_SIZE = 1_000;
/** So many known clients are read with those who are not. */
const MARGIN = 50;

export function orderOf(clients: Client[]): Order | undefined {
	return (['oldestFirst', 'newestFirst'] as const).find((order) => isSorted(clients, order));
}

/**
 * The clients that came to the list since, from the pages where they must stand. Undefined where anything speaks against it:
 * a known client among the new ones, another order, a total that does not fit.
 */
export async function readNewest(source: Source, list: SortedList): Promise<Client[] | undefined> {
	const isAtEnd = list.order === 'oldestFirst';
	// A service may not grant pages of this size; it says so on the first one.
	const top = isAtEnd ? undefined : await fetchFirstPage(source, {}, LARGEST_SIZE);
	const size = top?.granted ?? sizeForEnd(list.count);
	const first = isAtEnd ? Math.floor(list.count / size) + 1 : 1;
	const rows: Client[] = [];
	for (let number = first; number < first + MAX_PAGES; number++) {
		const { clients, totalCount } = number === 1 && top ? top : await fetchSinglePage(source, {}, number, size);
		rows.push(...clients);
		const knownRows = rows.filter(list.isKnown).length;
		if (isAtEnd ? clients.length < size : knownRows >= WITNESSES) {
			const newRows = isAtEnd ? rows.slice(knownRows) : rows.slice(0, -knownRows);
			const isExpected = knownRows >= WITNESSES && totalCount === list.count + newRows.length;
			const isInPlace = !newRows.some(list.isKnown) && (!isAtEnd || knownRows === list.count % size);
			return isExpected && isInPlace && isSorted(rows, list.order) && areDifferent(rows) ? newRows : undefined;
		}
	}
	return undefined;
}

/** Clients of a part of the list, and how many more there are that are not known. */
export interface Part {
	clients: Client[];
	rest: number;
}

/**
 * The oldest clients that are not known, with more than `enough` that are wanted where there are so many, from the pages where
 * the known ones end. Undefined where anything speaks against it.
 */
export async function readOldestUnknown(
	source: Source,
	list: SortedList,
	enough: number,
	isWanted: (client: Client) => boolean,
): Promise<Part | undefined> {
	const isAtEnd = list.order === 'oldestFirst';
	const top = await fetchFirstPage(source, {}, PART_SIZE);
	const size = top.granted;
	const total = top.totalCount ?? 0;
	const start = isAtEnd ? Math.max(0, list.count - MARGIN) : Math.min(total - 1, total - list.count + MARGIN);
	const first = Math.floor(start / size) + 1;
	const oldestFirst: Client[] = [];
	let found = 0;
	let isMore = first >= 1;
	for (let number = first; isMore && found <= enough; number += isAtEnd ? 1 : -1) {
		const { clients, totalCount } = number === 1 ? top : await fetchSinglePage(source, {}, number, size);
		if (totalCount !== total) return undefined;
		oldestFirst.push(...(isAtEnd ? clients : [...clients].reverse()));
		found += clients.filter((client) => !list.isKnown(client) && isWanted(client)).length;
		isMore = isAtEnd ? clients.length === size : number > 1;
	}
	const known = oldestFirst.findIndex((client) => !list.isKnown(client));
	const clients = oldestFirst.slice(known);
	// Were there others among the known ones, these would not stand where they do.
	const skipped = isAtEnd ? (first - 1) * size : Math.max(0, total - first * size);
	const isInPlace = known >= WITNESSES && skipped + known === list.count && !clients.some(list.isKnown);
	const rest = Math.max(0, total - skipped - oldestFirst.length);
	const isCertain = isInPlace && (isMore || rest === 0) && isSorted(oldestFirst, 'oldestFirst');
	return isCertain && areDifferent(oldestFirst) ? { clients, rest } : undefined;
}

/** A page size with which the page at the end begins with known clients and has room for new ones. */
function sizeForEnd(count: number): number {
	let size = LARGEST_SIZE;
	while (size > SMALLEST_SIZE && (count % size < WITNESSES || count % size > size / 2)) size -= 1;
	return size;
}

function isSorted(clients: Client[], order: Order): boolean {
	const direction = order === 'oldestFirst' ? 1 : -1;
	return clients.every(
		(client, index) => index === 0 || (createdMs(client) - createdMs(clients[index - 1])) * direction >= 0,
	);
}

function areDifferent(clients: Client[]): boolean {
	return new Set(clients.map(clientKey)).size === clients.length;
}
