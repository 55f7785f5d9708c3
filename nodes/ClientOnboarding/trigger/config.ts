import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
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
import { DEFAULT_MAX_EVENTS } from './properties';

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a change without an event is saved. */
const QUIET_CHANGES = ['automatic', 'always', 'never'] as const;

export type QuietChanges = (typeof QUIET_CHANGES)[number];

/** What the user has chosen. */
export interface TriggerConfig {
	events: EventName[];
	matches: (client: Client) => boolean;
	/** A client that does not match the filters may match them later. */
	mayMatchLater: boolean;
	/** In lower case; none means any. */
	statusBecomes: string[];
	/** None if Client Stalled is not chosen. */
	stalledStatuses: string[];
	stalledAfterMs: number;
	/** 0: it is emitted once. */
	repeatAfterMs: number;
	/** None if Client Updated is not chosen. */
	watchedFields: string[];
	/** The fields that Client Removed has of the client. */
	identityFields: string[];
	/** The fields whose values are saved, for Client Removed and for previous values. */
	savedFields: string[];
	includePrevious: boolean;
	/** The other events are emitted by the next polls. */
	maxEvents: number;
	/** The fields of clients to output; none for all. */
	fields: string[];
	firstActivation: 'fromNow' | 'allExisting';
}

export interface TriggerParameters {
	config: TriggerConfig;
	filters: Filters;
	settings: ReadSettings;
	quietChanges: QuietChanges;
}

/** Only the user can change parameters, so n8n shows at activation what is wrong with them. */
export function readParameters(context: IPollFunctions, hasState = false): TriggerParameters {
	try {
		return parseParameters(context);
	} catch (error) {
		// n8n pauses a trigger for half an hour if its configuration counts as invalid.
		const failure = hasState ? undefined : { cause: 'configuration-invalid' as const };
		throw new NodeOperationError(context.getNode(), error as Error, { failure });
	}
}

/** Throws an error that names the field if a value is not usable. */
function parseParameters(context: IPollFunctions): TriggerParameters {
	const given = triggerParameters(context);
	const options = given('options');
	const chosen = parseSome(given('triggerOn'), 'Trigger On', EVENTS, 'event');
	const events = EVENTS.filter((event) => chosen.includes(event));
	const filters = parseFilters(given('filters'), options, context.getTimezone());
	const includePrevious = parseOption(options.at('includePrevious'), INCLUDE_PREVIOUS);
	const watchedFields = events.includes('clientUpdated')
		? parseSome(given('watchedFields'), 'Watched Fields', WATCHED, 'field')
		: [];
	const identityFields = parseIdentityFields(options.at('rememberNames'), events);
	const config: TriggerConfig = {
		events,
		matches: matcherFor(filters),
		mayMatchLater: mayMatchLater(filters),
		statusBecomes: parseStatusBecomes(given('statusBecomes'), events),
		...parseStalled(given, events),
		watchedFields,
		identityFields,
		savedFields: [...new Set([...identityFields, ...(includePrevious ? watchedFields : [])])],
		includePrevious,
		maxEvents: parseNumber(valueOrDefault(options.at('maxEvents'), MAX_EVENTS, DEFAULT_MAX_EVENTS), MAX_EVENTS, {
			min: 1,
		}),
		fields: parseFields(options.at('fields')),
		firstActivation: parseChoice(
			valueOrDefault(given('firstActivation'), 'Existing Clients', 'fromNow'),
			'Existing Clients',
			['fromNow', 'allExisting'],
		),
	};
	refuseContradictions(config, filters);
	return {
		config,
		filters,
		settings: parseReadSettings(options),
		quietChanges: parseChoice(
			valueOrDefault(options.at('quietChanges'), QUIET_CHANGES_LABEL, 'automatic'),
			QUIET_CHANGES_LABEL,
			QUIET_CHANGES,
		),
	};
}

const QUIET_CHANGES_LABEL = 'Save State Without Events';
const REMEMBER_NAMES = 'Include Name and Email When Removed';
const INCLUDE_PREVIOUS = 'Include Previous Values';
const MAX_EVENTS = 'Max Events per Poll';
const WATCHED: string[] = WATCHABLE_FIELDS.map(({ value }) => value);

function parseOption(given: ParameterValue, label: string): boolean {
	return parseBoolean(valueOrDefault(given, label, false), label);
}

function parseIdentityFields(rememberNames: ParameterValue, events: EventName[]): string[] {
	if (!events.includes('clientRemoved')) return [];
	return parseOption(rememberNames, REMEMBER_NAMES) ? ['reference_id', 'client_name', 'email'] : ['reference_id'];
}

/** At least one of the choices. */
function parseSome<T extends string>(given: ParameterValue, field: string, choices: readonly T[], kind: string): T[] {
	const chosen = parseChoices(valueOrDefault(given, field), field, choices);
	if (chosen.length > 0) return chosen;
	throw new Error(`"${field}" is empty. Choose at least one ${kind}`);
}

/** None for every status, which is possible for Request Status Changed only. */
function parseStatusBecomes(given: ParameterValue, events: EventName[]): string[] {
	if (events.includes('statusReached')) return parseSome(given, 'New Status', REQUEST_STATUSES, 'status');
	if (!events.includes('requestStatusChanged')) return [];
	const wanted = filterValues(given, 'New Status', { split: splitValues, isChoice: true, all: 'every status' });
	return parseChoices(wanted, 'New Status', REQUEST_STATUSES);
}

function parseStalled(
	given: (name: string) => ParameterValue,
	events: EventName[],
): Pick<TriggerConfig, 'stalledStatuses' | 'stalledAfterMs' | 'repeatAfterMs'> {
	if (!events.includes('clientStalled')) return { stalledStatuses: [], stalledAfterMs: 0, repeatAfterMs: 0 };
	const days = (name: string, field: string, otherwise?: number) =>
		parseNumber(valueOrDefault(given(name), field, otherwise), field, { min: 0, isWhole: false });
	return {
		stalledStatuses: parseSome(given('stalledStatuses'), 'Stalled Statuses', REQUEST_STATUSES, 'status'),
		stalledAfterMs: DAY_MS * days('stalledAfterDays', 'Stalled After (Days)'),
		repeatAfterMs: DAY_MS * days('repeatAfterDays', 'Remind Every (Days)', 0),
	};
}

/** A trigger that can never emit would go unnoticed. */
function refuseContradictions(
	{ events, statusBecomes, stalledStatuses, stalledAfterMs }: TriggerConfig,
	filters: Filters,
): void {
	const requestStatuses = filters.choices.request_status;
	const exclude = (statuses: string[]) =>
		statuses.length > 0 && requestStatuses.length > 0 && !statuses.some((status) => requestStatuses.includes(status));
	const [field] = [
		exclude(statusBecomes) && 'New Status',
		events.includes('clientStalled') && exclude(stalledStatuses) && 'Stalled Statuses',
	].filter(Boolean);
	if (field)
		throw new Error(
			`"${field}" and the filter "Request Status" have no status in common, so no client can trigger that event. Choose at least one status that is in both, or remove the filter`,
		);
	if (events.includes('clientStalled') && (filters.youngerThanMs ?? Infinity) <= stalledAfterMs)
		throw new Error(
			'"Created Within (Days)" must be more than "Stalled After (Days)". Otherwise no client can trigger Client Stalled',
		);
	const { afterMs, beforeMs } = createdRange(filters, Date.now());
	if (afterMs >= beforeMs)
		throw new Error(
			'No creation date can match all date filters now, so the trigger would emit nothing. Change or remove one of them',
		);
}
