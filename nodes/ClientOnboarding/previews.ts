import type { IDataObject } from 'n8n-workflow';
import { fieldsToReturn } from './parameters/properties';
import { CLIENT_TYPES, REQUEST_STATUSES } from './api/record';

/** JSON Schema, as far as n8n's editor reads it: the names and types of the fields of one item. */
interface Preview {
	type: 'object';
	properties: Record<string, { type: string } | Preview>;
	version: number;
}

const text = { type: 'string' };
const number = { type: 'number' };

const client = Object.fromEntries(fieldsToReturn.options.map(({ value }) => [value, text]));
const byStatus = counted(REQUEST_STATUSES);

/** Output schemas by file name. With them, n8n's editor offers fields to drag before the first run. */
export const previews: Record<string, Preview> = {
	'v1.0.0/client/list.json': preview(client),
	'v1.0.0/client/find.json': preview(client),
	'v1.0.0/client/count.json': preview({
		total: number,
		by_request_status: byStatus,
		by_client_type: counted(CLIENT_TYPES),
	}),
	'v1.0.0/client/listGroups.json': preview({
		group_name: text,
		group_token: text,
		clients: number,
		by_request_status: byStatus,
	}),
	// For the trigger. n8n 2 shows no preview there.
	'v1.0.0.json': preview({
		event: text,
		reference_id: text,
		client_name: text,
		request_status: text,
		previous_request_status: text,
		...client,
		detected_at: text,
		event_id: text,
	}),
};

function preview(properties: IDataObject): Preview {
	return { type: 'object', properties: properties as Preview['properties'], version: 1 };
}

function counted(names: string[]): Preview {
	return preview(Object.fromEntries(names.map((name) => [name, number])));
}
