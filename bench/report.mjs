import { arch, cpus, platform, totalmem } from 'node:os';
import { formatTable } from './table.mjs';
import { CONTENDER_NAMES, formatCount, formatSeconds, LATENCIES_MS, SIZES } from './wording.mjs';

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

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: n8n ${figures.install.version}, Node ${figures.runtime.version}, ${describeMachine()},
load ${figures.load.toFixed(1)} before it began. \`npm run bench -- --check\` measures the targets alone.

All contenders read the same sandbox over the loopback interface, one after the other and that several times over; a figure
is the median. In n8n, a time runs from the start of the contender's first node to the end of its last one, as n8n's own
event log has it. undici makes the very requests that this node made, with the same number of them at once, and parses the
answers. What was expected to take much more than a minute was left out.

## Targets

With 10,000 clients and a service that takes 50 ms for an answer, where nothing else is said.

${describeTargets(figures.targets)}

## Time

![Time against the number of clients](images/benchmarks.svg)

${LATENCIES_MS.map((latencyMs) => describeTimes(figures.times, latencyMs)).join('\n\n')}

## Requests

${describeRequests(figures.times)}

## Sheets of many rows

10,000 clients, 50 ms latency, pages of any size. HTTP Request asks for each row by itself, all of them at once.

${describeManyItems(figures.manyItems)}

## A service that serves one request at a time

10,000 clients in pages of 100, 20 ms each. Parallel requests get nothing done here; they only stand in line.

${formatTable(
	['', 'time', 'in line at most', 'in the second half'],
	figures.inTurn.map(({ name, tookMs, mostInLine, laterInLine }) => [
		CONTENDER_NAMES[name],
		formatSeconds(tookMs),
		String(mostInLine),
		String(laterInLine),
	]),
)}

## Memory

100,000 clients in n8n, with everything saved as n8n does by default: the process grew from ${megabytes(figures.memory.before)} to
${megabytes(figures.memory.peak)} at most. By default, Node lets its heap grow to ${megabytes(figures.runtime.heapLimit)}.

In a process without n8n, what is alive after a forced collection:

${formatTable(
	['clients', 'parsed clients alone', 'most while they are listed', 'ratio', 'bytes per 1,000 clients in our code'],
	figures.heap.map(({ clients, parsed, listed }) => [
		formatCount(clients),
		megabytes(parsed),
		megabytes(listed),
		(listed / parsed).toFixed(2),
		formatCount(Math.round(((listed - parsed) / clients) * 1000)),
	]),
)}

## Our own code

The processor's time for listing all clients, in a process without n8n, and for the same requests in bare undici.

${formatTable(
	['clients', 'with our code', 'bare', 'our code, per 1,000 clients'],
	figures.effort.map(({ clients, oursMs, bareMs }) => [
		formatCount(clients),
		`${oursMs.toFixed(0)} ms`,
		`${bareMs.toFixed(0)} ms`,
		`${(((oursMs - bareMs) / clients) * 1000).toFixed(2)} ms`,
	]),
)}

Loading the package takes ${figures.loadMs.toFixed(0)} ms. ${figures.tokenRequests.executions} executions at once, none of which had a token: ${figures.tokenRequests.tokenRequests} token request.

## Polls

100,000 clients in the order of creation, no latency, in a process without n8n. A busy poll has one new client.

${formatTable(
	['trigger on', 'poll', 'requests', 'time'],
	figures.polls.map(({ triggerOn, kind, requests, tookMs }) => [
		triggerOn.length === 1 ? 'new clients' : 'all events',
		kind,
		String(requests),
		formatSeconds(tookMs),
	]),
)}

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
	return formatTable(['', 'rows', 'requests', 'time', "n8n's memory at most"], rows);
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

function describeTimes(times, latencyMs) {
	return [false, true]
		.map((isCapped) => {
			const names = Object.keys(CONTENDER_NAMES).filter((name) => !(isCapped && name === 'http1000'));
			const rows = names.map((name) => [
				CONTENDER_NAMES[name],
				...SIZES.map((clients) => describeTime(times, { clients, latencyMs, isCapped, name })),
			]);
			const service = `${latencyMs} ms latency, ${isCapped ? 'pages of 100 at most' : 'pages of any size'}`;
			return `### ${service}\n\n${formatTable(['', ...SIZES.map((size) => `${formatCount(size)} clients`)], rows)}`;
		})
		.join('\n\n');
}

/** Adds how many times faster than HTTP Request with pages of 100 this is. */
function describeTime(times, circumstances) {
	const tookMs = times.of(circumstances);
	if (tookMs === undefined) return '';
	const plainMs = times.of({ ...circumstances, name: 'http100' });
	const isPlain = circumstances.name === 'http100' || plainMs === undefined;
	return isPlain ? formatSeconds(tookMs) : `${formatSeconds(tookMs)} (${(plainMs / tookMs).toFixed(1)}×)`;
}

function describeRequests(times) {
	const rows = ['http100', 'http1000', 'node5', 'fast5'].flatMap((name) =>
		[false, true]
			.filter((isCapped) => !(isCapped && name === 'http1000'))
			.map((isCapped) => [
				CONTENDER_NAMES[name],
				isCapped ? '100 at most' : 'any size',
				...SIZES.map((clients) => String(times.requests({ clients, latencyMs: 50, isCapped, name }) ?? '')),
			]),
	);
	return formatTable(['', 'pages', ...SIZES.map((size) => `${formatCount(size)} clients`)], rows);
}
