import { CLIENT_TYPES, REQUEST_STATUSES, type Client } from '../data/client.mts';
import type { ClientChanges } from '../data/clients.mts';
import { createPopulation } from '../data/population.mts';
import { parseMicros } from '../data/timestamp.mts';

export const FIELDS = Object.keys(createPopulation(0).generate(0)) as Array<keyof Client>;
export const STATUSES = REQUEST_STATUSES.map((status) => status.toLowerCase());

const MOST_CHARACTERS = 500;

export function demandChoice(field: string, value: string, choices: readonly string[]) {
	if (!choices.includes(value)) throw new Error(`${field} must be one of: ${choices.join(', ')}.`);
}

export function demandLength(field: string, value: string) {
	if (value.length > MOST_CHARACTERS) throw new Error(`${field} is limited to ${MOST_CHARACTERS} characters.`);
}

function checkField(field: string, value: unknown) {
	if (!(FIELDS as string[]).includes(field)) {
		throw new Error(`There is no field "${field}". Choose from: ${FIELDS.join(', ')}.`);
	}
	if (typeof value !== 'string') throw new Error(`${field} must be text.`);
	if (value === '') throw new Error(`${field} must not be empty.`);
	// Half of a character cannot be part of a URL.
	if (/\p{Surrogate}/u.test(value)) throw new Error(`${field} is not valid Unicode text.`);
	if (field === 'reference_id' && /^\.\.?$/.test(value)) throw new Error('reference_id must not be "." or "..".');
	demandLength(field, value);
	if (field === 'request_status') demandChoice(field, value.toLowerCase(), STATUSES);
	if (field === 'client_type') demandChoice(field, value, CLIENT_TYPES);
	if (field === 'created_at' && Number.isNaN(parseMicros(value))) {
		throw new Error('created_at must be a UTC timestamp such as 2024-05-31T09:30:00.000Z.');
	}
}

export function readObject(input: unknown, example: string): Record<string, unknown> {
	if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Record<string, unknown>;
	throw new Error(example);
}

export function readClient(input: unknown): Partial<Client> {
	const client = readObject(input, 'A client is an object such as {"client_name": "Ada Example"}.');
	for (const [field, value] of Object.entries(client)) checkField(field, value);
	return client;
}

export function readChanges(input: unknown): ClientChanges {
	const { reference_id, created_at, ...changes } = readClient(input);
	if (reference_id !== undefined || created_at !== undefined || Object.keys(changes).length === 0) {
		throw new Error(
			'Send the fields to change, such as {"request_status": "completed"}. reference_id and created_at cannot change.',
		);
	}
	return changes;
}

export function readReferenceIds(input: unknown): string[] {
	const example = 'Send the clients to remove: {"reference_ids": ["ONB-6C609337"]}.';
	const { reference_ids: ids, ...others } = readObject(input, example);
	if (!isIdList(ids) || Object.keys(others).length > 0) throw new Error(example);
	return [...new Set(ids)];
}

/** The same changes for several clients. */
export function readBulkChanges(input: unknown): { ids: string[]; changes: ClientChanges } {
	const example = 'Send clients and changes: {"reference_ids": ["ONB-6C609337"], "request_status": "completed"}.';
	const { reference_ids: ids, ...changes } = readObject(input, example);
	if (!isIdList(ids)) throw new Error(example);
	return { ids: [...new Set(ids)], changes: readChanges(changes) };
}

function isIdList(ids: unknown): ids is string[] {
	return Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string');
}

export function readNumber(name: string, value: unknown, lowest: number, highest: number): number {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	if (Number.isInteger(number) && Number(number) >= lowest && Number(number) <= highest) return Number(number);
	throw new Error(`${name} must be a whole number from ${lowest} to ${highest}.`);
}
