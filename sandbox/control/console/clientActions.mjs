import { $, count } from './page.mjs';
import { act, addressOf, shared, showProblem } from './sandbox.mjs';

const nameOf = (clients) => (clients.length === 1 ? clients[0].client_name : count(clients.length, 'client'));

/** Gives whether it was done. `whenDone` is for what is undone, too. */
export async function setStatus(client, status, whenDone) {
	const before = client.request_status.toLowerCase();
	const address = addressOf(`/clients/${encodeURIComponent(client.reference_id)}`);
	const change = (request_status, undo) => ({ method: 'PATCH', address, body: { request_status }, undo });
	const undo = async () => {
		await act('clients', () => `${client.client_name} is ${before} again`, change(before));
		await whenDone();
	};
	const changed = await act('clients', () => `${client.client_name} is ${status} now`, change(status, undo));
	await whenDone();
	return changed !== undefined;
}

/** Those that somebody else has removed meanwhile are gone just as well. */
export async function removeClients(clients, whenBack, environment = shared.environment) {
	const address = addressOf('/clients', {}, environment);
	const body = { reference_ids: clients.map(({ reference_id: id }) => id) };
	const undo = async (removed) => {
		await bringBack(removed, environment);
		await whenBack();
	};
	await act('clients', (removed) => `${nameOf(removed)} removed`, { method: 'DELETE', address, body, undo });
}

/** All that can come back do; the problem that is shown is that of the last one that cannot. */
async function bringBack(clients, environment) {
	const address = addressOf('/clients', {}, environment);
	const problems = [];
	for (const [index, body] of clients.entries()) {
		const left = index + 1 - problems.length;
		const what = () => (clients.length === 1 ? `${nameOf(clients)} is back` : `${left} of ${nameOf(clients)} are back`);
		if (!(await act('clients', what, { method: 'POST', address, body })))
			problems.push($('clients-problem').textContent);
	}
	if (problems.length > 0) showProblem('clients', problems.at(-1));
}

/** `remove` undoes it. */
export async function bringInTen({ whenDone, remove }) {
	const { environment } = shared;
	const address = addressOf('/clients', { count: 10 });
	const undo = (added) => remove(added, environment);
	await act('clients', () => 'Ten clients added', { method: 'POST', address, undo });
	whenDone();
}

export async function setLiveliness(perMinute) {
	const what = () =>
		perMinute === 0 ? 'Statuses stay as they are' : `Statuses move ${count(perMinute, 'time')} a minute`;
	await act('clients', what, { method: 'PATCH', address: addressOf('/lively'), body: { per_minute: perMinute } });
}
