import type { IPollFunctions } from 'n8n-workflow';
import { matcherFor, mayMatchLater } from '../list/filters';
import type { Given } from '../parameters/given';
import { givenToTrigger } from '../parameters/given';
import type { Input } from '../parameters/input';
import { parseInput } from '../parameters/input';
import { parseChoice, parseChoices, parseNumber, partsOf, settingOf, wantedBy } from '../parameters/parsing';
import type { Client } from '../service/client';
import { REQUEST_STATUSES } from '../service/client';
import type { EventName } from './events';
import { EVENTS } from './events';
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
	/** Whether clients that are there at the very first look count as new. */
	includesExisting: boolean;
}

export interface Parameters {
	watch: Omit<Watch, 'place' | 'account'>;
	input: Input;
	quietChanges: QuietChanges;
}

/** Throws an error that names the field where a value cannot be meant. */
export function parseParameters(context: IPollFunctions): Parameters {
	const given = givenToTrigger(context);
	const chosen = parseChoices(settingOf(given('triggerOn'), 'Trigger On'), 'Trigger On', EVENTS);
	if (chosen.length === 0) throw new Error('"Trigger On" is empty. Choose at least one event');
	const isChosen = (event: EventName) => chosen.includes(event);

	const stalledStatuses = isChosen('clientStalled')
		? parseChoices(settingOf(given('stalledStatuses'), 'Stalled Statuses'), 'Stalled Statuses', REQUEST_STATUSES)
		: [];
	if (isChosen('clientStalled') && stalledStatuses.length === 0)
		throw new Error('"Stalled Statuses" is empty. Choose at least one status');
	const days = isChosen('clientStalled')
		? parseNumber(settingOf(given('stalledAfterDays'), 'Stalled After (Days)'), 'Stalled After (Days)', {
				min: 0,
				isWhole: false,
			})
		: 0;
	const input = parseInput(given('filters'), given('options'), context.getTimezone());
	return {
		watch: {
			events: EVENTS.filter(isChosen),
			matches: matcherFor(input.filters),
			mayMatchLater: mayMatchLater(input.filters),
			statusBecomes: isChosen('requestStatusChanged') ? parseStatusBecomes(given('statusBecomes')) : [],
			stalledStatuses,
			stalledAfterMs: days * DAY_MS,
			includesExisting:
				parseChoice(settingOf(given('firstActivation'), 'First Activation'), 'First Activation', [
					'fromNow',
					'allExisting',
				]) === 'allExisting',
		},
		input,
		quietChanges: parseChoice(
			settingOf(given('options').at('quietChanges'), 'Store Quiet Changes', 'automatic'),
			'Store Quiet Changes',
			QUIET_CHANGES,
		),
	};
}

/** None for every status. */
function parseStatusBecomes(given: Given): string[] {
	const wanted = wantedBy(given, 'Status Becomes', { split: partsOf, isChoice: true, all: 'every status' });
	return parseChoices(wanted, 'Status Becomes', REQUEST_STATUSES);
}
