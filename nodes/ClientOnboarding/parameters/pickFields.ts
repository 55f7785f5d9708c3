import type { IDataObject } from 'n8n-workflow';

/** The records with only these fields, or as they are if no field is named. */
export function pickFields(records: IDataObject[], fields: string[]): IDataObject[] {
	if (fields.length === 0 || records.length === 0) return records;
	if (!fields.some((name) => records.some((record) => Object.hasOwn(record, name)))) {
		throw new Error(`None of the fields in "Fields to Return" exists: ${fields.join(', ')}. Choose from the list`);
	}
	return records.map((record) =>
		Object.fromEntries(fields.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]])),
	);
}
