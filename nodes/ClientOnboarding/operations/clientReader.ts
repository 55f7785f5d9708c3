import type { IExecuteFunctions } from 'n8n-workflow';
import { readClients } from '../list/clients';
import { countByTotals } from '../list/counting';
import { NearMisses } from '../list/nearMisses';
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

	/** Up to `limit` clients that match the filters of the node and these. `onSeen` gets all that were read on the way. */
	async read(limit: number, filters: Partial<Filters> = {}, onSeen?: (client: Client) => void): Promise<Client[]> {
		const nearMisses = this.nearMisses({ ...this.input.filters, ...filters }, Object.keys(filters).length === 0);
		return await this.readFrom(await this.open(), limit, nearMisses, onSeen);
	}

	async count(): Promise<Tally> {
		const { filters, paging } = this.input;
		const ask = await this.open();
		const tally = await countByTotals(ask, filters, paging.parallelRequests);
		return tally ?? tallyClients(await this.readFrom(ask, Infinity, this.nearMisses(filters, true)));
	}

	private nearMisses(filters: Filters, hasTextMatch: boolean): NearMisses {
		return new NearMisses(filters, hasTextMatch, this.input.rangeFields);
	}

	private async open(): Promise<AskForPage> {
		return await openService(this.context, { itemIndex: this.itemIndex, timeoutMs: this.input.timeoutMs });
	}

	private async readFrom(
		ask: AskForPage,
		limit: number,
		nearMisses: NearMisses,
		onSeen?: (client: Client) => void,
	): Promise<Client[]> {
		const { clients, doubt } = await readClients(ask, nearMisses.filters, {
			...this.input.paging,
			limit,
			onSeen: (client) => {
				nearMisses.note(client);
				onSeen?.(client);
			},
		});
		if (doubt) this.hint(doubt.words, 'warning');
		// Where some may be missing, nobody knows what the filters would match.
		const advice = clients.length === 0 && !doubt ? nearMisses.advise() : undefined;
		if (advice) this.hint(advice, 'info');
		return clients;
	}

	private hint(message: string, type: 'info' | 'warning'): void {
		this.context.addExecutionHints({ message, type, location: 'outputPane' });
	}
}
