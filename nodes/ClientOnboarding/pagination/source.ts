import type { ApiClient } from '../api/apiClient';
import { openClient } from '../api/apiClient';
import type { ConnectionOptions } from '../api/connection';
import type { NodeContext } from '../api/http';
import type { PageNumberParam } from './pageNumberParam';
import { LARGEST_PAGE_SIZE } from './pageSize';

/** The service may be updated: what was learned is tried again after this time. */
const LEARNED_FOR_MS = 60 * 60 * 1000;

/** What an address has shown about its pages. */
interface Learned {
	param: PageNumberParam;
	largestPage: number;
	sinceMs: number;
}

/** Kept in the process for later runs, by address. */
const learnedByAddress = new Map<string, Learned>();

/** Where pages come from. All reads of a run share it. */
export interface Source {
	readonly client: ApiClient;
	readonly learned: Learned;
	/** A page was returned in this run, so a refusal is not about the parameter name. */
	hasReturnedPage: boolean;
}

export async function openSource(context: NodeContext, options: ConnectionOptions): Promise<Source> {
	const client = await openClient(context, options);
	const known = learnedByAddress.get(client.addressId);
	const isRecent = known !== undefined && Date.now() - known.sinceMs < LEARNED_FOR_MS;
	const learned: Learned = isRecent ? known : { param: 'page_no', largestPage: LARGEST_PAGE_SIZE, sinceMs: Date.now() };
	learnedByAddress.set(client.addressId, learned);
	return { client, learned, hasReturnedPage: false };
}
