import { CLIENT_TYPES, REQUEST_STATUSES, type Client } from '../data/client.mts';
import type { ClientChanges } from '../data/clients.mts';
import { createPopulation } from '../data/population.mts';
import { parseMicros } from '../data/timestamp.mts';

const FIELDS = Object.keys(createPopulation(0).generate(0));
const STATUSES = REQUEST_STATUSES.map((status) => status.toLowerCase());

function demandChoice(field: string, value: string, choices: readonly string[]) {
	if (!choices.includes(value)) throw new Error(`${field} must be one of: ${choices.join(', ')}.`);
}

function checkField(field: string, value: unknown) {
	if (!FIELDS.includes(field)) throw new Error(`There is no field "${field}". Choose from: ${FIELDS.join(', ')}.`);
	if (typeof value !== 'string' || value === '') throw new Error(`${field} must be a text.`);
	if (field === 'request_status') demandChoice(field, value.toLowerCase(), STATUSES);
	if (field === 'client_type') demandChoice(field, value, CLIENT_TYPES);
	if (field === 'created_at' && Number.isNaN(parseMicros(value))) {
		throw new Error('created_at must be a UTC timestamp such as 2024-05-31T09:30:00.000Z.');
	}
}

/** Checks the fields of a client somebody typed in. */
export function readClient(input: unknown): Partial<Client> {
	if (typeof input !== 'object' || input === null || Array.isArray(input)) {
		throw new Error('A client is an object such as {"client_name": "Ada Example"}.');
	}
	for (const [field, value] of Object.entries(input)) checkField(field, value);
	return input;
}

export function readChanges(input: unknown): ClientChanges {
	const { reference_id, created_at, ...changes } = readClient(input);
	if (reference_id !== undefined || created_at !== undefined || Object.keys(changes).length === 0) {
		throw new Error('Name what changes, such as {"request_status": "completed"}; reference_id and created_at cannot.');
	}
	return changes;
}
