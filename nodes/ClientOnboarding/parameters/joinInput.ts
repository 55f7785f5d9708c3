import type { IDataObject } from 'n8n-workflow';
import { fieldsToReturn } from './properties';

const CLIENT_FIELDS = new Set<string>(fieldsToReturn.options.map(({ value }) => value));

/** The client, after the fields of the row it was found for. A field of the row with the name of a client's field is renamed. */
export function joinInput(row: IDataObject, client: IDataObject): IDataObject {
	const isOfClient = (name: string) => name in client || CLIENT_FIELDS.has(name);
	const isTaken = (name: string) => name in client || name in row;
	const renamed = (name: string): string => (isTaken(`input_${name}`) ? renamed(`input_${name}`) : `input_${name}`);
	const kept = Object.entries(row).map(([name, value]) => [isOfClient(name) ? renamed(name) : name, value]);
	return { ...Object.fromEntries(kept), ...client };
}
