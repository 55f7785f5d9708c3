import type { Client } from './record';
import { asRecord, textOf } from './record';

/** A response as n8n returns it: JSON is parsed, anything else is text. */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export interface Page {
	clients: Client[];
	/** What the service reports about the page; undefined if it reports nothing usable. */
	pageLimit?: number;
	totalCount?: number;
}

/** The wrapper that every response of the service has. */
export function envelopeOf({ body }: HttpResponse): Record<string, unknown> | undefined {
	const record = asRecord(body);
	return record && 'status_code' in record ? record : undefined;
}

/** The HTTP status, or the one in the envelope of an HTTP success. */
export function statusOf(response: HttpResponse): number {
	const reported = Number(textOf(envelopeOf(response)?.status_code));
	return isSuccess(response.statusCode) && reported >= 100 && reported < 600 ? reported : response.statusCode;
}

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Undefined unless the response is a well-formed page. */
export function pageOf(response: HttpResponse): Page | undefined {
	const data = asRecord(envelopeOf(response)?.data);
	const clients = data?.results;
	if (!isSuccess(statusOf(response)) || !data || !Array.isArray(clients) || !clients.every(asRecord)) return undefined;
	return { clients, pageLimit: positiveInteger(data.page_limit), totalCount: positiveInteger(data.total_count) };
}

/** A success that holds no list: 204, or `data` or `results` is null. Some languages write an empty object as []. */
export function isWithoutList(response: HttpResponse): boolean {
	if (response.statusCode === 204) return true;
	const envelope = envelopeOf(response);
	if (!envelope || !isSuccess(statusOf(response))) return false;
	const { data } = envelope;
	if (Array.isArray(data)) return data.length === 0;
	return (data ?? null) === null || (asRecord(data) !== undefined && (asRecord(data)?.results ?? null) === null);
}

/** A success without a body, or with JSON that ends too early. */
export function isCutOff({ statusCode, body }: HttpResponse): boolean {
	if (!isSuccess(statusCode) || statusCode === 204) return false;
	return isEmpty(body) || (typeof body === 'string' && /^\s*[{[]/.test(body));
}

/** What was returned, for someone who expected the service. */
export function describeResponse({ statusCode, headers, body }: HttpResponse): string {
	if (statusCode >= 300 && statusCode < 400 && headers.location) {
		return `a redirect to another address (status ${statusCode})`;
	}
	const isWebPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const what = isWebPage ? 'a web page' : isEmpty(body) ? 'an empty response' : 'unexpected data';
	return `${what} (status ${statusCode})`;
}

function isEmpty(body: unknown): boolean {
	return body === undefined || body === null || (typeof body === 'string' && body.trim() === '');
}

/** Numbers may be sent as text. Zero is reported for an empty list, which shows by its rows. */
function positiveInteger(value: unknown): number | undefined {
	const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
