import type { EventName } from '../events';
import type { Order } from '../newestFirst';
import type { TrackedClient } from '../trackedClient';
import { rearrangeFieldHashes } from '../trackedClient';

/** What a trigger saves from one poll to the next. */
export interface State {
	/** n8n files state under the name of a node, so a new node may find that of another one. */
	nodeId: string;
	/** The environment and address that was read. */
	place: string;
	/** The same with the API key. */
	account: string;
	/** When the first poll was. */
	baselineMs: number;
	/** The events that were chosen. */
	events: EventName[];
	/** The fields whose hashes are saved, in their order. */
	watchedFields: string[];
	/** All clients ever listed, by ID hash. */
	clients: ReadonlyMap<string, TrackedClient>;
	/** How many clients were listed in which order, if the newest ones can be read alone. */
	newest?: { order: Order; count: number; wholeReadMs: number };
	/** When an execution without items last saved a change. */
	quietSaveMs?: number;
	/** A change was found that n8n has not saved yet. */
	hasUnsavedChange?: boolean;
}

/** The state with hashes of these fields. */
export function watchFields(state: State, watchedFields: string[]): State {
	const before = state.watchedFields;
	if (before.join() === watchedFields.join()) return state;
	const clients = [...state.clients].map(([id, tracked]): [string, TrackedClient] => [
		id,
		{ ...tracked, fieldHashes: rearrangeFieldHashes(tracked.fieldHashes, before, watchedFields) },
	]);
	return { ...state, watchedFields, clients: new Map(clients) };
}
