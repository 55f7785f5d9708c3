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
import { parseChoice, parseNumber } from './input';

/** What operations read with: the parameters they share, and the service behind them. */
export class ClientReader {
	readonly options: IDataObject;

	readonly filters: Filters;

	private readonly timeoutMs: number;

	private readonly pageSize?: number;

	private readonly parallelRequests: number;

	/** Throws where a parameter cannot be meant; nothing has been asked of the service then. */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly itemIndex: number,
	) {
		this.options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
		const { pageSize, parallelRequests = 5, textMatch = 'whole', timeout = 30 } = this.options;
		this.pageSize = pageSize === undefined ? undefined : parseNumber(pageSize, 'Page Size', { min: 1 });
		this.parallelRequests = parseNumber(parallelRequests, 'Parallel Requests', { min: 1, max: 20 });
		this.timeoutMs = 1000 * parseNumber(timeout, 'Timeout', { min: 1, max: 300, isWhole: false });
		this.filters = parseFilters(
			context.getNodeParameter('filters', itemIndex, {}) as IDataObject,
			parseChoice(textMatch, 'Text Filters Match', ['whole', 'part']),
			context.getTimezone(),
		);
	}

	/** Up to `limit` clients that match the filters of the node and these. */
	async read(limit: number, filters: Partial<Filters> = {}): Promise<Client[]> {
		return await this.readFrom(await this.open(), limit, { ...this.filters, ...filters });
	}

	async count(): Promise<Tally> {
		const ask = await this.open();
		const tally = await countByTotals(ask, this.filters, this.parallelRequests);
		return tally ?? tallyClients(await this.readFrom(ask, Infinity, this.filters));
	}

	private async open(): Promise<AskForPage> {
		return await openService(this.context, { itemIndex: this.itemIndex, timeoutMs: this.timeoutMs });
	}

	private async readFrom(ask: AskForPage, limit: number, filters: Filters): Promise<Client[]> {
		const { pageSize, parallelRequests } = this;
		const { clients, doubt } = await readClients(ask, filters, { limit, pageSize, parallelRequests });
		if (doubt) this.context.addExecutionHints({ message: doubt, type: 'warning', location: 'outputPane' });
		return clients;
	}
}
