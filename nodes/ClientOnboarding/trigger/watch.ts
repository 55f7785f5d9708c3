import type { IPollFunctions } from 'n8n-workflow';
import type { Filters } from '../query/filters';
import { createdRange, matcherFor, mayMatchLater } from '../query/filters';
import type { ParameterValue } from '../parameters/value';
import { triggerParameters } from '../parameters/value';
import type { ReadSettings } from '../parameters/filtersAndOptions';
import { parseFields, parseFilters, parseReadSettings } from '../parameters/filtersAndOptions';
import {
	parseBoolean,
	parseChoice,
	parseChoices,
	parseNumber,
	splitValues,
	valueOrDefault,
	filterValues,
} from '../parameters/parsing';
import type { Client } from '../api/record';
import { REQUEST_STATUSES } from '../api/record';
import type { EventName } from './events';
import { EVENTS, WATCHABLE_FIELDS } from './events';
import { DEFAULT_MAX_EVENTS } from './fields';
import type { QuietChanges } from './state/storing';
import { QUIET_CHANGES } from './state/storing';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the user wants to be told. */
export interface Watch {
	/** The environment and address that is read. */
	place: string;
	/** The same with the API key. */
	account: string;
	events: EventName[];
	matches: (client: Client) => boolean;
	/** A client that does not match the filters may match them later. */
	mayMatchLater: boolean;
	/** In lower case; none means any. */
	statusBecomes: string[];
	stalledStatuses: string[];
	stalledAfterMs: number;
	/** How long after that, and after each reminder, the next one is due; 0 for none. */
	repeatAfterMs: number;
	/** Of which fields changes are told. */
	watchedFields: string[];
	/** Whether names and e-mail addresses are kept for those who leave. */
	remembersNames: boolean;
	/** So many events at most in one poll; the rest comes with the next ones. */
	maxEvents: number;
	/** The fields of clients to give; none for all. */
	fields: string[];
	/** Whether clients that are there at the very first look count as new. */
	includesExisting: boolean;
}

/** Only new clients stand where they can be found without reading the rest. */
export function looksForNewOnly({ events }: Pick<Watch, 'events'>): boolean {
	return events.length === 1 && events[0] === 'clientCreated';
}

export interface Parameters {
	watch: Omit<Watch, 'place' | 'account'>;
	filters: Filters;
	settings: ReadSettings;
	quietChanges: QuietChanges;
}

/** Throws an error that names the field where a value cannot be meant. */
export function parseParameters(context: IPollFunctions): Parameters {
	const given = triggerParameters(context);
	const options = given('options');
	const events = parseSome(given('triggerOn'), 'Trigger On', EVENTS, 'event');
	const filters = parseFilters(given('filters'), options, context.getTimezone());
	const watch = {
		events: EVENTS.filter((event) => events.includes(event)),
		matches: matcherFor(filters),
		mayMatchLater: mayMatchLater(filters),
		statusBecomes: parseStatusBecomes(given('statusBecomes'), events),
		...parseStalled(given, events),
		watchedFields: events.includes('clientUpdated')
			? parseSome(given('watchedFields'), 'Watched Fields', WATCHED, 'field')
			: [],
		remembersNames: parseBoolean(valueOrDefault(options.at('rememberNames'), REMEMBER_NAMES, false), REMEMBER_NAMES),
		maxEvents: parseNumber(valueOrDefault(options.at('maxEvents'), MAX_EVENTS, DEFAULT_MAX_EVENTS), MAX_EVENTS, {
			min: 1,
		}),
		fields: parseFields(options.at('fields')),
		includesExisting:
			parseChoice(valueOrDefault(given('firstActivation'), 'First Activation', 'fromNow'), 'First Activation', [
				'fromNow',
				'allExisting',
			]) === 'allExisting',
	};
	refuseContradictions(watch, filters);
	return {
		watch,
		filters,
		settings: parseReadSettings(options),
		quietChanges: parseChoice(
			valueOrDefault(options.at('quietChanges'), 'Store Quiet Changes', 'automatic'),
			'Store Quiet Changes',
			QUIET_CHANGES,
		),
	};
}

const REMEMBER_NAMES = 'Remember Names and E-Mails';
const MAX_EVENTS = 'Max Events per Poll';
const WATCHED: string[] = WATCHABLE_FIELDS.map(({ value }) => value);

/** At least one of the choices. */
function parseSome<T extends string>(given: ParameterValue, field: string, choices: readonly T[], kind: string): T[] {
	const chosen = parseChoices(valueOrDefault(given, field), field, choices);
	if (chosen.length > 0) return chosen;
	throw new Error(`"${field}" is empty. Choose at least one ${kind}`);
}

/** None for every status, which only changes of status can mean. */
function parseStatusBecomes(given: ParameterValue, events: EventName[]): string[] {
	if (events.includes('statusReached')) return parseSome(given, 'Status Becomes', REQUEST_STATUSES, 'status');
	if (!events.includes('requestStatusChanged')) return [];
	const wanted = filterValues(given, 'Status Becomes', { split: splitValues, isChoice: true, all: 'every status' });
	return parseChoices(wanted, 'Status Becomes', REQUEST_STATUSES);
}

function parseStalled(
	given: (name: string) => ParameterValue,
	events: EventName[],
): Pick<Watch, 'stalledStatuses' | 'stalledAfterMs' | 'repeatAfterMs'> {
	if (!events.includes('clientStalled')) return { stalledStatuses: [], stalledAfterMs: 0, repeatAfterMs: 0 };
	const days = (name: string, field: string, otherwise?: number) =>
		parseNumber(valueOrDefault(given(name), field, otherwise), field, { min: 0, isWhole: false });
	return {
		stalledStatuses: parseSome(given('stalledStatuses'), 'Stalled Statuses', REQUEST_STATUSES, 'status'),
		stalledAfterMs: DAY_MS * days('stalledAfterDays', 'Stalled After (Days)'),
		repeatAfterMs: DAY_MS * days('repeatAfterDays', 'Repeat After (Days)', 0),
	};
}

/** An event that can never happen is a mistake that nobody would notice. */
function refuseContradictions(
	{
		events,
		statusBecomes,
		stalledStatuses,
		stalledAfterMs,
	}: Pick<Watch, 'events' | 'statusBecomes' | 'stalledStatuses' | 'stalledAfterMs'>,
	filters: Filters,
): void {
	const requestStatuses = filters.choices.request_status;
	const exclude = (statuses: string[]) =>
		statuses.length > 0 && requestStatuses.length > 0 && !statuses.some((status) => requestStatuses.includes(status));
	const [field] = [
		exclude(statusBecomes) && 'Status Becomes',
		events.includes('clientStalled') && exclude(stalledStatuses) && 'Stalled Statuses',
	].filter(Boolean);
	if (field)
		throw new Error(
			`"${field}" and the filter "Request Status" have no status in common, so nothing could ever be told. Choose a status in both, or remove the filter`,
		);
	if (events.includes('clientStalled') && (filters.youngerThanMs ?? Infinity) <= stalledAfterMs)
		throw new Error(
			'No client can be "Stalled After (Days)" that many and "Created in the Last (Days)" as well, so no event could ever be emitted. Change one of them',
		);
	const { afterMs, beforeMs } = createdRange(filters, Date.now());
	if (afterMs >= beforeMs)
		throw new Error(
			'The filters on the creation date exclude each other, so no event could ever be emitted. Change or remove one of them',
		);
}
