import type { Client } from '../api/record';
import { clientKey, createdMs } from '../api/record';
import { fetchFirstPage, fetchSinglePage } from '../pagination/paginate';
import type { Source } from '../pagination/source';

/** How a list is sorted by creation date. */
export type Order = 'oldestFirst' | 'newestFirst';

/** A list in created order, as it was when it was last read. */
export interface SortedList {
	order: Order;
	count: number;
	isKnown: (client: Client) => boolean;
}

const SMALLEST_SIZE = 50;
const LARGEST_SIZE = 100;
const MAX_PAGES = 3;
/** This many known clients next to the new ones show that the order still holds. */
const MIN_KNOWN = 10;

export function orderOf(clients: Client[]): Order | undefined {
	return (['oldestFirst', 'newestFirst'] as const).find((order) => isSorted(clients, order));
}

/**
 * The clients that were added to the list since, from the pages where they must be. Undefined if anything is odd: a known client
 * among the new ones, another order, another total than expected.
 */
export async function readNewest(source: Source, list: SortedList): Promise<Client[] | undefined> {
	const isAtEnd = list.order === 'oldestFirst';
	// The service may not grant pages of this size, which only the first page shows.
	const top = isAtEnd ? undefined : await fetchFirstPage(source, {}, LARGEST_SIZE);
	const size = top?.granted ?? sizeForEnd(list.count);
	const first = isAtEnd ? Math.floor(list.count / size) + 1 : 1;
	const rows: Client[] = [];
	for (let number = first; number < first + MAX_PAGES; number++) {
		const { clients, totalCount } = number === 1 && top ? top : await fetchSinglePage(source, {}, number, size);
		rows.push(...clients);
		const knownRows = rows.filter(list.isKnown).length;
		if (isAtEnd ? clients.length < size : knownRows >= MIN_KNOWN) {
			const newRows = isAtEnd ? rows.slice(knownRows) : rows.slice(0, -knownRows);
			const isExpected = knownRows >= MIN_KNOWN && totalCount === list.count + newRows.length;
			const isInPlace = !newRows.some(list.isKnown) && (!isAtEnd || knownRows === list.count % size);
			return isExpected && isInPlace && isSorted(rows, list.order) && areDifferent(rows) ? newRows : undefined;
		}
	}
	return undefined;
}

/** A page size with which the last page begins with known clients and has room for new ones. */
function sizeForEnd(count: number): number {
	let size = LARGEST_SIZE;
	while (size > SMALLEST_SIZE && (count % size < MIN_KNOWN || count % size > size / 2)) size -= 1;
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
