import type { Client } from '../../../sandbox/data/client.mts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What the trigger is told to look for. */
export interface Watch {
	triggerOn: string[];
	statusBecomes: string[];
	clientType?: string;
	requestStatus: string[];
	stalledAfterDays: number;
	stalledStatuses: string[];
}

/** What is known of a client that was ever listed. */
interface Acquaintance {
	client: Client;
	/** When it was seen to come to its status; undefined where it was in it when it was first seen. */
	sinceMs?: number;
	isToldStalled: boolean;
	/** `missing`: not there at the last look, together with many others. */
	presence: 'there' | 'missing' | 'gone';
}

/** What a reader of the whole list knows after a look, written down independently of the product. */
export type Look = Map<string, Acquaintance>;

export interface Expected {
	events: string[];
	look: Look;
	/** Something was learnt that would be missing if it were forgotten. */
	hasLearnt: boolean;
}

const MANY = 10;

/** What has to be told now of a list that was known like this; of an unknown one nothing, unless existing clients count. */
export function expectEvents(
	watch: Watch,
	served: Iterable<Client>,
	known: Look | undefined,
	includesExisting = false,
): Expected {
	const events: string[] = [];
	const look: Look = new Map(known);
	const there = new Set<string>();
	const looksForMore = watch.triggerOn.some((event) => event !== 'clientCreated');
	let hasLearnt = known === undefined;
	const isTold = (event: string) => watch.triggerOn.includes(event) && (known !== undefined || includesExisting);
	for (const client of served) {
		there.add(client.reference_id);
		const before = known?.get(client.reference_id);
		const status = lower(client.request_status);
		const tell = (event: string, previous?: string) => {
			if (isTold(event) && isWanted(client, watch))
				events.push([event, client.reference_id, previous].filter(Boolean).join(' '));
		};
		if (!before) tell('clientCreated');
		const hasMoved = before !== undefined && lower(before.client.request_status) !== status;
		const isWantedChange = watch.statusBecomes.length === 0 || watch.statusBecomes.includes(status);
		if (hasMoved && isWantedChange) tell('requestStatusChanged', before.client.request_status);
		const sinceMs = hasMoved ? Date.now() : before?.sinceMs;
		let isToldStalled = !hasMoved && before?.isToldStalled === true;
		if (!isToldStalled && isStalled(client, sinceMs, watch)) {
			tell('clientStalled');
			isToldStalled = true;
		}
		if (!before) hasLearnt ||= looksForMore || (!isWanted(client, watch) && hasFilters(watch));
		else hasLearnt ||= looksForMore && (hasMoved || isOther(client, before, watch));
		look.set(client.reference_id, { client: { ...client }, sinceMs, isToldStalled, presence: 'there' });
	}
	const absent = [...(known ?? [])].filter(([id, { presence }]) => presence !== 'gone' && !there.has(id));
	const wereThere = [...(known?.values() ?? [])].filter(({ presence }) => presence === 'there').length;
	const left = absent.filter(([, { presence }]) => presence === 'there').length;
	const areTooMany = left > MANY && left * 10 > wereThere;
	for (const [id, acquaintance] of absent) {
		const { client, presence } = acquaintance;
		const isBelieved = presence === 'missing' || !areTooMany;
		look.set(id, { ...acquaintance, presence: isBelieved ? 'gone' : 'missing' });
		if (isBelieved && isTold('clientRemoved') && isWanted(client, watch))
			events.push(`clientRemoved ${client.request_status}`);
	}
	return { events, look, hasLearnt };
}

function hasFilters({ clientType, requestStatus }: Watch): boolean {
	return clientType !== undefined || requestStatus.length > 0;
}

/** Its removal would be told in another way. */
function isOther(client: Client, before: Acquaintance, watch: Watch): boolean {
	const isOtherwiseWanted = isWanted(client, watch) !== isWanted(before.client, watch);
	return watch.triggerOn.includes('clientRemoved') && (isOtherwiseWanted || before.presence !== 'there');
}

function isWanted({ client_type, request_status }: Client, { clientType, requestStatus }: Watch): boolean {
	return (
		(!clientType || client_type === clientType) &&
		(requestStatus.length === 0 || requestStatus.includes(lower(request_status)))
	);
}

function isStalled({ created_at, request_status }: Client, sinceMs: number | undefined, watch: Watch): boolean {
	const { triggerOn, stalledAfterDays, stalledStatuses } = watch;
	if (!triggerOn.includes('clientStalled') || !stalledStatuses.includes(lower(request_status))) return false;
	// The trigger remembers the minute.
	const since = sinceMs === undefined ? Date.parse(created_at) : Math.floor(sinceMs / MINUTE_MS) * MINUTE_MS;
	return since + stalledAfterDays * DAY_MS <= Date.now();
}

const lower = (text: string) => text.toLowerCase();
