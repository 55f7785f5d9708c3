import { REQUEST_STATUSES } from '../build/sandbox/data/client.mjs';
import { Clients } from '../build/sandbox/data/clients.mjs';
import diff from '../dist/nodes/ClientOnboarding/trigger/diff.js';
import codec from '../dist/nodes/ClientOnboarding/trigger/state/codec.js';

const { diffClients } = diff;
const { decodeState, encodeState } = codec;

const SIZES = [5_000, 50_000];
const REPEATS = 9;
const DAY_MS = 24 * 60 * 60 * 1000;

const config = {
	events: ['statusReached', 'clientStalled', 'clientCreated', 'requestStatusChanged'],
	matches: (client) => client.client_type === 'company',
	mayMatchLater: true,
	statusBecomes: [],
	stalledStatuses: ['pending', 'requested'],
	stalledAfterMs: 7 * DAY_MS,
	repeatAfterMs: 0,
	watchedFields: [],
	identityFields: [],
	savedFields: [],
	includePrevious: false,
	maxEvents: Infinity,
	fields: [],
	firstActivation: 'fromNow',
};

const ALL_FIELDS = ['client_name', 'client_status', 'client_type', 'email', 'group_name'];
const IDENTITY_FIELDS = ['reference_id', 'client_name', 'email'];
/** Events with the parameters that determine what is saved for them. */
const CHOICES = [
	['New Client', { events: ['clientCreated'] }],
	['Client Reaches a Status', { events: ['statusReached'], statusBecomes: ['declined'] }],
	['Request Status Changed', { events: ['requestStatusChanged'] }],
	['Client Stalled', { events: ['clientStalled'] }],
	['Client Updated: one field', { events: ['clientUpdated'], watchedFields: ['email'] }],
	['Client Updated: all five fields', { events: ['clientUpdated'], watchedFields: ALL_FIELDS }],
	['Client Removed', { events: ['clientRemoved'], savedFields: ['reference_id'] }],
	['Client Removed, with names and emails', { events: ['clientRemoved'], savedFields: IDENTITY_FIELDS }],
	[
		'all six, five fields, with names and emails',
		{
			events: [...config.events, 'clientRemoved', 'clientUpdated'],
			watchedFields: ALL_FIELDS,
			savedFields: IDENTITY_FIELDS,
		},
	],
];

const COLUMNS = [
	'clients',
	'first poll',
	'after a year',
	'decode',
	'compare, no change',
	'compare, 1 % changed',
	'encode',
];

/** Bytes per client for each choice of events. */
export function measureChoices() {
	const size = SIZES.at(-1);
	const rows = CHOICES.map(([name, choice]) => {
		const stalledStatuses = choice.events.includes('clientStalled') ? config.stalledStatuses : [];
		const [first, later] = simulateYear(size, { ...config, stalledStatuses, ...choice });
		return [name, perClient(encodeState(first), size), perClient(encodeState(later), size)];
	});
	const title = `Size of the saved state for each of ${size.toLocaleString('en-US')} clients, by event`;
	return { title, columns: ['Trigger On', 'first poll', 'after a year'], rows };
}

/** The state after the first poll and after a year in which most clients go through two or three statuses. */
function simulateYear(size, chosen = config) {
	const clients = [...new Clients({ clients: size, seed: 'bench', now: Date.now }).all()];
	const first = pollList(undefined, clients, chosen);
	let state = first;
	for (let month = 1; month <= 12; month++) state = pollList(state, change(clients, month, 0.2), chosen, month);
	return [first, state, clients];
}

/** The size of the state, and the cost of a poll without reading the list. */
export function measureTriggerState() {
	const rows = SIZES.map((size) => {
		const [first, state, clients] = simulateYear(size);
		const text = encodeState(state);
		const busy = clients.map((client, index) =>
			index % 100 === 0 ? { ...client, request_status: 'Declined again' } : client,
		);
		return [
			size.toLocaleString('en-US'),
			perClient(encodeState(first), size),
			perClient(text, size),
			medianMs(() => decodeState(text)),
			medianMs(() => pollList(state, clients)),
			medianMs(() => pollList(state, busy)),
			medianMs(() => encodeState(state)),
		];
	});
	const title = `Size of the saved state per client, and the time to compare a list with it (median of ${REPEATS})`;
	return { title, columns: COLUMNS, rows };
}

function pollList(state, clients, chosen = config, month = 0) {
	const poll = { nowMs: Date.now() + month * 30 * DAY_MS, nodeId: 'node', baselineMs: 0 };
	const emitted = state ? chosen.events : [];
	const tracked = new Map(state?.clients);
	for (const { id, now } of diffClients(state, clients, [], emitted, poll, chosen)) tracked.set(id, now);
	return { nodeId: 'node', events: chosen.events, watchedFields: chosen.watchedFields, clients: tracked };
}

/** Moves a share of the clients to the next status, other ones each month. */
function change(clients, month, share) {
	clients.forEach((client, index) => {
		if (((index * 7_919 + month * 104_729) % 1_000) / 1_000 >= share) return;
		const next = (REQUEST_STATUSES.indexOf(client.request_status) + 1) % REQUEST_STATUSES.length;
		client.request_status = REQUEST_STATUSES[next];
	});
	return clients;
}

/** The size as JSON in n8n's database. */
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
