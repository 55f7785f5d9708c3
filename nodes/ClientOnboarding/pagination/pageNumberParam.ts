import { clientKey } from '../api/record';
import type { Page } from '../api/response';

/** The specification shows both names, and does not show which one is effective. */
export type PageNumberParam = 'page_no' | 'page';

export function otherParam(param: PageNumberParam): PageNumberParam {
	return param === 'page_no' ? 'page' : 'page_no';
}

/** Whether the page is page 1 again, as it is if its number was ignored. The list may have changed a little meanwhile. */
export function repeatsPage(first: Page, page: Page): boolean {
	const keys = new Set(first.clients.map(clientKey));
	const repeated = page.clients.filter((client) => keys.has(clientKey(client))).length;
	return repeated > page.clients.length / 2;
}
