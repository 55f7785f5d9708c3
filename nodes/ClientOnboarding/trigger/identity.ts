import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../api/record';
import type { Watch } from './watch';

/** Who a client is, to be told when it is gone. */
export type Identity = Readonly<IDataObject>;

/** Names only where the user wants them to be remembered. */
export const IDENTITY_FIELDS = ['reference_id', 'client_name', 'email'];

/** The very same object as before where nothing is another; undefined where nobody looks for removals, or the client has no ID. */
export function identityOf(client: Client, was: Identity | undefined, watch: Watch): Identity | undefined {
	if (!watch.events.includes('clientRemoved')) return undefined;
	const fields = (watch.remembersNames ? IDENTITY_FIELDS : IDENTITY_FIELDS.slice(0, 1)).filter((field) =>
		isText(client[field]),
	);
	if (!fields.includes('reference_id')) return undefined;
	const isSame =
		was && Object.keys(was).join() === fields.join() && fields.every((field) => was[field] === client[field]);
	return isSame ? was : Object.fromEntries(fields.map((field) => [field, client[field]]));
}

function isText(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}
