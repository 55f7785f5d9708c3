import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { AskForPage } from '../service/connection';
import type { Page } from '../service/response';
import type { PageAnswer } from '../service/retrying';
import type { Pace } from './pace';

/** A page up to this size is waited for; a larger one that is slow is read in smaller pages instead. */
const PATIENT_SIZE = 100;
/** How services answer for a parameter they do not know. */
const REFUSED_NAME = [400, 422];

/** Asks for the pages of a list by their numbers, and learns under which name this service takes the number. */
export class NumberedPages {
	private parameter = 'page_no';

	/** The parameter that was seen to give another page than the first. */
	private provenParameter?: string;

	/** Who stood where on the first page, the largest that came. */
	private firstPlaces?: Map<string, number>;

	constructor(
		private readonly ask: AskForPage,
		private readonly query: IDataObject,
		private readonly pace: Pace,
	) {}

	async askFor(number: number, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		const { parameter } = this;
		const answer = await this.send(parameter, number, size, stop);
		if (number === 1) return await this.learnFrom(answer, size, stop);
		if (answer.kind !== 'page') return answer;

		const { page } = answer;
		if (!this.isFirstPage(page)) {
			this.provenParameter = parameter;
			return answer;
		}
		if (parameter !== this.provenParameter) {
			// The parameter was ignored, or there is only one page: the other name tells.
			const second = await this.send('page', number, size, stop);
			if (second.kind === 'page' && this.isOtherPage(second.page)) {
				this.parameter = 'page';
				this.provenParameter = 'page';
				return second;
			}
		}
		return answer;
	}

	/** Until any first page came, a refusal may be for the name of the parameter. */
	private async learnFrom(first: PageAnswer, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		let answer = first;
		if (isRefusedName(first) && this.firstPlaces === undefined) {
			const second = await this.send('page', 1, size, stop);
			if (!isRefusedName(second)) {
				this.parameter = 'page';
				answer = second;
			}
		}
		if (answer.kind === 'page' && answer.page.clients.length >= (this.firstPlaces?.size ?? 0)) {
			this.firstPlaces = new Map(answer.page.clients.map((client, place) => [clientKey(client), place]));
		}
		return answer;
	}

	private async send(parameter: string, number: number, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		const query = { ...this.query, [parameter]: number, page_limit: size };
		return await this.pace.inTurn(async () => {
			const note = this.pace.start();
			const answer = await this.ask(query, { isHasty: size > PATIENT_SIZE, stop });
			if (answer.kind === 'page') note(answer.page.clients.length, answer);
			return answer;
		});
	}

	private isOtherPage(page: Page): boolean {
		return this.firstPlaces === undefined ? Number(page.pageNumber) > 1 : !this.isFirstPage(page);
	}

	/** Rows decide, where any are known; a page number is no more than a hint. Some may have come or gone since. */
	private isFirstPage({ clients, pageNumber }: Page): boolean {
		const { firstPlaces } = this;
		if (!firstPlaces) return pageNumber === 1;
		if (clients.length === 0 || firstPlaces.size === 0) return clients.length === firstPlaces.size;
		// A smaller first page holds the first of them only.
		const isFirst = (client: Client) => Number(firstPlaces.get(clientKey(client))) < clients.length;
		return clients.filter(isFirst).length >= Math.min(clients.length, firstPlaces.size) / 2;
	}
}

function isRefusedName(answer: PageAnswer): boolean {
	return answer.kind === 'refused' && REFUSED_NAME.includes(answer.status);
}
