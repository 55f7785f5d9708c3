import { $, capitalize, create, createLabeled } from './page.mjs';
import { act, addressOf, shared, showProblem } from './sandbox.mjs';

const FIELDS = {
	client_name: 'Name',
	email: 'Email',
	request_status: 'Request status',
	client_type: 'Type',
	group_name: 'Group',
	client_status: 'Client status',
};
const NEW = {
	client_name: '',
	email: '',
	request_status: 'pending',
	client_type: 'individual',
	group_name: '',
	client_status: 'active',
};
const MOST_CHARACTERS = 500;

/** The list of statuses has them in lower case. */
const readField = (client, name) => (name === 'request_status' ? client[name].toLowerCase() : client[name]);

function createField(name, value) {
	const choices = shared.options[name];
	const control = choices
		? create('select', { name }, ...choices.map((choice) => create('option', { value: choice }, capitalize(choice))))
		: create('input', { name, maxLength: MOST_CHARACTERS, autocomplete: 'off', spellcheck: false });
	control.value = value;
	return createLabeled(FIELDS[name], control);
}

/** Without a client, the form adds a new one. `remove` undoes that. */
export function openForm(client, { whenSaved, remove }) {
	$('client-title').textContent = client ? `Edit ${client.client_name}` : 'Add client';
	$('client-save').textContent = client ? 'Save changes' : 'Add client';
	showProblem('client', '');
	const start = client ?? NEW;
	const hint = client
		? `Reference ID ${client.reference_id}, created ${client.created_at}`
		: 'Empty fields are filled in for you.';
	$('client-fields').replaceChildren(
		...Object.keys(FIELDS).map((name) => createField(name, readField(start, name))),
		create('small', {}, hint),
	);
	$('client-cancel').onclick = () => $('client-dialog').close();
	$('client-form').onsubmit = async (event) => {
		event.preventDefault();
		const values = Object.fromEntries(new FormData($('client-form')));
		const isDone = client ? await change(client, values, whenSaved) : await add(values, whenSaved, remove);
		if (isDone) $('client-dialog').close();
	};
	$('client-dialog').showModal();
}

async function change(client, values, whenSaved) {
	const address = addressOf(`/clients/${encodeURIComponent(client.reference_id)}`);
	const names = Object.keys(values).filter((name) => values[name] !== readField(client, name));
	if (names.length === 0) return true;
	const pick = (from) => Object.fromEntries(names.map((name) => [name, readField(from, name)]));
	const undo = async () => {
		await act('clients', () => `Changes to ${client.client_name} undone`, {
			method: 'PATCH',
			address,
			body: pick(client),
		});
		whenSaved();
	};
	const how = { method: 'PATCH', address, body: pick(values), undo };
	const changed = await act('client', (answer) => `${answer.client_name} changed`, how);
	if (changed) whenSaved();
	return changed !== undefined;
}

async function add(values, whenSaved, remove) {
	const { environment } = shared;
	const undo = (added) => remove([added], environment);
	const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
	const how = { method: 'POST', address: addressOf('/clients'), body, undo };
	const added = await act('client', (answer) => `${answer.client_name} added`, how);
	if (added) whenSaved();
	return added !== undefined;
}
