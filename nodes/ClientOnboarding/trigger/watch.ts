import type { IPollFunctions } from 'n8n-workflow';
import { matcherFor } from '../list/filters';
import type { Given } from '../parameters/given';
import { givenToTrigger } from '../parameters/given';
import type { Input } from '../parameters/input';
import { parseInput } from '../parameters/input';
import { parseChoice, parseChoices, parseNumber, partsOf, settingOf, wantedBy } from '../parameters/parsing';
import { REQUEST_STATUSES } from '../service/client';
import type { Watch } from './changes';
import type { EventName } from './events';
import { EVENTS } from './events';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Parameters {
	watch: Omit<Watch, 'service'>;
	input: Input;
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
	};
}

/** None for every status. */
function parseStatusBecomes(given: Given): string[] {
	const wanted = wantedBy(given, 'Status Becomes', { split: partsOf, isChoice: true, all: 'every status' });
	return parseChoices(wanted, 'Status Becomes', REQUEST_STATUSES);
}
