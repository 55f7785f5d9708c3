import type { NodeApiError } from 'n8n-workflow';
import { isClientError } from '../service/answer';
import type { Page } from '../service/response';
import type { PageAnswer } from '../service/retrying';

/** How services answer for a page size they do not grant. */
const NO_SUCH_SIZE = [400, 422];
/** And for a page, or a list, that is not there. For a page anything else means that, too, unless the total speaks of more. */
const NOTHING_THERE = [200, 204, 400, 404, 410, 416, 422];

/** Whether a smaller page may come instead. */
export function isAboutSize(answer: Exclude<PageAnswer, { kind: 'page' }>): boolean {
	return answer.kind === 'tooLarge' || NO_SUCH_SIZE.includes(answer.status);
}

/** Services have many ways to say that there is no page of this number. */
export function meansNoPage(status: number, isMoreTold = false): boolean {
	return NOTHING_THERE.includes(status) || (isClientError(status) && !isMoreTold);
}

/** Some services know no page, not even a first one, of a filtered list without rows, or refuse a filter. Undefined then; for `catch`. */
export function toMissingList(error: NodeApiError): undefined {
	if (NOTHING_THERE.includes(Number(error.httpCode))) return undefined;
	throw error;
}

/** The service speaks of clients and gives none: it may be a page that is too large for it. An empty list may have one page. */
export function isWithheld({ clients, totalCount = 0, totalPages = 0 }: Page): boolean {
	return clients.length === 0 && (totalCount > 0 || totalPages > 1);
}

/** No clients where some are due. A first page that is withheld has another reason. */
export function isGap(answer: PageAnswer, number: number): boolean {
	if (answer.kind !== 'page' || answer.page.clients.length > 0) return false;
	return number > 1 || !isWithheld(answer.page);
}
