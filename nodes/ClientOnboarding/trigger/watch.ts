import type { IPollFunctions } from 'n8n-workflow';
import type { Filters } from '../list/filters';
import { matcherFor, mayMatchLater, misdatedMatcherFor } from '../list/filters';
import type { Given } from '../parameters/given';
import { givenToTrigger } from '../parameters/given';
import type { Input } from '../parameters/input';
import { AGE_FIELDS, parseFields, parseInput } from '../parameters/input';
import {
	parseBoolean,
	parseChoice,
	parseChoices,
	parseNumber,
	partsOf,
	settingOf,
	wantedBy,
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
	input: Input;
	quietChanges: QuietChanges;
}

/** Throws an error that names the field where a value cannot be meant. */
export function parseParameters(context: IPollFunctions): Parameters {
	const given = givenToTrigger(context);
	const options = given('options');
	const events = parseSome(given('triggerOn'), 'Trigger On', EVENTS, 'event');
	const input = parseInput(given('filters'), options, context.getTimezone());
	const watch = {
		events: EVENTS.filter((event) => events.includes(event)),
		matches: lenientMatcherFor(input.filters),
		mayMatchLater: mayMatchLater(input.filters),
		statusBecomes: parseStatusBecomes(given('statusBecomes'), events),
		...parseStalled(given, events),
		watchedFields: events.includes('clientUpdated')
			? parseSome(given('watchedFields'), 'Watched Fields', WATCHED, 'field')
			: [],
		remembersNames: parseBoolean(settingOf(options.at('rememberNames'), REMEMBER_NAMES, false), REMEMBER_NAMES),
		maxEvents: parseNumber(settingOf(options.at('maxEvents'), MAX_EVENTS, DEFAULT_MAX_EVENTS), MAX_EVENTS, { min: 1 }),
		fields: parseFields(options.at('fields')),
		includesExisting:
			parseChoice(settingOf(given('firstActivation'), 'First Activation', 'fromNow'), 'First Activation', [
				'fromNow',
				'allExisting',
			]) === 'allExisting',
	};
	refuseContradictions(watch, input);
	return {
		watch,
		input,
		quietChanges: parseChoice(
			settingOf(options.at('quietChanges'), 'Store Quiet Changes', 'automatic'),
			'Store Quiet Changes',
			QUIET_CHANGES,
		),
	};
}

/** A poll has no way to hint at whom it left out, so that whoever may be meant is told. */
function lenientMatcherFor(filters: Filters): (client: Client) => boolean {
	const isMatch = matcherFor(filters);
	const isMisdatedMatch = misdatedMatcherFor(filters);
	return (client) => isMatch(client) || isMisdatedMatch(client);
}

const REMEMBER_NAMES = 'Remember Names and E-Mails';
const MAX_EVENTS = 'Max Events per Poll';
const WATCHED: string[] = WATCHABLE_FIELDS.map(({ value }) => value);

/** At least one of the choices. */
function parseSome<T extends string>(given: Given, field: string, choices: readonly T[], kind: string): T[] {
	const chosen = parseChoices(settingOf(given, field), field, choices);
	if (chosen.length > 0) return chosen;
	throw new Error(`"${field}" is empty. Choose at least one ${kind}`);
}

/** None for every status, which only changes of status can mean. */
function parseStatusBecomes(given: Given, events: EventName[]): string[] {
	if (events.includes('statusReached')) return parseSome(given, 'Status Becomes', REQUEST_STATUSES, 'status');
	if (!events.includes('requestStatusChanged')) return [];
	const wanted = wantedBy(given, 'Status Becomes', { split: partsOf, isChoice: true, all: 'every status' });
	return parseChoices(wanted, 'Status Becomes', REQUEST_STATUSES);
}

function parseStalled(
	given: (name: string) => Given,
	events: EventName[],
): Pick<Watch, 'stalledStatuses' | 'stalledAfterMs' | 'repeatAfterMs'> {
	if (!events.includes('clientStalled')) return { stalledStatuses: [], stalledAfterMs: 0, repeatAfterMs: 0 };
	const days = (name: string, field: string, otherwise?: number) =>
		parseNumber(settingOf(given(name), field, otherwise), field, { min: 0, isWhole: false });
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
	{ filters: { requestStatuses, createdAfterMs = -Infinity, createdBeforeMs = Infinity }, rangeFields }: Input,
): void {
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
	const isYoung = rangeFields.after === AGE_FIELDS.youngerThan && Date.now() - stalledAfterMs <= createdAfterMs;
	if (events.includes('clientStalled') && isYoung)
		throw new Error(
			`No client can be "Stalled After (Days)" that many and "${rangeFields.after}" as well, so nothing could ever be told. Change one of them`,
		);
	if (createdAfterMs >= createdBeforeMs)
		throw new Error(
			`No client can match both "${rangeFields.after}" and "${rangeFields.before}", so nothing could ever be told. Change or remove one of them`,
		);
}
