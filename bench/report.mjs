import { arch, cpus, platform, totalmem } from 'node:os';
import { formatTable } from './table.mjs';
import { CONTENDER_NAMES, formatCount, formatSeconds } from './wording.mjs';

const GIGABYTE = 1024 ** 3;
export const megabytes = (bytes) => (bytes === undefined ? 'not known' : `${(bytes / 1024 ** 2).toFixed(0)} MB`);

export function describeTargets(targets) {
	const rows = targets.map(({ what, target, measured, isMet }) => [
		what,
		target,
		formatRatio(measured),
		isMet ? 'met' : 'missed',
	]);
	return formatTable(['what', 'target', 'measured', ''], rows);
}

/** The text of docs/benchmarks.md. */
export function writeReport(figures) {
	return `# Benchmarks

Measured by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} with n8n ${figures.install.version} on Node ${figures.runtime.version}, ${describeMachine()},
load ${figures.load.toFixed(1)} at the start. \`npm run bench -- --check\` measures everything except the trigger state and writes nothing.

HTTP Request, List Clients and undici read the same sandbox on the same machine, in turn, five times. Each time is the median. In n8n, it runs from
the start of the first node to the end of the last one, by n8n's event log. undici, the HTTP client of Node.js, sends the requests that List Clients sent,
as many at a time, and parses the responses.

## Times

10,000 clients and 50 ms for each response. List Clients reads a list of several pages twice, to find clients that moved
between pages. Read Mode Fast reads it once.

${describeTimes(figures.times)}

## Targets

10,000 clients and 50 ms for each response, unless stated otherwise. The values are ratios of two measurements, or numbers of requests.

${describeTargets(figures.targets)}

## Sheets of many rows

10,000 clients, 50 ms for each response, pages of any size. HTTP Request sends one request for each row, all at once.

${describeManyItems(figures.manyItems)}

## A service that serves one request at a time

10,000 clients in pages of 100, 20 ms each. Parallel requests wait for each other here.

${formatTable(
	['', 'time', 'most requests waiting', 'in the second half'],
	figures.inTurn.map(({ name, tookMs, mostInLine, laterInLine }) => [
		CONTENDER_NAMES[name],
		formatSeconds(tookMs),
		String(mostInLine),
		String(laterInLine),
	]),
)}

## Memory

100,000 clients in n8n, which saves the output of every node by default: the process grew from ${megabytes(figures.memory.before)} to
${megabytes(figures.memory.peak)} at most. Node's default heap limit on this machine is ${megabytes(figures.runtime.heapLimit)}.

Live heap after a garbage collection, in a process without n8n:

${formatTable(
	['clients', 'parsed clients alone', 'most while listing', 'ratio', 'bytes per 1,000 clients in our code'],
	figures.heap.map(({ clients, parsed, listed }) => [
		formatCount(clients),
		megabytes(parsed),
		megabytes(listed),
		(listed / parsed).toFixed(2),
		formatCount(Math.round(((listed - parsed) / clients) * 1000)),
	]),
)}

## CPU time

To list all clients, in a process without n8n, and for the same requests with undici alone.

${formatTable(
	['clients', 'List Clients', 'undici', 'difference per 1,000 clients'],
	figures.effort.map(({ clients, oursMs, bareMs }) => [
		formatCount(clients),
		`${oursMs.toFixed(0)} ms`,
		`${bareMs.toFixed(0)} ms`,
		`${(((oursMs - bareMs) / clients) * 1000).toFixed(2)} ms`,
	]),
)}

Loading the package takes ${figures.loadMs.toFixed(0)} ms. ${figures.tokenRequests.executions} executions at the same time, without a stored token: ${figures.tokenRequests.tokenRequests} token request.

## Polls

100,000 clients, sorted by creation date, without delay, in a process without n8n. A busy poll finds one new client.

${formatTable(
	['Trigger On', 'poll', 'requests', 'time'],
	figures.polls.map(({ triggerOn, kind, requests, tookMs }) => [
		triggerOn.length === 1 ? 'New Client' : 'several events',
		kind,
		String(requests),
		formatSeconds(tookMs),
	]),
)}

## Trigger state

${figures.state.title}:

${formatTable(figures.state.columns, figures.state.rows)}

${figures.choices.title}:

${formatTable(figures.choices.columns, figures.choices.rows)}
`;
}

const MANY_ITEMS_NAMES = {
	oneRead: 'List Clients, Return All',
	sameList: 'the same for each row',
	findSome: 'Find Client by reference ID',
	findMany: 'Find Client by reference ID',
	findEmails: 'Find Client by email address',
	httpEmails: 'HTTP Request by email address, and Split Out',
	oneFilter: 'List Clients with an email filter',
	fewFilters: 'List Clients with an email filter',
};

function describeManyItems(manyItems) {
	const rows = Object.entries(MANY_ITEMS_NAMES).map(([name, words]) => {
		const { items, requests, tookMs, peak } = manyItems[name];
		return [words, formatCount(items), formatCount(requests), formatSeconds(tookMs), megabytes(peak)];
	});
	return formatTable(['', 'rows', 'requests', 'time', "n8n's peak memory"], rows);
}

/** With enough digits to tell a ratio just above a target from the target. */
function formatRatio(ratio) {
	return Number.isInteger(ratio) ? String(ratio) : ratio.toFixed(3);
}

export function describeMachine() {
	const { model } = cpus()[0];
	const processor = [model === 'unknown' ? '' : model.trim(), arch()].filter(Boolean).join(' ');
	return `${platform()}, ${cpus().length} cores (${processor}), ${(totalmem() / GIGABYTE).toFixed(0)} GB`;
}

function describeTimes(times) {
	const rows = Object.entries(CONTENDER_NAMES).map(([name, words]) => [
		words,
		...[false, true].flatMap((isCapped) => {
			const circumstances = { clients: 10_000, isCapped, name };
			const tookMs = times.of(circumstances);
			return tookMs === undefined ? ['', ''] : [formatCount(times.requests(circumstances)), formatSeconds(tookMs)];
		}),
	]);
	return formatTable(['', 'pages of any size: requests', 'time', 'pages of 100 at most: requests', 'time'], rows);
}
