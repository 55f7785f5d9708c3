import type { IDataObject } from 'n8n-workflow';
import { clientKey } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Page } from '../service/response';
import type { PageAnswer } from '../service/retrying';
import type { Pace } from './pace';

/** A page up to this size is waited for; a larger one that is slow is read in smaller pages instead. */
const PATIENT_SIZE = 100;

/** Asks for the pages of a list by their numbers, and learns under which name this service takes the number. */
export class NumberedPages {
	private parameter = 'page_no';

	/** The parameter that was seen to give another page than the first. */
	private provenParameter?: string;

	private firstKey?: string;

	constructor(
		private readonly ask: AskForPage,
		private readonly query: IDataObject,
		private readonly pace: Pace,
	) {}

	/** Without rows where those of another page came. */
	async askFor(number: number, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		const { parameter } = this;
		const answer = await this.send(parameter, number, size, stop);
		if (answer.kind !== 'page') return answer;
		const { page } = answer;
		if (number === 1) {
			this.firstKey = keyOfFirst(page);
			return answer;
		}

		if (page.pageNumber === number) this.provenParameter = parameter;
		if (parameter !== this.provenParameter && this.isFirstPage(page)) {
			// The parameter was ignored, or there is only one page: the other name tells.
			const second = await this.send('page', number, size, stop);
			if (second.kind === 'page' && !this.isFirstPage(second.page)) {
				this.parameter = 'page';
				this.provenParameter = 'page';
				return second;
			}
			return { ...answer, page: withoutRows(page) };
		}
		const isAnother = page.pageNumber !== undefined && page.pageNumber !== number;
		return isAnother ? { ...answer, page: withoutRows(page) } : answer;
	}

	private async send(parameter: string, number: number, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		const query = { ...this.query, [parameter]: number, page_limit: size };
		const note = this.pace.start();
		const answer = await this.ask(query, { isHasty: size > PATIENT_SIZE, stop });
		if (answer.kind === 'page') note(answer.page.clients.length, answer);
		return answer;
	}

	private isFirstPage(page: Page): boolean {
		return page.pageNumber === undefined ? keyOfFirst(page) === this.firstKey : page.pageNumber === 1;
	}
}

/** For a page whose rows belong to another one. */
export function withoutRows(page: Page): Page {
	return { ...page, clients: [] };
}

function keyOfFirst(page: Page): string | undefined {
	return page.clients[0] && clientKey(page.clients[0]);
}
