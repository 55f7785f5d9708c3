import { asRecord } from '../api/record';
import { filtersField } from './properties';
import { ParameterValue } from './value';

/** The labels of filters that were added and left empty: they let all clients through. */
export function emptyFilters(saved: unknown): string[] {
	const isLeftEmpty = (value: unknown) => {
		// A resource locator.
		const chosen = asRecord(value) ? asRecord(value)?.value : value;
		const parameter = new ParameterValue(chosen, chosen);
		return parameter.isFixed && parameter.isEmpty;
	};
	const filters = asRecord(saved) ?? {};
	const options = filtersField.options as Array<{ name: string; displayName: string }>;
	return options.flatMap(({ name, displayName }) =>
		name in filters && isLeftEmpty(filters[name]) ? `"${displayName}"` : [],
	);
}
