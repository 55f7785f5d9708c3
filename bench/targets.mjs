const DEFAULT = 'node5';

/** Every target of the design with the measurement of this run. Targets are ratios or counts, since times depend on the machine. */
export function checkTargets({ times, heap, effort, polls, tokenRequests, inTurn, memory, manyItems }) {
	const at = (name, isCapped = false, clients = 10_000) => times.of({ clients, isCapped, name });
	const [small, middle, large] = heap;
	const idlePoll = polls.find(({ triggerOn, kind }) => kind === 'idle' && triggerOn.length === 1);
	const inTurnMs = (name) => inTurn.find((row) => row.name === name).tookMs;
	const perClient = ({ clients, listed }) => listed / clients;
	const effortPerClient = ({ clients, oursMs }) => oursMs / clients;
	return [
		atLeast('Default options, against HTTP Request with pages of 100', 28, at('http100') / at(DEFAULT)),
		atLeast('Default options, against HTTP Request with pages of 1,000', 3, at('http1000') / at(DEFAULT)),
		atLeast(
			'Service with pages of 100 at most: default options, against HTTP Request',
			2,
			at('http100', true) / at(DEFAULT, true),
		),
		atLeast(
			'Service with pages of 100 at most: Read Mode Fast, against HTTP Request',
			4.5,
			at('http100', true) / at('fast5', true),
		),
		atLeast(
			'Service with pages of 100 at most: Read Mode Fast, 20 parallel requests, against HTTP Request',
			13,
			at('http100', true) / at('fast20', true),
		),
		atMost('Default options, against undici with the same requests', 1.1, at(DEFAULT) / at('wire5')),
		atMost(
			'Requests for 1,000 items through Find Client, against one read of the list',
			1.2,
			manyItems.findMany.requests / manyItems.oneRead.requests,
		),
		atMost(
			'20 items with different filters, time against one item',
			5,
			manyItems.fewFilters.tookMs / manyItems.oneFilter.tookMs,
		),
		atMost(
			'Requests for the same list for 20 items, against one read',
			1.2,
			manyItems.sameList.requests / manyItems.oneRead.requests,
		),
		atMost(
			"n8n's memory, 1,000 items through Find Client against 100",
			1.2,
			manyItems.findMany.peak / manyItems.findSome.peak,
		),
		atMost('Heap while 100,000 clients are listed, against the parsed clients', 1.3, middle.listed / middle.parsed),
		atMost('Token requests for 50 executions at once, cold', 1, tokenRequests.tokenRequests),
		atMost('Requests of an idle poll for new clients, 100,000 clients in order', 3, idlePoll.requests),
		atMost(
			'Service that serves one request at a time: 20 parallel requests, against 1',
			1.1,
			inTurnMs('node20') / inTurnMs('node1'),
		),
		atLeast('Share of 100,000 clients that n8n lists with its default heap', 1, memory.clients / 100_000),
		atMost('Memory per client, 1,000,000 clients against 100,000', 1.05, perClient(large) / perClient(middle)),
		atMost('Memory per client, 100,000 clients against 10,000', 1.2, perClient(middle) / perClient(small)),
		atMost(
			'CPU time per client, each page read once, 100,000 clients against 10,000',
			1.2,
			effortPerClient(effort[1]) / effortPerClient(effort[0]),
		),
		atMost(
			'Time per client in n8n, 100,000 clients against 10,000',
			1.2,
			at(DEFAULT, false, 100_000) / 10 / at(DEFAULT),
		),
	];
}

function atLeast(what, limit, measured) {
	return { what, target: `at least ${limit}`, measured, isMet: measured >= limit };
}

function atMost(what, limit, measured) {
	return { what, target: `at most ${limit}`, measured, isMet: measured <= limit };
}
