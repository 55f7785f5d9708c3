import { asRecord } from '../api/record';
import { filtersField } from './fields';
import { Given } from './given';

/** What the filters are called that somebody has added and left empty: they let everybody through. */
export function emptyFilters(saved: unknown): string[] {
	const isLeftEmpty = (value: unknown) => {
		// A choice from a list is saved with the way it was made.
		const chosen = asRecord(value) ? asRecord(value)?.value : value;
		const given = new Given(chosen, chosen);
		return given.isFixed && given.isEmpty;
	};
	const filters = asRecord(saved) ?? {};
	const options = filtersField.options as Array<{ name: string; displayName: string }>;
	return options.flatMap(({ name, displayName }) =>
		name in filters && isLeftEmpty(filters[name]) ? `"${displayName}"` : [],
	);
}
