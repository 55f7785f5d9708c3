import { $, capitalize, count, create, createLabeled, showBadge } from './page.mjs';
import { act, addressOf, shared } from './sandbox.mjs';

const ENDPOINTS = { list: 'Client list', token: 'Access token', any: 'Both' };
const PARAMETERS = { ms: 'Delay (ms)', code: 'Status code', seconds: 'Retry-After (seconds)', location: 'Redirect to' };
/** Fields of every kind of fault. An empty field has the meaning of its placeholder. */
const SCHEDULE = {
	times: ['Requests to affect', 'All'],
	skip: ['Requests to skip', 'None'],
	every: ['Every nth request', 'Every request'],
	page: ['Page', 'All pages'],
};

function createInput(name, label, value, placeholder = '') {
	const type = typeof value === 'string' ? 'text' : 'number';
	return createLabeled(label, create('input', { name, type, min: 0, value: value ?? '', placeholder }));
}

function showFields(kind) {
	const { parameters, help } = shared.options.faults.find((fault) => fault.kind === kind);
	const kinds = shared.options.faults.map((fault) => create('option', { value: fault.kind }, fault.label));
	const choose = ({ target }) => {
		showFields(target.value);
		$('fault-fields').querySelector('select').focus();
	};
	const choice = create('select', { name: 'kind', onchange: choose }, ...kinds);
	choice.value = kind;
	const endpoints = Object.entries(ENDPOINTS).map(([value, label]) => create('option', { value }, label));
	$('fault-fields').replaceChildren(
		createLabeled('Fault', choice),
		...Object.entries(parameters).map(([name, value]) => createInput(name, PARAMETERS[name], value)),
		createLabeled('Endpoint', create('select', { name: 'endpoint' }, ...endpoints)),
		...Object.entries(SCHEDULE).map(([name, [label, empty]]) => createInput(name, label, undefined, empty)),
		create('small', {}, `${capitalize(help)}.`),
	);
}

function add(event) {
	event.preventDefault();
	const filled = [...new FormData($('fault-form'))].filter(([, value]) => value !== '');
	const body = Object.fromEntries(filled.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
	const what = (faults) => `Fault added: ${faults.at(-1).description}`;
	return act('faults', what, { method: 'POST', address: '/faults', body });
}

function createFault({ id, description, seen, hits, is_over: isOver }) {
	const what = () => `Fault removed: ${description}`;
	const remove = () => act('faults', what, { method: 'DELETE', address: `/faults?id=${id}` });
	const effect =
		seen === 0 ? 'No requests yet' : `${isOver ? 'Done: affected' : 'Affected'} ${hits} of ${count(seen, 'request')}`;
	return create(
		'li',
		{ className: isOver ? 'over' : '' },
		create('strong', {}, description),
		create('span', {}, effect),
		create('button', { type: 'button', ariaLabel: `Remove ${description}`, onclick: remove, 'data-id': id }, 'Remove'),
	);
}

export function connectFaults() {
	showFields('status');
	$('fault-form').onsubmit = add;
	$('faults-clear').onclick = () => act('faults', () => 'All faults cleared', { method: 'DELETE', address: '/faults' });
	$('revoke').onclick = () => {
		const what = ({ revoked }) => `${count(revoked, 'token')} revoked`;
		return act('faults', what, { method: 'POST', address: addressOf('/tokens/revoke') });
	};
}

export function showFaults({ faults }) {
	const { id: focused } = document.activeElement.dataset;
	$('faults').replaceChildren(...faults.map(createFault));
	if (focused)
		$('faults')
			.querySelector(`[data-id="${CSS.escape(focused)}"]`)
			?.focus();
	const active = faults.filter(({ is_over: isOver }) => !isOver).length;
	$('faults-active').textContent = active === 0 ? 'No active faults' : count(active, 'active fault');
	$('faults-clear').disabled = faults.length === 0;
	showBadge('faults', active);
}

export function showTokens(valid) {
	$('tokens').textContent =
		valid === 0
			? 'No access token is valid. The next run of a workflow requests one.'
			: `${count(valid, 'access token is', 'access tokens are')} valid. Revoke all to see a workflow request a new one.`;
	$('revoke').disabled = valid === 0;
}
