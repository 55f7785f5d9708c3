import type { Client, Clients } from '../data/clients.mts';
import type { Dialect } from './dialect.mts';

const UNKNOWN_STATUS = 'On Hold';

export function servedStatus(clients: Clients, row: number, { extras }: Dialect): string {
	const isUnknown = extras === 'statuses' && clients.columns.isHeldBack(row);
	return isUnknown ? UNKNOWN_STATUS : clients.columns.requestStatus(row);
}

function writeRecord(client: Client, row: number, { extras, statusCase }: Dialect): Client {
	if (statusCase === 'lower') client.request_status = client.request_status.toLowerCase();
	if (extras !== 'fields') return client;
	const unknown = { risk: { score: row % 100, flags: [] }, tags: ['vip', null], phone: null };
	return { ...client, ...unknown };
}

export function serveRecord(clients: Clients, row: number, dialect: Dialect): Client {
	const client = clients.columns.record(row);
	client.request_status = servedStatus(clients, row, dialect);
	return writeRecord(client, row, dialect);
}

/** A client that is not in the list: like the given row but for its id, so that whatever filter let that one pass fits. */
export function serveStranger(clients: Clients, index: number, like: number | undefined, dialect: Dialect): Client {
	const { columns } = clients;
	const served =
		like === undefined ? writeRecord(columns.invent(), index, dialect) : serveRecord(clients, like, dialect);
	return { ...served, reference_id: columns.strangerId(index) };
}

export function isVisible(clients: Clients, row: number, { hiddenRows }: Dialect): boolean {
	return hiddenRows === 'none' || !clients.columns.isHidden(row);
}

/** Every client as the list endpoint writes it under this dialect, oldest first. */
export function* serveAll(clients: Clients, dialect: Dialect): Generator<Client> {
	for (const row of clients.rows('created')) {
		if (isVisible(clients, row, dialect)) yield serveRecord(clients, row, dialect);
	}
}
