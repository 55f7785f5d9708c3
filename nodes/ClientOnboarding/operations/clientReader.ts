import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../service/client';
import { countByTotals } from '../service/counting';
import type { Filters } from '../service/filters';
import { parseFilters } from '../service/filters';
import { readClients } from '../service/reading';
import type { AskForPage } from '../service/request';
import { openService } from '../service/request';
import type { Tally } from '../service/tally';
import { tallyClients } from '../service/tally';
import type { ReadingOptions } from './input';
import { parseReadingOptions } from './input';

/** What operations read with: the parameters they share, and the service behind them. */
export class ClientReader {
	readonly options: IDataObject;

	readonly filters: Filters;

	private readonly reading: ReadingOptions;

	/** Throws where a parameter cannot be meant; nothing has been asked of the service then. */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemIndex: number,
	) {
		this.options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
		this.reading = parseReadingOptions(this.options);
		this.filters = parseFilters(
			context.getNodeParameter('filters', itemIndex, {}) as IDataObject,
			this.reading.textMatch,
			context.getTimezone(),
		);
	}

	/** Up to `limit` clients that match the filters of the node and these. */
	async read(limit: number, filters: Partial<Filters> = {}): Promise<Client[]> {
		return await this.readFrom(await this.open(), limit, { ...this.filters, ...filters });
	}

	async count(): Promise<Tally> {
		const ask = await this.open();
		const tally = await countByTotals(ask, this.filters, this.reading.parallelRequests);
		return tally ?? tallyClients(await this.readFrom(ask, Infinity, this.filters));
	}

	private async open(): Promise<AskForPage> {
		return await openService(this.context, { itemIndex: this.itemIndex, timeoutMs: this.reading.timeoutMs });
	}

	private async readFrom(ask: AskForPage, limit: number, filters: Filters): Promise<Client[]> {
		const { pageSize, parallelRequests } = this.reading;
		const { clients, doubt } = await readClients(ask, filters, { limit, pageSize, parallelRequests });
		if (doubt) this.context.addExecutionHints({ message: doubt, type: 'warning', location: 'outputPane' });
		return clients;
	}
}
