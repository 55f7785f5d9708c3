import type { Case } from '../cases/cases.mts';

/** A mistake somebody could make, as a change of one place in the source, and a few cases of the campaign that meet it. */
export interface Bug {
	name: string;
	file: string;
	find: string;
	put: string;
	cases: Array<Partial<Case>>;
}

const SERVICE = 'nodes/ClientOnboarding/service';
const LIST = 'nodes/ClientOnboarding/list';
const TRIGGER = 'nodes/ClientOnboarding/trigger';
const HISTORIES: Array<Partial<Case>> = [1, 2, 3, 4, 5, 6].map((seed) => ({
	part: 'trigger',
	seed,
	dialect: { order: 'arbitrary' },
}));

const capped = { overLimit: 'capped' as const };

export const BUGS: Bug[] = [
	{
		name: 'drops a page',
		file: `${LIST}/pages.ts`,
		find: 'rows += page.clients.length;',
		put: 'rows += page.clients.length;\nif (rows === 300) continue;',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, totals: 'absent' } }],
	},
	{
		name: 'repeats a page',
		file: `${LIST}/snapshot.ts`,
		find: 'clients.set(key, client);',
		put: 'clients.set(clients.has(key) || this.found.has(key) ? `${key} again` : key, client);',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, order: 'shuffled' } }],
	},
	{
		name: 'trusts the totals',
		file: `${LIST}/pages.ts`,
		find: 'if (rows === 0 || isShortEnd)',
		put: 'if (rows === 0 || isShortEnd || rowsBefore + rows >= page.totalCount)',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, totals: 'too-low' } }],
	},
	{
		name: 'counts by totals that do not add up',
		file: `${LIST}/counting.ts`,
		find: 'if (!isConsistent || !(await endsAt(ask, toQuery(filters), total)))',
		put: 'if (total === undefined)',
		cases: [{ part: 'count', clients: 101, dialect: { totals: 'too-high' } }],
	},
	{
		name: 'counts by one total that nothing checks',
		file: `${LIST}/counting.ts`,
		find: 'if (filters.clientType && filters.requestStatuses.length > 0)',
		put: 'if (false)',
		cases: [...Array(150).keys()].map((seed) => ({
			part: 'count',
			seed,
			filters: ['clientType', 'requestStatus'],
			dialect: { severalFilters: 'any' },
		})),
	},
	{
		name: 'takes a 500 for an empty list',
		file: `${SERVICE}/response.ts`,
		find: 'if (isBusy(status)) {',
		put: "if (isBusy(status)) {\nreturn { kind: 'page', page: { clients: [] } };",
		cases: [{ part: 'list', faults: ['status:code=500'] }],
	},
	{
		name: 'takes HTML for an empty list',
		file: `${SERVICE}/response.ts`,
		find: 'if (!envelope)',
		put: "if (!envelope) return { kind: 'page', page: { clients: [] } };\nif (!envelope)",
		cases: [{ part: 'fuzz', count: 200 }],
	},
	{
		name: 'shows the token in a message',
		file: `${SERVICE}/connection.ts`,
		find: 'this.conceal(explanation.message)',
		put: '`${explanation.message} ${credentials.accessToken}`',
		cases: [{ part: 'list', faults: ['html:skip=1'], clients: 101 }],
	},
	{
		name: 'repeats the secrets that a service sends back',
		file: `${SERVICE}/connection.ts`,
		find: 'this.conceal(explanation.message)',
		put: 'explanation.message',
		cases: [{ part: 'hostile', name: 'messages that repeat the secrets' }],
	},
	{
		name: 'follows a redirect',
		file: 'credentials/ClientOnboardingApi.credentials.ts',
		find: '{ disableFollowRedirect: true,',
		put: '{ disableFollowRedirect: false,',
		cases: [{ part: 'list', faults: ['redirect:location=TRAP'] }],
	},
	{
		name: 'leaves filtering to the service',
		file: `${LIST}/filters.ts`,
		find: 'return (client) => checks.every((check) => check(client));',
		put: 'return () => true;',
		cases: [
			{ part: 'list', clients: 101, filters: ['clientType', 'requestStatus'], dialect: { severalFilters: 'any' } },
		],
	},
	{
		name: 'minds upper and lower case',
		file: `${SERVICE}/client.ts`,
		find: '.trim().toLowerCase()',
		put: '.trim()',
		cases: [{ part: 'list', clients: 101, filters: ['requestStatus'] }],
	},
	{
		name: 'forgets the limit',
		file: `${LIST}/snapshot.ts`,
		find: 'if (clients.length === this.options.limit)',
		put: 'if (false)',
		cases: [{ part: 'list', clients: 101, limit: 5, filters: ['createdAfter'] }],
	},
	{
		name: 'gives up at the first trouble',
		file: `${SERVICE}/retrying.ts`,
		find: 'const MAX_TRIES = 5;',
		put: 'const MAX_TRIES = 1;',
		cases: [{ part: 'list', faults: ['rate-limit-seconds:seconds=0,times=2'] }],
	},
	{
		name: 'never gives up',
		file: `${SERVICE}/retrying.ts`,
		find: 'const MAX_TRIES = 5;',
		put: 'const MAX_TRIES = Infinity;',
		cases: [{ part: 'list', faults: ['rate-limit-seconds:seconds=0'] }],
	},
	{
		name: 'pages without end',
		file: `${LIST}/pages.ts`,
		find: 'if (rows === 0 || isShortEnd)',
		put: 'if (rows < 0)',
		cases: [{ part: 'list', clients: 100, dialect: { totals: 'absent' }, options: { pageSize: 10 } }],
	},
	{
		name: 'sends the page under one name only',
		file: `${LIST}/numbering.ts`,
		find: "await this.send('page', number",
		put: "await this.send('page_no', number",
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, pageParameter: 'page' } }],
	},
	{
		name: 'exchanges the key for every page',
		file: `${SERVICE}/tokens.ts`,
		find: 'return !done ||',
		put: 'return false &&',
		cases: [{ part: 'list', clients: 1000, dialect: capped, revokeAt: [3], options: { parallelRequests: 20 } }],
	},
	{
		name: 'lets a rejection go unhandled',
		file: `${LIST}/queue.ts`,
		find: 'answer.catch(() => {});',
		put: '',
		cases: [
			{ part: 'list', clients: 1000, dialect: capped, faults: ['html:skip=3'], options: { parallelRequests: 10 } },
		],
	},
	{
		name: 'leaves connections open',
		file: `${LIST}/queue.ts`,
		find: 'this.stopping.abort();',
		put: '',
		cases: [
			{
				part: 'list',
				clients: 1000,
				dialect: capped,
				faults: ['html:skip=3,times=1', 'hang:skip=4'],
				options: { parallelRequests: 10, timeout: 60 },
			},
		],
	},
	{
		name: 'lets the timeout start anew with every byte',
		file: `${SERVICE}/request.ts`,
		find: 'abortSignal,\n',
		put: '\n',
		cases: [{ part: 'hostile', name: 'an answer of one byte a second' }],
	},
	{
		name: 'tells an event twice',
		file: `${TRIGGER}/poll.ts`,
		find: 'memory.keep(',
		put: 'if (events.length === 0) memory.keep(',
		cases: HISTORIES,
	},
	{
		name: 'takes what it told for what it knew before',
		file: `${TRIGGER}/memory.ts`,
		find: 'quietPolls.delete(key);',
		put: '',
		cases: [{ part: 'trigger', seed: 742 }],
	},
	{
		name: 'polls in pages that the service refuses',
		file: `${LIST}/newest.ts`,
		find: 'await reader.readFirst(LARGEST_SIZE)',
		put: '{ page: await reader.readAt(1, LARGEST_SIZE), size: LARGEST_SIZE }',
		cases: [
			{
				part: 'trigger',
				clients: 1000,
				maxPageLimit: 25,
				dialect: { order: 'created-descending', overLimit: 'refused-400' },
			},
		],
	},
	{
		name: 'loses an event',
		file: `${TRIGGER}/poll.ts`,
		find: 'return events;',
		put: 'return events.slice(1);',
		cases: HISTORIES,
	},
	{
		name: 'takes a poll that could not read for a quiet one',
		file: `${TRIGGER}/poll.ts`,
		find: 'throw error instanceof MovingListError',
		put: 'return { events: [], state: before };\nthrow error instanceof MovingListError',
		cases: HISTORIES,
	},
	{
		name: 'merges groups of one name',
		file: `${LIST}/tally.ts`,
		find: 'JSON.stringify([client.group_token ?? null, client.group_name ?? null])',
		put: 'String(client.group_name)',
		cases: [{ part: 'listGroups', clients: 100, isOdd: true }],
	},
];
