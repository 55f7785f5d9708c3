import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../service/client';
import { clientKey } from '../service/client';
import type { Page } from '../service/response';
import type { Broken, PageAnswer } from '../service/retrying';
import { areAlike, areIdentical, areMost } from './likeness';
import { SMALL_SIZE } from './sizes';
import type { Source } from './source';

/** A page up to this size is waited for; a larger one that is slow is read in smaller pages instead. */
const PATIENT_SIZE = 100;
/** How services answer for a parameter they do not know. */
const REFUSED_NAME = [400, 422];

/** Fewer rows may stand in the same order by chance. */
const FEWEST_TELLING_ROWS = 5;

/** The names are compared so often; after that, the one in use stays. */
const MOST_COMPARISONS = 2;

/** Asks for the pages of a list by their numbers, and learns under which name this service takes the number. */
export class NumberedPages {
	private parameter = 'page_no';

	/** The largest that came, and who stood where on it. */
	private first?: { page: Page; places?: Map<string, number> };

	/** A page with rows that is not the first one, as far as is known. */
	private other?: { number: number; size: number; page: Page };

	/** A page that should be another one had the rows of the first. */
	private hasFirstAgain = false;

	/** Under the other name there was no such page, so that the number may count there. */
	private hasEndElsewhere = false;

	private comparisons = 0;

	private comparison?: Promise<{ number: number; answer: PageAnswer } | undefined>;

	constructor(
		private readonly source: Source,
		private readonly query: IDataObject,
	) {}

	async askFor(number: number, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		const { parameter } = this;
		const answer = await this.send(parameter, number, size, stop);
		if (number === 1) return await this.learnFrom(answer, size, stop);
		if (answer.kind !== 'page') return answer;
		if (!this.isInDoubt(number, size, answer.page)) {
			if (hasClients(answer)) this.other ??= { number, size, page: answer.page };
			return answer;
		}
		// Pages that are under way at the same time share one comparison.
		this.comparison ??= this.compareNames(number, size, answer.page, stop).finally(() => (this.comparison = undefined));
		const better = await this.comparison;
		if (this.parameter === parameter) {
			this.hasFirstAgain = true;
			return answer;
		}
		return better?.number === number ? better.answer : await this.send(this.parameter, number, size, stop);
	}

	/** The first page in a size that not every service gives, and which may break others. */
	async askForSmall(size: number): Promise<PageAnswer | Broken> {
		const query = { ...this.query, [this.parameter]: 1, page_limit: size };
		return await this.source.pace.inTurn(async () => await this.source.ask(query, { isFirst: true }));
	}

	/**
	 * Whether the number of a page makes no difference: two pages tell that are smaller than the first one, of so many rows.
	 * Where the service gives no smaller pages, or too few rows to be sure, nobody can tell.
	 */
	async ignoreNumbers(rows: number): Promise<boolean> {
		const size = Math.ceil(rows / 2);
		if (!this.hasFirstAgain || this.hasEndElsewhere || this.hasOther || size < FEWEST_TELLING_ROWS) return false;
		// The number may count under the other name, which only pages smaller than the list can show.
		this.comparisons = 0;
		const [first, second] = [await this.askFor(1, size), await this.askFor(2, size)];
		if (!hasClients(first) || !hasClients(second)) return false;
		return first.page.clients.length < rows && areIdentical(first.page, second.page);
	}

	/** The number seems to make no difference. */
	private isInDoubt(number: number, size: number, page: Page): boolean {
		const { other } = this;
		if (!other) return this.isFirstPage(page);
		// Past the end, all pages are alike.
		const isPastEnd = page.clients.length === 0;
		return !isPastEnd && other.size === size && other.number !== number && areAlike(other.page, page);
	}

