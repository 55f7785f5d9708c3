import { bringInTen, removeClients, setLiveliness, setStatus } from './clientActions.mjs';
import { openForm } from './clientForm.mjs';
import { createNobody, createRow, replaceRows } from './clientRows.mjs';
import { $, capitalize, count, fillChoice } from './page.mjs';
import { addressOf, call, readComplaint, shared, showProblem } from './sandbox.mjs';

const PAGE_SIZE = 25;
const TYPING_MS = 150;
const FILTERS = ['filter-status', 'filter-type', 'filter-group'];
const SORTS = {
	newest: 'Newest first',
	oldest: 'Oldest first',
	changed: 'Last changed first',
	name: 'By name',
	status: 'By status',
};

const table = {
	page: 1,
	pages: 1,
	clients: [],
	groups: '',
	/** By reference_id, over all pages. */
	selected: new Map(),
	/** What the rows showed before, to point out what is new. */
	shown: new Map(),
	question: '',
	/** Counts the questions: only the last one's answer is shown. */
	turn: 0,
	/** The last question had no answer. */
	isTroubled: false,
	/** Who else shows what is chosen above the table. */
	onFilter: () => {},
};

function readQuestion() {
	return {
		search: $('search').value.trim(),
		request_status: $('filter-status').value,
		client_type: $('filter-type').value,
		group_name: $('filter-group').value,
		sort: $('sort').value,
	};
}

export async function loadClients() {
	const turn = ++table.turn;
	const parameters = { ...readQuestion(), page: table.page, page_size: PAGE_SIZE };
	const question = addressOf('/clients', parameters);
	try {
		const answer = await call('GET', question);
		if (turn !== table.turn) return;
		showTable(answer, question);
		if (table.isTroubled) showProblem('clients', '');
		table.isTroubled = false;
	} catch (error) {
		if (turn !== table.turn) return;
		table.isTroubled = true;
		showProblem('clients', readComplaint(error));
	}
}

function showTable({ total, page, pages, clients }, question) {
	const wasShown = question === table.question ? table.shown : undefined;
	const shown = new Map(clients.map((client) => [client.reference_id, JSON.stringify(client)]));
	Object.assign(table, { page, pages, clients, question, shown });
	if (!isSame(wasShown, shown)) drawRows(wasShown);
	const from = (page - 1) * PAGE_SIZE;
	const range = `${from + 1} to ${from + clients.length} of ${total.toLocaleString('en-US')}`;
	$('range').textContent = total === 0 ? 'No clients' : range;
	for (const id of ['first', 'previous']) $(id).disabled = page === 1;
	for (const id of ['next', 'last']) $(id).disabled = page === pages;
	showSelection();
}

/** Also in the same order. */
function isSame(before, after) {
	return before !== undefined && [...before.values()].join() === [...after.values()].join();
}

function drawRows(wasShown) {
	const { clients, shown } = table;
	const rows = clients.map((client) => {
		const { reference_id: id } = client;
		return createRow(client, {
			isSelected: table.selected.has(id),
			isFresh: wasShown !== undefined && wasShown.get(id) !== shown.get(id),
			select: (isSelected) => select([client], isSelected),
			setStatus: (status) => setStatus(client, status, loadClients),
			edit: () => openForm(client, { whenSaved: loadClients }),
			remove: () => removeFromTable([client]),
		});
	});
	replaceRows($('rows'), rows.length > 0 ? rows : [createNobody()]);
}

function turnTo(page) {
	table.page = page;
	void loadClients();
}

/** Another question begins at its first page, with nobody selected. */
function askAnew() {
	table.selected.clear();
	$('clear-filters').hidden = !isFiltered();
	turnTo(1);
}

/** Sets some of the boxes above the table, and asks anew. */
export function setFilters(values) {
	for (const [id, value] of Object.entries(values)) $(id).value = value;
	table.onFilter();
	askAnew();
}

