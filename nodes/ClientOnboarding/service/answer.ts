import { textOf } from './client';

/** An answer of the service as n8n hands it over. */
export interface Answer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

const BUSY_STATUSES = [408, 425, 429];
/** Not implemented, a version of HTTP that is not spoken, a network that wants a login first: no wait helps. */
const LASTING_STATUSES = [501, 505, 511];
/** How services say that they do not have this page, or not in this size, or take no such filter. */
const PAGE_REFUSALS = [400, 404, 410, 413, 416, 422];

/** The wrapper every answer of the service has. */
export function envelopeOf({ body }: Answer): Record<string, unknown> | undefined {
	const record = asRecord(body);
	return record && 'status_code' in record ? record : undefined;
}

/** The status, also where the service answers 200 and puts the real one into the envelope. Other words for it say nothing. */
export function statusOf(answer: Answer): number {
	const told = Number(textOf(envelopeOf(answer)?.status_code));
	return isSuccess(answer.statusCode) && told >= 100 && told < 600 ? told : answer.statusCode;
}

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** The last three are what some services say of a token whose time is over. */
export function isRefusal(status: number): boolean {
	return [401, 403, 419, 440, 498].includes(status);
}

export function isClientError(status: number): boolean {
	return status >= 400 && status < 500;
}

export function isPageRefusal(status: number): boolean {
	return PAGE_REFUSALS.includes(status);
}

export function isRedirect(status: number): boolean {
	return status >= 300 && status < 400;
}

export function isBusy(status: number): boolean {
	return BUSY_STATUSES.includes(status) || (status >= 500 && status < 600 && !LASTING_STATUSES.includes(status));
}

/** An answer that says on purpose that there is nothing. */
export function isNoContent({ statusCode, body }: Answer): boolean {
	return statusCode === 204 && !body;
}

/** JSON that ends too early, which n8n hands over as text, or a success without a body. */
export function isCutOff({ statusCode, body }: Answer): boolean {
	return isNothing(body) ? isSuccess(statusCode) : typeof body === 'string' && /^\s*[{[]/.test(body);
}

function isNothing(body: unknown): boolean {
	return body === undefined || body === null || (typeof body === 'string' && body.trim() === '');
}

function isWebPage({ body }: Answer): boolean {
	return typeof body === 'string' && body.trimStart().startsWith('<');
}

/** What came, in words for someone who expected the service. */
export function describeAnswer(answer: Answer): string {
	const { statusCode, headers, body } = answer;
	if (isRedirect(statusCode) && headers.location) return 'it points to another address';
	const what = isWebPage(answer) ? 'a web page' : isNothing(body) ? 'nothing at all' : 'something else';
	return `it answered with ${what}, status ${statusCode}`;
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: undefined;
}
