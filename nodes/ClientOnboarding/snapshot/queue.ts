import type { PageAnswer } from '../service/retrying';
import { pause } from '../service/waiting';
import type { Pace } from './pace';

/** Asks for pages ahead, as many at once as the pace allows, and hands the answers over in order. */
export class PageQueue {
	private readonly answers: Array<Promise<PageAnswer>> = [];

	private readonly stopping = new AbortController();

	private underWay = 0;

	private isAsking = false;

	private last = 0;

	/** `asked` is the last page that is not asked for. */
	constructor(
		private readonly ask: (number: number, size: number, stop: AbortSignal) => Promise<PageAnswer>,
		private readonly pace: Pace,
		/** Of the pages that are asked for from now on. */
		public size: number,
		private asked: number,
	) {}

	/** Whether all answers up to the last planned page were handed over. */
	get isDone(): boolean {
		return this.answers.length === 0 && this.asked >= this.last;
	}

	/** Lets it ask for so many pages more than it has asked for. */
	planMore(pages: number): void {
		this.planUpTo(this.asked + pages);
	}

	planUpTo(page: number): void {
		this.last = page;
		void this.askAhead();
	}

	async next(): Promise<PageAnswer> {
		if (this.answers.length === 0) this.askForNext();
		return (await this.answers.shift()) as PageAnswer;
	}

	stop(): void {
		this.last = 0;
		this.stopping.abort();
	}

	private async askAhead(): Promise<void> {
		if (this.isAsking) return;
		this.isAsking = true;
		while (this.asked < this.last && this.underWay < this.pace.parallelRequests) {
			this.askForNext();
			// A request leaves only when Node gets to its connection: many made in one go would all wait for the last one.
			await pause(0, this.stopping.signal);
		}
		this.isAsking = false;
	}

	private askForNext(): void {
		const answer = this.askFor(++this.asked);
		// It is awaited in its turn; until then a rejection must not count as unhandled.
		answer.catch(() => {});
		this.answers.push(answer);
	}

	private async askFor(number: number): Promise<PageAnswer> {
		this.underWay += 1;
		const answer = await this.ask(number, this.size, this.stopping.signal).finally(() => (this.underWay -= 1));
		// After any other answer, nobody knows yet whether there is a next page.
		if (answer.kind === 'page' && answer.page.clients.length > 0) void this.askAhead();
		return answer;
	}
}