export const clearFilters = () => setFilters({ search: '', ...Object.fromEntries(FILTERS.map((id) => [id, ''])) });
export const isFiltered = () => [...FILTERS, 'search'].some((id) => $(id).value !== '');

const showNewest = () => setFilters({ sort: 'newest' });

function select(clients, isSelected) {
	for (const client of clients) {
		if (isSelected) table.selected.set(client.reference_id, client);
		else table.selected.delete(client.reference_id);
	}
	showSelection();
}

function showSelection() {
	const { selected, clients } = table;
	const isSelected = (id) => selected.has(id);
	for (const row of $('rows').querySelectorAll('[data-id]')) {
		row.classList.toggle('selected', isSelected(row.dataset.id));
		row.querySelector('[data-part="check"]').checked = isSelected(row.dataset.id);
	}
	const here = clients.filter(({ reference_id: id }) => isSelected(id)).length;
	$('select-all').checked = here > 0 && here === clients.length;
	$('select-all').indeterminate = here > 0 && here < clients.length;
	$('remove-selected').hidden = selected.size === 0;
	$('remove-selected').textContent = `Remove ${count(selected.size, 'client')}`;
}

async function removeFromTable(clients, environment) {
	await removeClients(clients, loadClients, environment);
	select(clients, false);
	await loadClients();
}

export async function loadGroups() {
	const groups = await call('GET', addressOf('/groups')).catch(readComplaint);
	// A list that somebody has open is left alone where it is right.
	if (!Array.isArray(groups) || table.groups === groups.join('\n')) return;
	table.groups = groups.join('\n');
	const chosen = $('filter-group').value;
	const choices = groups.map((group) => [group, group]);
	fillChoice('filter-group', choices, 'All groups');
	if (groups.includes(chosen)) $('filter-group').value = chosen;
	else if (chosen !== '') setFilters({ 'filter-group': '' });
}

async function makeLively() {
	const perMinute = Number($('lively').value);
	await setLiveliness(perMinute);
	// Who has just moved is on top then.
	if (perMinute > 0) setFilters({ sort: 'changed' });
}

export function showLiveliness(perMinute) {
	if (document.activeElement !== $('lively')) $('lively').value = perMinute;
	$('lively-says').textContent = perMinute === 0 ? 'off' : `${perMinute} a minute`;
}

export function connectClients(onFilter) {
	const { options } = shared;
	const inWords = (choices) => choices.map((choice) => [choice, capitalize(choice)]);
	fillChoice('filter-status', inWords(options.request_status), 'All statuses');
	fillChoice('filter-type', inWords(options.client_type), 'All types');
	fillChoice(
		'sort',
		options.sort.map((sort) => [sort, SORTS[sort]]),
	);
	let typing;
	$('search').oninput = () => {
		clearTimeout(typing);
		typing = setTimeout(setFilters, TYPING_MS, {});
	};
	table.onFilter = onFilter;
	for (const id of [...FILTERS, 'sort']) $(id).onchange = () => setFilters({});
	$('clear-filters').onclick = clearFilters;
	$('first').onclick = () => turnTo(1);
	$('previous').onclick = () => turnTo(table.page - 1);
	$('next').onclick = () => turnTo(table.page + 1);
	$('last').onclick = () => turnTo(table.pages);
	$('select-all').onchange = ({ target }) => select(table.clients, target.checked);
	$('remove-selected').onclick = () => removeFromTable([...table.selected.values()]);
	$('add').onclick = () => openForm(undefined, { whenSaved: showNewest, remove: removeFromTable });
	$('bring').onclick = () => bringInTen({ whenDone: showNewest, remove: removeFromTable });
	$('lively').oninput = () => showLiveliness(Number($('lively').value));
	$('lively').onchange = makeLively;
}

/** The other environment has other clients. */
export function forgetClients() {
	table.question = '';
	setFilters({ 'filter-group': '' });
	void loadGroups();
}
