import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { startSandbox, type Sandbox } from '../../../../sandbox/server.mts';
import { byDepth } from '../../../support/depth.mts';
import { Engine, sandboxCredential } from '../../../support/engine.mts';
import { Poller } from '../../../support/poller.mts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const CLIENTS = 100;
const CHANGES = 200;
const MINUTES_BETWEEN_POLLS = 5;
const PATIENCE_MS = 600_000;
const QUIET_CHANGES = ['automatic', 'always', 'never'];
const EVENTS: Array<[label: string, parameters: Record<string, unknown>]> = [
	['New Client', { triggerOn: ['clientCreated'] }],
	['Client Reaches a Status: declined', { triggerOn: ['statusReached'], statusBecomes: ['declined'] }],
	['Request Status Changed', { triggerOn: ['requestStatusChanged'] }],
	['Request Status Changed, becomes declined', { triggerOn: ['requestStatusChanged'], statusBecomes: ['declined'] }],
	['Client Updated: email', { triggerOn: ['clientUpdated'], watchedFields: ['email'] }],
	['Client Stalled: pending for 7 days', { triggerOn: ['clientStalled'], stalledStatuses: ['pending'] }],
	['Client Removed', { triggerOn: ['clientRemoved'] }],
];
const DOCUMENT = 'docs/cost.md';
const LIST_SIZES = [250, 1_000, 10_000, 100_000];
/** How many rows of each table are measured. The others are taken from the document. */
const MEASURED = byDepth({ quick: 0, deep: 3, long: Infinity });

const sandboxes: Sandbox[] = [];

afterEach(() => {
	jest.restoreAllMocks();
});

afterAll(async () => {
	for (const sandbox of sandboxes) await sandbox.close();
});

/** A day of polls while 100 statuses change, 40 emails change, and 30 clients are added and 30 removed. */
async function simulateDay(parameters: Record<string, unknown>, quietChanges: string) {
	const startMs = Date.now();
	let minute = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => startMs + minute * MINUTE_MS);
	const sandbox = await startSandbox({
		control: false,
		clients: CLIENTS,
		productionClients: 0,
		requestsPerSecond: 1e6,
		tokenLifetimeSeconds: 1e6,
		seed: 'executions',
		now: () => Date.now(),
	});
	sandboxes.push(sandbox);
	const { url, apiKey } = sandbox.environments.sandbox;
	const engine = new Engine(sandboxCredential(url, apiKey));
	const poller = new Poller(engine, { ...parameters, options: { quietChanges } });
	await poller.activate();
	poller.emptyExecutions = 0;
	const { clients } = sandbox.app.environment('sandbox');
	const statuses = ['accepted', 'completed', 'declined', 'pending', 'requested'];
	let executionsWithEvents = 0;
	let changes = 0;
	for (minute = 1; minute <= DAY_MINUTES; minute++) {
		if (changes < Math.floor((minute * CHANGES) / DAY_MINUTES)) {
			const ids = clients.ids();
			const id = ids[(changes * 37) % ids.length];
			const kind = changes % 20;
			if (kind < 10) clients.setStatus(id, statuses[changes % statuses.length]);
			else if (kind < 14) clients.update(id, { email: `changed-${changes}@example.com` });
			else if (kind < 17) clients.add();
			else clients.remove(id);
			changes += 1;
		}
		if (minute % MINUTES_BETWEEN_POLLS > 0) continue;
		if ((await poller.poll()).length > 0) executionsWithEvents += 1;
	}
	expect(changes).toBe(CHANGES);
	return { executionsWithEvents, emptyExecutions: poller.emptyExecutions };
}

describe('A day of polls on a list with 200 changes', () => {
	it(
		'leads to the documented number of executions, and by default to at most one without items an hour',
		async () => {
			const rows: string[] = [];
			for (const [label, parameters] of EVENTS.slice(0, MEASURED)) {
				const cells: string[] = [];
				for (const quietChanges of QUIET_CHANGES) {
					const { executionsWithEvents, emptyExecutions } = await simulateDay(parameters, quietChanges);
					cells.push(`${executionsWithEvents} + ${emptyExecutions}`);
					if (quietChanges === 'automatic') expect(emptyExecutions).toBeLessThanOrEqual(24);
					if (quietChanges === 'never') expect(emptyExecutions).toBe(0);
				}
				rows.push(`| ${[label, ...cells].join(' | ')} |`);
			}
			expectDocumented('executions', ['Trigger On', 'Hourly', 'Immediately', 'Never'], rows, EVENTS.length);
		},
		PATIENCE_MS,
	);
});

/** The list requests of a poll that finds no change. */
async function countRequests(clients: number, event: string, isCapped: boolean): Promise<number> {
	let requests = 0;
	const sandbox = await startSandbox({
		control: false,
		clients,
		productionClients: 0,
		requestsPerSecond: 1e6,
		behavior: { overLimit: isCapped ? 'capped' : 'granted' },
		onRequest: ({ endpoint }) => {
			if (endpoint === 'list') requests += 1;
		},
	});
	const { url, apiKey } = sandbox.environments.sandbox;
	const poller = new Poller(new Engine(sandboxCredential(url, apiKey)), { triggerOn: [event] });
	await poller.activate();
	requests = 0;
	expect(await poller.poll()).toEqual([]);
	await sandbox.close();
	return requests;
}

describe('A poll without a change', () => {
	it(
		'sends the documented number of requests for each list size',
		async () => {
			const rows: string[] = [];
			for (const clients of LIST_SIZES.slice(0, MEASURED)) {
				const cells: number[] = [];
				for (const isCapped of [false, true])
					for (const event of ['clientCreated', 'requestStatusChanged'])
						cells.push(await countRequests(clients, event, isCapped));
				rows.push(`| ${[clients, ...cells].map((cell) => cell.toLocaleString('en-US')).join(' | ')} |`);
			}
			const header = [
				'Clients',
				'New Client only, pages of any size',
				'Other events, pages of any size',
				'New Client only, pages of 100 at most',
				'Other events, pages of 100 at most',
			];
			expectDocumented('requests', header, rows, LIST_SIZES.length);
		},
		PATIENCE_MS,
	);
});

/** With UPDATE_DOCS set, writes the table instead. */
function expectDocumented(name: string, header: string[], measured: string[], rowCount: number): void {
	const marks = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
	const text = readFileSync(DOCUMENT, 'utf8');
	const [begin, end] = marks.map((mark) => text.indexOf(mark));
	const others = text
		.slice(begin, end)
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.slice(2 + measured.length, 2 + rowCount);
	const rows = [`| ${header.join(' | ')} |`, `|${' --- |'.repeat(header.length)}`, ...measured, ...others];
	const generated = `${text.slice(0, begin)}${marks[0]}\n\n${rows.join('\n')}\n\n${text.slice(end)}`;
	if (process.env.UPDATE_DOCS) writeFileSync(DOCUMENT, generated);
	expect(simplify(readFileSync(DOCUMENT, 'utf8'))).toBe(simplify(generated));
}

/** oxfmt aligns tables. */
function simplify(text: string): string {
	return text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
}
