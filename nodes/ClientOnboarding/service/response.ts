import type { Answer } from './answer';
import {
	asRecord,
	describeAnswer,
	envelopeOf,
	isBusy,
	isCutOff,
	isNoContent,
	isPageRefusal,
	isRedirect,
	isRefusal,
	isSuccess,
	statusOf,
} from './answer';
import type { Client } from './client';
import { textOf } from './client';

export interface Page {
	clients: Client[];
	/** What the service says about the page; undefined where it says nothing usable. */
	pageNumber?: number;
	pageLimit?: number;
	totalCount?: number;
	totalPages?: number;
}

/** What came of one request for a page. */
export type Outcome =
	| { kind: 'page'; page: Page }
	/** `stranger`: what came in place of the service's own word. */
	| { kind: 'tokenRefused'; status: number; stranger?: string }
	/** `isOfToken`: it came to no page, so that no size of a page can be the reason. */
	| { kind: 'busy'; reason: string; status?: number; retryAfterMs?: number; isOfToken?: boolean }
	| { kind: 'tooSlow'; reason: string }
	| { kind: 'refused'; status: number; message: string }
	/** `isNothing`: it holds no clients where they should be, which beyond the last page is as good as none. */
	| { kind: 'notThisService'; status: number; what: string; isNothing?: boolean }
	| { kind: 'credentialRefused'; reason: string; isStranger?: boolean };

interface Circumstances {
	host: string;
	nowMs: number;
	/** This service has given clients before, so that whatever else answers for it now will pass. */
	isProven: boolean;
}

/** What an answer of the list endpoint at `host` means. */
export function readAnswer(answer: Answer, { host, nowMs, isProven }: Circumstances): Outcome {
	const status = statusOf(answer);
	const envelope = envelopeOf(answer);
	const readStranger = (what: string): Outcome =>
		isProven && !isPageRefusal(status)
			? { kind: 'busy', reason: `${host} gave no clients: ${what}` }
			: { kind: 'notThisService', status, what };
	if (isRefusal(status)) {
		return { kind: 'tokenRefused', status, stranger: envelope ? undefined : describeAnswer(answer) };
	}
	if (isBusy(status)) {
		const reason = status === 429 ? `${host} asks for fewer requests` : `${host} is busy or down: status ${status}`;
		return { kind: 'busy', reason, status, retryAfterMs: retryAfterMs(answer.headers['retry-after'], nowMs) };
	}
	if (isNoContent(answer)) return { kind: 'notThisService', status, what: 'its answer is empty', isNothing: true };
	if (isCutOff(answer)) return { kind: 'busy', reason: `The answer of ${host} was cut off` };
	if (isRedirect(status)) return readStranger(describeAnswer(answer));

	if (!envelope) return readStranger(describeAnswer(answer));
	if (!isSuccess(status)) {
		const message = typeof envelope.message === 'string' ? envelope.message.trim() : '';
		return { kind: 'refused', status, message };
	}
	const page = readPage(envelope.data);
	if (page) return { kind: 'page', page };
	const what = 'its answer holds no list of clients';
	const isNothing = (asRecord(envelope.data)?.results ?? null) === null;
	return isNothing ? { kind: 'notThisService', status, what, isNothing } : readStranger(what);
}

function readPage(data: unknown): Page | undefined {
	const wrapper = asRecord(data);
	// Only a total of zero makes "no list" a list without clients.
	const isEmpty = wrapper?.results === null && textOf(wrapper.total_count).trim() === '0';
	const clients = isEmpty ? [] : wrapper?.results;
	if (!wrapper || !Array.isArray(clients) || !clients.every(asRecord)) return undefined;
	return {
		clients,
		pageNumber: positiveInteger(wrapper.page_number),
		pageLimit: positiveInteger(wrapper.page_limit),
		totalCount: positiveInteger(wrapper.total_count),
		totalPages: positiveInteger(wrapper.total_pages),
	};
}

/** Numbers may come as text; zero, like anything else, says nothing. */
function positiveInteger(value: unknown): number | undefined {
	const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
	return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Retry-After comes as seconds or as a date. */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
	const text = String(header ?? '').trim();
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
