import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { Watch } from '../changes';
import type { ReadingOptions } from '../operations/input';
import { parseChoice, parseNumber, parseReadingOptions } from '../operations/input';
import { REQUEST_STATUSES } from '../service/client';
import type { Filters } from '../service/filters';
import { matcherFor, parseChoices, parseFilters } from '../service/filters';
import { EVENTS } from './state';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Parameters {
	watch: Omit<Watch, 'service'>;
	filters: Filters;
	reading: ReadingOptions;
}

/** Throws an error that names the field where a value cannot be meant. */
export function parseParameters(context: IPollFunctions): Parameters {
	const get = (name: string) => context.getNodeParameter(name, undefined);
	const chosen = [get('triggerOn')].flat().map((event) => parseChoice(event, 'Trigger On', EVENTS));
	if (chosen.length === 0) throw new Error('"Trigger On" is empty. Choose at least one event');
	const isChosen = (event: (typeof EVENTS)[number]) => chosen.includes(event);

	const stalledStatuses = isChosen('clientStalled')
		? parseChoices(get('stalledStatuses'), 'Stalled Statuses', REQUEST_STATUSES)
		: [];
	if (isChosen('clientStalled') && stalledStatuses.length === 0)
		throw new Error('"Stalled Statuses" is empty. Choose at least one status');
	const days = isChosen('clientStalled')
		? parseNumber(get('stalledAfterDays'), 'Stalled After (Days)', { min: 0, isWhole: false })
		: 0;
	const reading = parseReadingOptions(context.getNodeParameter('options', {}) as IDataObject);
	const filters = parseFilters(
		context.getNodeParameter('filters', {}) as IDataObject,
		reading.textMatch,
		context.getTimezone(),
	);
	return {
		watch: {
			events: EVENTS.filter(isChosen),
			matches: matcherFor(filters),
			statusBecomes: isChosen('requestStatusChanged')
				? parseChoices(get('statusBecomes'), 'Status Becomes', REQUEST_STATUSES)
				: [],
			stalledStatuses,
			stalledAfterMs: days * DAY_MS,
			includesExisting:
				parseChoice(get('firstActivation'), 'First Activation', ['fromNow', 'allExisting']) === 'allExisting',
		},
		filters,
		reading,
	};
}
