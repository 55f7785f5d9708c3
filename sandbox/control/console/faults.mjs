import { $, capitalise, count, create, createLabelled, inWords, showBadge } from './page.mjs';
import { act, addressOf, shared } from './sandbox.mjs';

/** How a fault is planned, whatever its kind: the sandbox's names, and what a person reads. */
const SCHEDULE = {
	times: 'How many (empty: all)',
	skip: 'Let so many pass first',
	every: 'Of the rest, every …th',
	page: 'Only for page (empty: any)',
};
const ENDPOINTS = { list: 'for the list', token: 'for a token', any: 'of both kinds' };

function createInput(name, label, value) {
	const type = typeof value === 'string' ? 'text' : 'number';
	return createLabelled(label, create('input', { name, type, min: 0, value: value ?? '' }));
}

function showFields(kind) {
	const { parameters, help } = shared.options.faults.find((fault) => fault.kind === kind);
	const kinds = shared.options.faults.map((fault) => create('option', { value: fault.kind }, inWords(fault.kind)));
	const choose = ({ target }) => {
		showFields(target.value);
		$('fault-fields').querySelector('select').focus();
	};
	const choice = create('select', { name: 'kind', onchange: choose }, ...kinds);
	choice.value = kind;
	const endpoints = Object.entries(ENDPOINTS).map(([value, label]) => create('option', { value }, label));
	$('fault-fields').replaceChildren(
		createLabelled('What goes wrong', choice),
		...Object.entries(parameters).map(([name, value]) => createInput(name, inWords(name), value)),
		createLabelled('Which requests', create('select', { name: 'endpoint' }, ...endpoints)),
		...Object.entries(SCHEDULE).map(([name, label]) => createInput(name, label)),
		create('small', {}, `${capitalise(help)}.`),
	);
}

function add(event) {
	event.preventDefault();
	const filled = [...new FormData($('fault-form'))].filter(([, value]) => value !== '');
	const body = Object.fromEntries(filled.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
	const what = () => `Fault added: ${inWords(body.kind).toLowerCase()}`;
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

export function showFaults({ faults }) {
	$('faults').replaceChildren(
		...faults.map(({ fault, seen, hits }) =>
			create('li', {}, create('code', {}, fault), create('span', {}, `hit ${hits} of ${count(seen, 'request')}`)),
		),
	);
	const planned = `${count(faults.length, 'fault')} planned`;
	$('faults-active').textContent = faults.length === 0 ? 'No fault is planned' : planned;
	$('faults-clear').disabled = faults.length === 0;
	showBadge('faults', faults.length);
}

export function showTokens(valid) {
	$('tokens').textContent = `${count(valid, 'token is', 'tokens are')} good now.`;
	$('revoke').disabled = valid === 0;
}
