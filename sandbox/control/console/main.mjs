import { clearFilters, isFiltered, loadGroups, setFilters } from './clientFilters.mjs';
import { connectClients, loadClients, resetClients } from './clients.mjs';
import { connectFaults, showFaults, showTokens } from './faults.mjs';
import { connectLiveliness, showLiveliness } from './liveliness.mjs';
import { connectMessages, showMessages } from './messages.mjs';
import { connectLog, showRequest, showRequests } from './log.mjs';
import { $, capitalize, count, create, moveByArrows } from './page.mjs';
import { connectSettings, showSettings } from './settings.mjs';
import { call, copyCommand, clearActions, hideCommand, shared } from './sandbox.mjs';
import { listen } from './stream.mjs';

const TABS = { clients: 'Clients', messages: 'Messages', settings: 'Behavior', faults: 'Faults and tokens' };
const ENVIRONMENTS = ['sandbox', 'production'];

function showState(state) {
	const before = shared.state;
	shared.state = state;
	showSettings(state);
	showFaults(state);
	void showMessages(state);
	const { environments } = state;
	for (const name of ENVIRONMENTS) {
		$(`environment-${name}`).lastChild.textContent = count(environments[name].clients, 'client');
	}
	showEnvironment();
	const { environment } = shared;
	const isSameStart = before === undefined || before.started_at === state.started_at;
	if (!isSameStart) {
		clearActions();
		return resetClients();
	}
	if (before?.environments[environment].revision === environments[environment].revision) return;
	void loadClients();
	void loadGroups();
}

function showEnvironment() {
	const state = shared.state.environments[shared.environment];
	$('address').textContent = state.url;
	showFigures(state);
	showTokens(state.valid_tokens);
	showLiveliness(state.per_minute);
}

function chooseEnvironment(name) {
	shared.environment = name;
	markChosen($('environments'), `environment-${name}`, 'aria-checked');
	clearActions();
	resetClients();
	showEnvironment();
}

/** The chosen one is also the only tab stop. */
function markChosen(row, id, attribute) {
	for (const choice of row.children) {
		choice.setAttribute(attribute, choice.id === id);
		choice.tabIndex = choice.id === id ? 0 : -1;
	}
}

function chooseTab(name) {
	if ($(`panel-${name}`).hidden) hideCommand();
	markChosen($('tabs'), `tab-${name}`, 'aria-selected');
	for (const other of Object.keys(TABS)) $(`panel-${other}`).hidden = other !== name;
}

function createFigure(status) {
	const choose = () => {
		chooseTab('clients');
		if (status === '' || $('filter-status').value === status) clearFilters();
		else setFilters({ 'filter-status': status });
	};
	const label = create('span', {}, status ? capitalize(status) : 'All clients');
	const button = create('button', { type: 'button', onclick: choose }, create('strong'), label);
	return create('li', { 'data-status': status }, button);
}

function showFigures({ clients, by_request_status: statuses }) {
	const chosen = $('filter-status').value;
	const numbers = new Map([['', clients]]);
	for (const [status, number] of Object.entries(statuses)) numbers.set(status.toLowerCase(), number);
	for (const figure of $('figures').children) {
		const { status } = figure.dataset;
		figure.querySelector('strong').textContent = (numbers.get(status) ?? 0).toLocaleString('en-US');
		figure.firstChild.setAttribute('aria-pressed', status === '' ? !isFiltered() : status === chosen);
	}
}

function build() {
	$('environments').append(
		...ENVIRONMENTS.map((name) => {
			const choose = () => chooseEnvironment(name);
			const button = { type: 'button', role: 'radio', id: `environment-${name}`, onclick: choose };
			return create('button', button, create('span', {}, capitalize(name)), create('small', {}, '…'));
		}),
	);
	$('tabs').append(
		...Object.entries(TABS).map(([name, label]) => {
			const tab = { type: 'button', role: 'tab', id: `tab-${name}`, onclick: () => chooseTab(name) };
			const badge = create('span', { className: 'badge', hidden: true });
			return create('button', { ...tab, 'aria-controls': `panel-${name}` }, label, badge);
		}),
	);
	$('figures').append(...['', ...shared.options.request_status].map(createFigure));
	for (const row of ['environments', 'tabs']) moveByArrows($(row), (choice) => choice.click());
	markChosen($('environments'), `environment-${shared.environment}`, 'aria-checked');
	chooseTab('clients');
	connectClients(showEnvironment);
	connectLiveliness();
	connectSettings();
	connectFaults();
	connectMessages();
	connectLog();
	$('command-copy').onclick = copyCommand;
	$('command-close').onclick = hideCommand;
}

function showConnection(isConnected) {
	$('offline').hidden = isConnected;
	$('live').classList.toggle('off', !isConnected);
	$('live').textContent = isConnected ? 'Live' : 'Not connected';
}

const RECEIVERS = { state: showState, request: showRequest, requests: showRequests, connection: showConnection };

shared.options = await call('GET', '/options');
build();
void loadClients();
void loadGroups();
listen(({ kind, data }) => RECEIVERS[kind](data));
