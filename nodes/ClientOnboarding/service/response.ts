import type { Client } from './client';

export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

export interface Page {
	clients: Client[];
	/** What the service says about the page; undefined where it says nothing usable. */
	pageNumber?: number;
	pageLimit?: number;
	totalCount?: number;
}

/** What came of one request for a page. */
export type Outcome =
	| { kind: 'page'; page: Page }
	| { kind: 'tokenRefused'; status: number }
	| { kind: 'busy'; reason: string; status?: number; retryAfterMs?: number }
	| { kind: 'tooSlow'; reason: string }
	| { kind: 'refused'; status: number; message: string }
	| { kind: 'notThisService'; status: number; what: string }
	| { kind: 'credentialRefused'; reason: string };

const TOKEN_REFUSED_STATUSES = [401, 403];
const BUSY_STATUSES = [408, 425, 429, 500, 502, 503, 504];

/** What an answer of the list endpoint at `host` means. */
export function readAnswer(answer: Answer, host: string, nowMs: number): Outcome {
	const { statusCode, body } = answer;
	const envelope = asRecord(body);
	const isSuccess = statusCode >= 200 && statusCode < 300;
	const hasEnvelope = envelope !== undefined && 'status_code' in envelope;
	// Some services answer 200 and put the real status into the envelope.
	const status = isSuccess && hasEnvelope ? Number(envelope.status_code) : statusCode;

	if (TOKEN_REFUSED_STATUSES.includes(status)) return { kind: 'tokenRefused', status };
	if (BUSY_STATUSES.includes(status)) {
		const reason = status === 429 ? `${host} asks for fewer requests` : `${host} is busy or down (status ${status})`;
		return { kind: 'busy', reason, status, retryAfterMs: retryAfterMs(answer.headers['retry-after'], nowMs) };
	}
	if (isSuccess && isCutOff(body)) return { kind: 'busy', reason: `The answer of ${host} was cut off` };
	if (status >= 300 && status < 400) {
		return { kind: 'notThisService', status, what: 'it points to another address' };
	}
	if (!hasEnvelope) return { kind: 'notThisService', status, what: describeBody(body, status) };
	if (!(status >= 200 && status < 300)) {
		const message = typeof envelope.message === 'string' ? envelope.message.trim() : '';
		return { kind: 'refused', status, message };
	}
	const page = readPage(envelope.data);
	return page ? { kind: 'page', page } : { kind: 'notThisService', status, what: 'its answer holds no list of clients' };
}

function readPage(data: unknown): Page | undefined {
	const wrapper = asRecord(data);
	const clients = wrapper?.results;
	if (!wrapper || !Array.isArray(clients) || !clients.every(asRecord)) return undefined;
	return {
		clients,
		pageNumber: positiveInteger(wrapper.page_number),
		pageLimit: positiveInteger(wrapper.page_limit),
		totalCount: positiveInteger(wrapper.total_count),
	};
}

/** Numbers may come as text; zero, like anything else, says nothing. */
function positiveInteger(value: unknown): number | undefined {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** No body, or JSON that ends too early: n8n hands over what it cannot parse as text. */
function isCutOff(body: unknown): boolean {
	if (body === undefined || body === null) return true;
	return typeof body === 'string' && /^\s*([{[]|$)/.test(body);
}

function describeBody(body: unknown, status: number): string {
	const kind = typeof body === 'string' && body.trimStart().startsWith('<') ? 'a web page' : 'something else';
	return `it answered with ${kind}, status ${status}`;
}

/** Retry-After comes as seconds or as a date. */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
	const text = String(header ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: undefined;
}