	/** The other name counts if it gives a page that is neither this one nor the first, as they are now. */
	private async compareNames(number: number, size: number, page: Page, stop?: AbortSignal) {
		if (this.comparisons === MOST_COMPARISONS) return undefined;
		this.comparisons += 1;
		const other = this.parameter === 'page_no' ? 'page' : 'page_no';
		let second = await this.send(other, number, size, stop);
		// A page past the end is empty each time; one of a backend that fails now and then is not.
		if (!hasClients(second)) second = await this.send(other, number, size, stop);
		this.hasEndElsewhere ||= second.kind === 'refused';
		if (second.kind !== 'page' || areAlike(second.page, page)) return undefined;
		// Clients may have come to the list since, so that other rows alone tell nothing.
		const first = await this.send(other, 1, size, stop);
		const isFirstGone = !hasClients(first) && this.first?.page.clients.length;
		if (first.kind !== 'page' || isFirstGone) return undefined;
		if (areAlike(first.page, second.page)) {
			this.other = { number, size, page };
			return undefined;
		}
		this.parameter = other;
		return { number, answer: second };
	}

	/** Until any first page came, a refusal may be for the name of the parameter. */
	private async learnFrom(first: PageAnswer, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		let answer = first;
		if (isRefusedName(first) && this.first === undefined) {
			const second = await this.send('page', 1, size, stop);
			// A page that is too large says nothing about its name.
			if (second.kind !== 'tooLarge' && !isRefusedName(second)) {
				this.parameter = 'page';
				answer = second;
			}
		}
		if (answer.kind === 'page' && answer.page.clients.length >= (this.first?.page.clients.length ?? 0)) {
			this.first = { page: answer.page };
		}
		return answer;
	}

	/** Not before another page is compared with them: most lists fit one page. */
	private get firstPlaces(): Map<string, number> | undefined {
		const { first } = this;
		if (first) first.places ??= new Map(first.page.clients.map((client, place) => [clientKey(client), place]));
		return first?.places;
	}

	private async send(parameter: string, number: number, size: number, stop?: AbortSignal): Promise<PageAnswer> {
		const query = { ...this.query, [parameter]: number, page_limit: size };
		const { ask, pace } = this.source;
		return await pace.inTurn(async () => {
			const note = pace.start();
			const isFirst = number === 1;
			const answer = await ask(query, { isHasty: size > PATIENT_SIZE, isFirst, stop });
			if (answer.kind === 'page') note(answer.page.clients.length, answer);
			if (answer.kind !== 'broken') return answer;
			if (isFirst && size > SMALL_SIZE && (await this.isThere(query, stop))) return { ...answer, kind: 'tooLarge' };
			throw answer.error;
		});
	}

	/** Whether the service is there, and breaks over larger pages: also that there is no such list is an answer. */
	private async isThere(query: IDataObject, stop?: AbortSignal): Promise<boolean> {
		const asked = this.source.ask({ ...query, page_limit: SMALL_SIZE }, { isProbe: true, stop });
		return await asked.then(
			({ kind }) => kind !== 'broken',
			() => false,
		);
	}

	/** A page came that is not the first one. A smaller page may have an order of its own, unless it is a piece of the first. */
	private get hasOther(): boolean {
		const { other } = this;
		if (!other) return false;
		const firstPlaces = this.firstPlaces as Map<string, number>;
		const { clients } = other.page;
		const start = (other.number - 1) * other.size;
		const inPlace = clients.filter((client, index) => firstPlaces.get(clientKey(client)) === start + index).length;
		return other.size >= firstPlaces.size || areMost(inPlace, clients.length, firstPlaces.size);
	}

	/** Rows decide, where any are known; a page number is no more than a hint. Some may have come or gone since. */
	private isFirstPage({ clients, pageNumber }: Page): boolean {
		const { firstPlaces } = this;
		if (!firstPlaces) return pageNumber === 1;
		// A smaller first page holds the first of them only.
		const isFirst = (client: Client) => Number(firstPlaces.get(clientKey(client))) < clients.length;
		return areMost(clients.filter(isFirst).length, clients.length, firstPlaces.size);
	}
}

function hasClients(answer: PageAnswer): answer is Extract<PageAnswer, { kind: 'page' }> {
	return answer.kind === 'page' && answer.page.clients.length > 0;
}

function isRefusedName(answer: PageAnswer): boolean {
	return answer.kind === 'refused' && REFUSED_NAME.includes(answer.status);
}
