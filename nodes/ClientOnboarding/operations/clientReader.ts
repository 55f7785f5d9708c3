import type { IExecuteFunctions } from 'n8n-workflow';
import { readClients } from '../list/clients';
import { countByTotals } from '../list/counting';
import type { Filters } from '../list/filters';
import type { Tally } from '../list/tally';
import { tallyClients } from '../list/tally';
import type { Given } from '../parameters/given';
import { givenTo } from '../parameters/given';
import type { Input } from '../parameters/input';
import { parseInput } from '../parameters/input';
import type { Client } from '../service/client';
import type { AskForPage } from '../service/connection';
import { openService } from '../service/connection';

/** What operations read with: the parameters they share, and the service behind them. */
export class ClientReader {
	readonly options: Given;

	private readonly input: Input;

	/** Throws where a parameter cannot be meant; nothing has been asked of the service then. */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemIndex: number,
	) {
		const given = givenTo(context, itemIndex);
		this.options = given('options');
		this.input = parseInput(given('filters'), this.options, context.getTimezone());
	}

	/** Up to `limit` clients that match the filters of the node and these. */
	async read(limit: number, filters: Partial<Filters> = {}): Promise<Client[]> {
		return await this.readFrom(await this.open(), limit, { ...this.input.filters, ...filters });
	}

	async count(): Promise<Tally> {
		const { filters, paging } = this.input;
		const ask = await this.open();
		const tally = await countByTotals(ask, filters, paging.parallelRequests);
		return tally ?? tallyClients(await this.readFrom(ask, Infinity, filters));
	}

	private async open(): Promise<AskForPage> {
		return await openService(this.context, { itemIndex: this.itemIndex, timeoutMs: this.input.timeoutMs });
	}

	private async readFrom(ask: AskForPage, limit: number, filters: Filters): Promise<Client[]> {
		const { clients, doubt } = await readClients(ask, filters, { ...this.input.paging, limit });
		if (doubt) this.context.addExecutionHints({ message: doubt.words, type: 'warning', location: 'outputPane' });
		return clients;
	}
}
