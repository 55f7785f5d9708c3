import { $, count } from './page.mjs';
import { act, addressOf, shared, showProblem } from './sandbox.mjs';

const nameOf = (clients) => (clients.length === 1 ? clients[0].client_name : count(clients.length, 'client'));

/** Returns whether it was done. `whenDone` also runs after an undo. */
export async function setStatus(client, status, whenDone) {
	const before = client.request_status.toLowerCase();
	const address = addressOf(`/clients/${encodeURIComponent(client.reference_id)}`);
	const change = (request_status, undo) => ({ method: 'PATCH', address, body: { request_status }, undo });
	const undo = async () => {
		await act('clients', () => `${client.client_name} set back to ${before}`, change(before));
		await whenDone();
	};
	const changed = await act('clients', () => `${client.client_name} set to ${status}`, change(status, undo));
	await whenDone();
	return changed !== undefined;
}

/** Clients that were removed meanwhile are skipped. An undo gives each client the status it had when it was listed. */
export async function setStatuses(clients, status, whenDone) {
	const address = addressOf('/clients');
	const change = (changed, request_status) => ({
		method: 'PATCH',
		address,
		body: { reference_ids: changed.map(({ reference_id: id }) => id), request_status },
	});
	const undo = async () => {
		const before = Map.groupBy(clients, (client) => client.request_status.toLowerCase());
		for (const [former, group] of before) {
			await act('clients', (changed) => `${nameOf(changed)} set back to ${former}`, change(group, former));
		}
		await whenDone();
	};
	await act('clients', (changed) => `${nameOf(changed)} set to ${status}`, { ...change(clients, status), undo });
	await whenDone();
}

/** Clients that were removed meanwhile are skipped. */
export async function removeClients(clients, whenRestored, environment = shared.environment) {
	const address = addressOf('/clients', {}, environment);
	const body = { reference_ids: clients.map(({ reference_id: id }) => id) };
	const undo = async (removed) => {
		await restore(removed, environment);
		await whenRestored();
	};
	await act('clients', (removed) => `${nameOf(removed)} removed`, { method: 'DELETE', address, body, undo });
}

/** Restores as many as it can, and shows why the last of the others was refused. */
async function restore(clients, environment) {
	const address = addressOf('/clients', {}, environment);
	const problems = [];
	for (const [index, body] of clients.entries()) {
		const restored = index + 1 - problems.length;
		const what = () =>
			clients.length === 1 ? `${nameOf(clients)} restored` : `${restored} of ${nameOf(clients)} restored`;
		if (!(await act('clients', what, { method: 'POST', address, body })))
			problems.push($('clients-problem').textContent);
	}
	if (problems.length > 0) showProblem('clients', problems.at(-1));
}

/** `remove` undoes it. */
export async function addTen({ whenDone, remove }) {
	const { environment } = shared;
	const address = addressOf('/clients', { count: 10 });
	const undo = (added) => remove(added, environment);
	await act('clients', () => '10 clients added', { method: 'POST', address, undo });
	whenDone();
}
