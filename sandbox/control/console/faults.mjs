import { $, capitalize, count, create, createLabelled, showBadge } from './page.mjs';
import { act, addressOf, shared } from './sandbox.mjs';

/** How a fault is planned, whatever its kind: the sandbox's names, and what a person reads. */
const SCHEDULE = {
	times: 'How often (empty: always)',
	skip: 'After how many good ones',
	every: 'Only every nth request',
	page: 'Only for this page',
};
const ENDPOINTS = { list: 'for the list', token: 'for a token', any: 'of both kinds' };
const PARAMETERS = { ms: 'Milliseconds', code: 'Status code', seconds: 'Seconds to wait', location: 'Where to' };

function createInput(name, label, value) {
	const type = typeof value === 'string' ? 'text' : 'number';
	return createLabelled(label, create('input', { name, type, min: 0, value: value ?? '' }));
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
		createLabelled('What goes wrong', choice),
		...Object.entries(parameters).map(([name, value]) => createInput(name, PARAMETERS[name], value)),
		createLabelled('Which requests', create('select', { name: 'endpoint' }, ...endpoints)),
		...Object.entries(SCHEDULE).map(([name, label]) => createInput(name, label)),
		create('small', {}, `${capitalize(help)}.`),
	);
}

function add(event) {
	event.preventDefault();
	const filled = [...new FormData($('fault-form'))].filter(([, value]) => value !== '');
	const body = Object.fromEntries(filled.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
	const { label } = shared.options.faults.find(({ kind }) => kind === body.kind);
	const what = () => `Fault added: ${label}`;
	return act('faults', what, { method: 'POST', address: '/faults', body });
}

export function connectFaults() {
	showFields('status');
	$('fault-form').onsubmit = add;
	$('faults-clear').onclick = () =>
		act('faults', () => 'No fault is planned any more', { method: 'DELETE', address: '/faults' });
	$('revoke').onclick = () => {
		const what = ({ revoked }) => `${count(revoked, 'token')} revoked`;
		return act('faults', what, { method: 'POST', address: addressOf('/tokens/revoke') });
	};
}

/** It was planned for so many requests, and has hit them. */
function isOver({ fault, hits }) {
	const [, times = Infinity] = /\btimes=(\d+)/.exec(fault) ?? [];
	return hits >= Number(times);
}

export function showFaults({ faults }) {
	$('faults').replaceChildren(
		...faults.map(({ fault, seen, hits }) => {
			const struck = `${isOver({ fault, hits }) ? 'over: ' : ''}hit ${hits} of ${count(seen, 'request')}`;
			return create('li', {}, create('code', {}, fault), create('span', {}, struck));
		}),
	);
	const due = faults.filter((fault) => !isOver(fault)).length;
	$('faults-active').textContent = due === 0 ? 'No fault is planned' : `${count(due, 'fault')} planned`;
	$('faults-clear').disabled = faults.length === 0;
	showBadge('faults', due);
}

export function showTokens(valid) {
	$('tokens').textContent =
		valid === 0 ? 'No token is good now.' : `${count(valid, 'token is', 'tokens are')} good now.`;
	$('revoke').disabled = valid === 0;
}
