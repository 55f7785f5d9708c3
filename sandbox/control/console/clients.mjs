import { addTen, removeClients, setStatus, setStatuses } from './clientActions.mjs';
import { connectFilters, isFiltered, loadGroups, readQuery, setFilters } from './clientFilters.mjs';
import { openForm } from './clientForm.mjs';
import { createEmptyRow, createRow, refreshTimes, replaceRows } from './clientRows.mjs';
import { $, capitalize, count, fillChoice } from './page.mjs';
import { addressOf, call, readProblem, shared, showProblem } from './sandbox.mjs';

const PAGE_SIZE = 25;
const MINUTE_MS = 60_000;

const table = {
	page: 1,
	pages: 1,
	clients: [],
	/** By reference_id, over all pages. */
	selected: new Map(),
	/** What the rows showed before, to highlight changes. */
	shown: new Map(),
	query: '',
	/** Numbers the queries: only the response to the last one is shown. */
	turn: 0,
	/** The last query had no response. */
	hasProblem: false,
};

export async function loadClients() {
	const turn = ++table.turn;
	const parameters = { ...readQuery(), page: table.page, page_size: PAGE_SIZE };
	const query = addressOf('/clients', parameters);
	try {
		const answer = await call('GET', query);
		if (turn !== table.turn) return;
		showTable(answer, query);
		if (table.hasProblem) showProblem('clients', '');
		table.hasProblem = false;
	} catch (error) {
		if (turn !== table.turn) return;
		table.hasProblem = true;
		showProblem('clients', readProblem(error));
	}
}

function showTable({ total, page, pages, clients }, query) {
	const wasShown = query === table.query ? table.shown : undefined;
	const shown = new Map(clients.map((client) => [client.reference_id, JSON.stringify(client)]));
	for (const client of clients) {
		if (table.selected.has(client.reference_id)) table.selected.set(client.reference_id, client);
	}
	Object.assign(table, { page, pages, clients, query, shown });
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
	replaceRows($('rows'), rows.length > 0 ? rows : [createEmptyRow(isFiltered())]);
}

function turnTo(page) {
	table.page = page;
	void loadClients();
}

/** Another query starts on its first page, without a selection. */
function startQuery() {
	table.selected.clear();
	turnTo(1);
}

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
	$('selection').hidden = selected.size === 0;
	$('set-status').textContent = `Set status of ${count(selected.size, 'client')}`;
	$('remove-selected').textContent = `Remove ${count(selected.size, 'client')}`;
}

async function removeFromTable(clients, environment) {
	await removeClients(clients, loadClients, environment);
	select(clients, false);
	await loadClients();
}

export function connectClients(whenQueried) {
	connectFilters(() => {
		whenQueried();
		startQuery();
	});
	fillChoice(
		'new-status',
		shared.options.request_status.map((status) => [status, capitalize(status)]),
		'New status',
	);
	$('new-status').onchange = () => ($('set-status').disabled = $('new-status').value === '');
	$('first').onclick = () => turnTo(1);
	$('previous').onclick = () => turnTo(table.page - 1);
	$('next').onclick = () => turnTo(table.page + 1);
	$('last').onclick = () => turnTo(table.pages);
	$('select-all').onchange = ({ target }) => select(table.clients, target.checked);
	$('set-status').onclick = () => setStatuses([...table.selected.values()], $('new-status').value, loadClients);
	$('remove-selected').onclick = () => removeFromTable([...table.selected.values()]);
	$('clear-selection').onclick = () => select([...table.selected.values()], false);
	$('add').onclick = () => openForm(undefined, { whenSaved: startQuery, remove: removeFromTable });
	$('add-ten').onclick = () => addTen({ whenDone: startQuery, remove: removeFromTable });
	setInterval(() => refreshTimes($('rows')), MINUTE_MS);
}

/** The other environment has other clients. */
export function resetClients() {
	table.query = '';
	setFilters({ 'filter-group': '' });
	void loadGroups();
}
