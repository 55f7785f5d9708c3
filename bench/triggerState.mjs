import { REQUEST_STATUSES } from '../build/sandbox/data/client.mjs';
import { Clients } from '../build/sandbox/data/clients.mjs';
import changes from '../dist/nodes/ClientOnboarding/trigger/changes.js';
import codec from '../dist/nodes/ClientOnboarding/trigger/state/encoding.js';

const { findChanges } = changes;
const { decodeState, encodeState } = codec;

const SIZES = [1_000, 10_000, 50_000];
const REPEATS = 9;
const DAY_MS = 24 * 60 * 60 * 1000;

const watch = {
	place: 'fedcba9876543210',
	account: '0123456789abcdef',
	events: ['clientCreated', 'clientStalled', 'requestStatusChanged', 'statusReached'],
	matches: (client) => client.client_type === 'company',
	mayMatchLater: true,
	statusBecomes: [],
	stalledStatuses: ['pending', 'requested'],
	stalledAfterMs: 7 * DAY_MS,
	repeatAfterMs: 0,
	watchedFields: [],
	remembersNames: false,
	maxEvents: Infinity,
	fields: [],
	includesExisting: false,
};

const ALL_FIELDS = ['client_name', 'client_status', 'client_type', 'email', 'group_name'];
/** What a user may choose, and what it adds to what is looked for. */
const CHOICES = [
	['New Client', { events: ['clientCreated'] }],
	['New Client, Client Reaches a Status, Request Status Changed, Client Stalled', {}],
	['the same, and Client Updated, one field', { updated: ['email'] }],
	['the same, and Client Updated, five fields', { updated: ALL_FIELDS }],
	['the same four, and Client Removed', { removed: true }],
	['the same, with names and e-mail addresses', { removed: true, remembersNames: true }],
];

const COLUMNS = ['clients', 'first look', 'after a year', 'read', 'compare, no news', 'compare, 1 % news', 'write'];

/** How many bytes a client each choice takes. */
export function measureChoices() {
	const size = SIZES.at(-1);
	const rows = CHOICES.map(([name, { updated, removed, ...rest }]) => {
		const more = [...(updated ? ['clientUpdated'] : []), ...(removed ? ['clientRemoved'] : [])];
		const chosen = { ...watch, events: [...watch.events, ...more].sort(), watchedFields: updated ?? [], ...rest };
		const [first, later] = liveForAYear(size, chosen);
		return [name, perClient(encodeState(first), size), perClient(encodeState(later), size)];
	});
	const title = `What a trigger remembers of each of ${size.toLocaleString('en-US')} clients, by what is chosen`;
	return { title, columns: ['trigger on', 'first look', 'after a year'], rows };
}

/** What is remembered after the first look, and after a year in which most clients go through two or three statuses. */
function liveForAYear(size, chosen = watch) {
	const clients = [...new Clients({ clients: size, seed: 'bench', now: Date.now }).all()];
	const first = look(undefined, clients, chosen);
	let state = first;
	for (let month = 0; month < 12; month++) state = look(state, change(clients, month, 0.2), chosen);
	return [first, state, clients];
}

/** What a trigger remembers of so many clients, and what a poll costs apart from reading the list. */
export function measureTriggerState() {
	const rows = SIZES.map((size) => {
		const [first, state, clients] = liveForAYear(size);
		const text = encodeState(state);
		const busy = clients.map((client, index) =>
			index % 100 === 0 ? { ...client, request_status: 'Declined again' } : client,
		);
		return [
			size.toLocaleString('en-US'),
			perClient(encodeState(first), size),
			perClient(text, size),
			medianMs(() => decodeState(text)),
			medianMs(() => look(state, clients)),
			medianMs(() => look(state, busy)),
			medianMs(() => encodeState(state)),
		];
	});
	const title = `What a trigger remembers of a client, and how long it takes to compare a list with that (median of ${REPEATS})`;
	return { title, columns: COLUMNS, rows };
}

function look(state, clients, chosen = watch) {
	return findChanges(state, { clients, isComplete: true, atMs: Date.now(), excess: 0 }, chosen).state;
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

function medianMs(work) {
	const times = Array.from({ length: REPEATS }, () => {
		const start = performance.now();
		work();
		return performance.now() - start;
	});
	return `${times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)].toFixed(1)} ms`;
}
