import { $, capitalize, fillChoice, readChoice, saveChoice } from './page.mjs';
import { addressOf, call, readProblem, shared } from './sandbox.mjs';

const TYPING_MS = 150;
const FILTERS = ['filter-status', 'filter-type', 'filter-group'];
const SORTS = {
	newest: 'Newest first',
	oldest: 'Oldest first',
	changed: 'Last changed first',
	name: 'Sorted by name',
	status: 'Sorted by status',
};

/** Called when a filter or the order changes. */
let whenChanged = () => {};

/** The groups in the filter, one on a line. */
let listed = '';

export function readQuery() {
	return {
		search: $('search').value.trim(),
		request_status: $('filter-status').value,
		client_type: $('filter-type').value,
		group_name: $('filter-group').value,
		sort: $('sort').value,
	};
}

export function setFilters(values) {
	for (const [id, value] of Object.entries(values)) $(id).value = value;
	$('clear-filters').hidden = !isFiltered();
	whenChanged();
}

export const clearFilters = () => setFilters({ search: '', ...Object.fromEntries(FILTERS.map((id) => [id, ''])) });
export const isFiltered = () => [...FILTERS, 'search'].some((id) => $(id).value !== '');

export async function loadGroups() {
	const groups = await call('GET', addressOf('/groups')).catch(readProblem);
	// A replaced list would close while it is open.
	if (!Array.isArray(groups) || listed === groups.join('\n')) return;
	listed = groups.join('\n');
	const chosen = $('filter-group').value;
	const choices = groups.map((group) => [group, group]);
	fillChoice('filter-group', choices, 'All groups');
	if (groups.includes(chosen)) $('filter-group').value = chosen;
	else if (chosen !== '') setFilters({ 'filter-group': '' });
}

export function connectFilters(onChange) {
	whenChanged = onChange;
	const { options } = shared;
	const inWords = (choices) => choices.map((choice) => [choice, capitalize(choice)]);
	fillChoice('filter-status', inWords(options.request_status), 'All statuses');
	fillChoice('filter-type', inWords(options.client_type), 'All types');
	fillChoice(
		'sort',
		options.sort.map((sort) => [sort, SORTS[sort]]),
	);
	$('sort').value = readChoice('sort', options.sort);
	let typing;
	$('search').oninput = () => {
		clearTimeout(typing);
		typing = setTimeout(setFilters, TYPING_MS, {});
	};
	for (const id of FILTERS) $(id).onchange = () => setFilters({});
	$('sort').onchange = () => {
		saveChoice('sort', $('sort').value);
		whenChanged();
	};
	$('clear-filters').onclick = clearFilters;
}
