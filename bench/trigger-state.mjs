import { Clients } from '../build/demo/sandbox/clients.mjs';
import { REQUEST_STATUSES } from '../build/demo/sandbox/client.mjs';
import changes from '../dist/nodes/ClientOnboarding/changes.js';
import stateCodec from '../dist/nodes/ClientOnboarding/trigger/state.js';

const SIZES = [1_000, 10_000, 50_000];
const REPEATS = 9;
const DAY_MS = 24 * 60 * 60 * 1000;

const watch = {
	service: '0123456789abcdef',
	events: ['clientCreated', 'clientRemoved', 'clientStalled', 'requestStatusChanged'],
	matches: (client) => client.client_type === 'company',
	statusBecomes: [],
	stalledStatuses: ['pending', 'requested'],
	stalledAfterMs: 7 * DAY_MS,
	includesExisting: false,
};

/** What a trigger for every event remembers of so many clients, and what a poll costs apart from reading the list. */
export function measureTriggerState() {
	const lines = ['What a trigger remembers, and how long it takes to compare (median of 9; without reading the list)', ''];
	lines.push('clients   first look   after a year   nothing new   1 % changed');
	for (const size of SIZES) {
		const clients = [...new Clients({ clients: size, seed: 'bench', now: Date.now }).all()];
		const first = look(undefined, clients).state;
		let state = first;
		// In a year, most clients go through two or three statuses.
		for (let month = 0; month < 12; month++) state = look(state, change(clients, month, 0.2)).state;
		const quietMs = median(() => look(state, clients));
		const busy = clients.map((client, index) => (index % 100 === 0 ? { ...client, request_status: 'Declined again' } : client));
		const busyMs = median(() => look(state, busy));
		const cells = [size.toLocaleString('en-US').padStart(7), perClient(first, size), perClient(state, size), `${quietMs.toFixed(1)} ms`, `${busyMs.toFixed(1)} ms`];
		lines.push(`${cells[0]}   ${cells[1].padStart(10)}   ${cells[2].padStart(12)}   ${cells[3].padStart(11)}   ${cells[4].padStart(11)}`);
	}
	return lines;
}

function look(state, clients) {
	const before = state === undefined ? undefined : stateCodec.decodeState(state);
	const found = changes.findChanges(before, { clients, isComplete: true, atMs: Date.now() }, watch);
	return { state: stateCodec.encodeState(found.state), events: found.events };
}

/** A share of the clients comes to the next status; which ones differs from month to month. */
function change(clients, month, share) {
	clients.forEach((client, index) => {
		if (((index * 7_919 + month * 104_729) % 1_000) / 1_000 >= share) return;
		const next = (REQUEST_STATUSES.indexOf(client.request_status) + 1) % REQUEST_STATUSES.length;
		client.request_status = REQUEST_STATUSES[next];
	});
	return clients;
}

/** As it stands in n8n's database. */
function perClient(state, size) {
	return `${(Buffer.byteLength(JSON.stringify(state)) / size).toFixed(2)} bytes`;
}

function median(work) {
	const times = Array.from({ length: REPEATS }, () => {
		const start = performance.now();
		work();
		return performance.now() - start;
	});
	return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)];
}
