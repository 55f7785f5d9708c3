import type { IDataObject } from 'n8n-workflow';

/** The client, after the fields of the row it was found for. A field that the client has, too, is renamed, so that none is lost. */
export function joinInput(row: IDataObject, client: IDataObject): IDataObject {
	const isTaken = (name: string) => name in client || name in row;
	const renamed = (name: string): string => (isTaken(`input_${name}`) ? renamed(`input_${name}`) : `input_${name}`);
	const kept = Object.entries(row).map(([name, value]) => [name in client ? renamed(name) : name, value]);
	return { ...Object.fromEntries(kept), ...client };
}
