import type { Client } from '../../../sandbox/data/client.mts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the trigger is told to look for. */
export interface Watch {
	triggerOn: string[];
	statusBecomes: string[];
	clientType?: string;
	requestStatus: string[];
	stalledAfterDays: number;
	stalledStatuses: string[];
}

/** What a reader of the whole list knows after a look, written down independently of the product. */
export type Look = Map<string, { client: Client; toldStalled: string[] }>;

export interface Expected {
	events: string[];
	look: Look;
}

/** What has to be told now of a list that was known like this; of an unknown one nothing, unless existing clients count. */
export function expectEvents(
	watch: Watch,
	served: Iterable<Client>,
	known: Look | undefined,
	includesExisting = false,
): Expected {
	const events: string[] = [];
	const look: Look = new Map();
	const isTold = (event: string) => watch.triggerOn.includes(event) && (known !== undefined || includesExisting);
	for (const client of served) {
		const before = known?.get(client.reference_id);
		const toldStalled = [...(before?.toldStalled ?? [])];
		const status = lower(client.request_status);
		const tell = (event: string, previous?: string) => {
			if (isTold(event) && isWanted(client, watch))
				events.push([event, client.reference_id, previous].filter(Boolean).join(' '));
		};
		if (!before) tell('clientCreated');
		const isWantedChange = watch.statusBecomes.length === 0 || watch.statusBecomes.includes(status);
		if (before && before.client.request_status !== client.request_status && isWantedChange) {
			tell('requestStatusChanged', before.client.request_status);
		}
		if (watch.triggerOn.includes('clientStalled') && isStalled(client, watch) && !toldStalled.includes(status)) {
			tell('clientStalled');
			toldStalled.push(status);
		}
		look.set(client.reference_id, { client: { ...client }, toldStalled });
	}
	for (const [id, { client }] of known ?? []) {
		if (!look.has(id) && isTold('clientRemoved') && isWanted(client, watch))
			events.push(`clientRemoved ${client.request_status}`);
	}
	return { events, look };
}

function isWanted({ client_type, request_status }: Client, { clientType, requestStatus }: Watch): boolean {
	return (
		(!clientType || client_type === clientType) &&
		(requestStatus.length === 0 || requestStatus.includes(lower(request_status)))
	);
}

function isStalled({ created_at, request_status }: Client, { stalledAfterDays, stalledStatuses }: Watch): boolean {
	return (
		stalledStatuses.includes(lower(request_status)) && Date.parse(created_at) + stalledAfterDays * DAY_MS <= Date.now()
	);
}

const lower = (text: string) => text.toLowerCase();
