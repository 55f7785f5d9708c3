import type { Client, Clients } from '../data/clients.mts';
import type { Behavior } from './behavior.mts';

const UNKNOWN_STATUS = 'On Hold';

export function servedStatus(clients: Clients, row: number, behavior: Behavior): string {
	const isUnknown = behavior.extras === 'statuses' && clients.columns.isHeldBack(row);
	return writeStatus(isUnknown ? UNKNOWN_STATUS : clients.columns.requestStatus(row), row, behavior);
}

function writeStatus(status: string, row: number, { statusCase }: Behavior): string {
	const isLower = statusCase === 'lower' || (statusCase === 'mixed' && row % 2 === 0);
	return isLower ? status.toLowerCase() : status;
}

function addExtras(client: Client, row: number, { extras }: Behavior): Client {
	if (extras !== 'fields') return client;
	const unknown = { risk: { score: row % 100, flags: [] }, tags: ['vip', null], phone: null };
	return { ...client, ...unknown };
}

export function serveRecord(clients: Clients, row: number, behavior: Behavior): Client {
	const client = clients.columns.record(row);
	client.request_status = servedStatus(clients, row, behavior);
	return addExtras(client, row, behavior);
}

/** A client that is not in the list. It equals the given row except for its ID, so that it matches the same filters. */
export function serveInvented(clients: Clients, index: number, like: number | undefined, behavior: Behavior): Client {
	const { columns } = clients;
	if (like !== undefined) return { ...serveRecord(clients, like, behavior), reference_id: columns.inventedId(index) };
	const invented = columns.invent();
	invented.request_status = writeStatus(invented.request_status, index, behavior);
	return { ...addExtras(invented, index, behavior), reference_id: columns.inventedId(index) };
}

export function isVisible(clients: Clients, row: number, { hiddenRows }: Behavior): boolean {
	return hiddenRows === 'none' || !clients.columns.isHidden(row);
}

/** Every client as the list endpoint serves it, oldest first. */
export function* serveAll(clients: Clients, behavior: Behavior): Generator<Client> {
	for (const row of clients.rows('created')) {
		if (isVisible(clients, row, behavior)) yield serveRecord(clients, row, behavior);
	}
}
