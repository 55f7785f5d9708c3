import { request } from 'undici';
import type { Client } from '../../sandbox/data/clients.mts';

interface Environment {
	url: string;
	apiKey: string;
}

export interface Page {
	page_number: number;
	page_limit: number;
	total_count?: number | string;
	total_pages?: number | string;
	results: Client[];
}

export interface Reply<Data> {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	status_code: number;
	message: string;
	data: Data;
}

export interface TokenData {
	access_token: string;
	expires_in?: number | string;
}

export const TOKEN_PATH = '/api/v1/generate-access-token/';
export const LIST_PATH = '/api/v1/clients-list/';

interface Call {
	method?: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE';
	headers?: Record<string, string>;
	signal?: AbortSignal;
}

export async function call<Data>(url: string, { method = 'GET', ...options }: Call = {}): Promise<Reply<Data>> {
	const { statusCode: status, headers: received, body } = await request(url, { method, ...options });
	const text = await body.text();
	const envelope = String(received['content-type']).includes('json') ? JSON.parse(text) : {};
	return { status, headers: received, text, ...envelope };
}

/** Calls one environment and reuses its token. */
export function createCaller({ url, apiKey }: Environment) {
	let token: string | undefined;

	const requestToken = (options: Call = {}) =>
		call<TokenData>(url + TOKEN_PATH, { headers: { 'api-key': apiKey }, ...options });

	async function list(query: Record<string, string | number> = {}, signal?: AbortSignal): Promise<Reply<Page>> {
		token ??= (await requestToken()).data.access_token;
		const search = new URLSearchParams(
			Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
		);
		return call<Page>(`${url}${LIST_PATH}?${search}`, {
			headers: { authorization: `Bearer ${token}` },
			signal,
		});
	}

	async function listAll(query: Record<string, string | number> = {}): Promise<Client[]> {
		const { data } = await list({ ...query, page_limit: 1_000_000 });
		return data.results;
	}

	const listWith = (authorization: string) => call<Page>(url + LIST_PATH, { headers: { authorization } });

	return { requestToken, list, listAll, listWith };
}

export function pickIds(clients: readonly Client[]): string[] {
	return clients.map(({ reference_id }) => reference_id);
}
