import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { matcherFor } from '../list/filters';
import type { Input } from '../parameters/input';
import { parseInput } from '../parameters/input';
import { parseChoice, parseChoices, parseNumber } from '../parameters/parsing';
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
	const get = (name: string) => context.getNodeParameter(name, undefined);
	const chosen = [get('triggerOn')].flat().map((event) => parseChoice(event, 'Trigger On', EVENTS));
	if (chosen.length === 0) throw new Error('"Trigger On" is empty. Choose at least one event');
	const isChosen = (event: EventName) => chosen.includes(event);

	const stalledStatuses = isChosen('clientStalled')
		? parseChoices(get('stalledStatuses'), 'Stalled Statuses', REQUEST_STATUSES)
		: [];
	if (isChosen('clientStalled') && stalledStatuses.length === 0)
		throw new Error('"Stalled Statuses" is empty. Choose at least one status');
	const days = isChosen('clientStalled')
		? parseNumber(get('stalledAfterDays'), 'Stalled After (Days)', { min: 0, isWhole: false })
		: 0;
	const [filters, options] = ['filters', 'options'].map((name) => context.getNodeParameter(name, {}) as IDataObject);
	const input = parseInput(filters, options, context.getTimezone());
	return {
		watch: {
			events: EVENTS.filter(isChosen),
			matches: matcherFor(input.filters),
			statusBecomes: isChosen('requestStatusChanged')
				? parseChoices(get('statusBecomes'), 'Status Becomes', REQUEST_STATUSES)
				: [],
			stalledStatuses,
			stalledAfterMs: days * DAY_MS,
			includesExisting:
				parseChoice(get('firstActivation'), 'First Activation', ['fromNow', 'allExisting']) === 'allExisting',
		},
		input,
	};
}
