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
		find: 'const isRefused =',
		put: 'if (number === 4) continue;\nconst isRefused =',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, totals: 'absent' } }],
	},
	{
		name: 'repeats a page',
		file: `${LIST}/round.ts`,
		find: 'this.clients.set(key, client);\n\t\t\tthis.newcomers.delete(key);',
		put: 'this.clients.set(this.has(client) ? `${clientKey(client)} again` : clientKey(client), client);',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, order: 'shuffled' } }],
	},
	{
		name: 'trusts the totals',
		file: `${LIST}/judgement.ts`,
		find: 'isLast: isStale || (!isFull && told === found && !isMoreTold)',
		put: 'isLast: told > 0 && told <= found',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, totals: 'too-low' } }],
	},
	{
		name: 'counts by totals that do not add up',
		file: `${LIST}/counting.ts`,
		find: 'if (total !== sum(other) || !(await endsAt(ask, all)))',
		put: 'if (Number.isNaN(total))',
		cases: [{ part: 'count', clients: 101, dialect: { totals: 'too-high' } }],
	},
	{
		name: 'counts by totals of the chosen status alone',
		file: `${LIST}/counting.ts`,
		find: '|| !(await endsAt(ask, all))',
		put: '',
		cases: [...Array(20).keys()].map((seed) => ({
			part: 'count',
			seed,
			clients: 100,
			filters: ['requestStatus'],
			dialect: { choiceFilters: 'as-stored', statusCase: 'mixed' },
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
		find: 'concealSecrets(explanation.message, secrets)',
		put: '`${explanation.message} ${credentials.accessToken}`',
		cases: [{ part: 'list', faults: ['html:skip=1'], clients: 101 }],
	},
	{
		name: 'repeats the secrets that a service sends back',
		file: `${SERVICE}/concealment.ts`,
		find: 'return conceal(text, spellings, MAX_LAYERS);',
		put: 'return text;',
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
		name: 'gives up late',
		file: `${SERVICE}/retrying.ts`,
		find: 'const MAX_TRIES = 5;',
		put: 'const MAX_TRIES = 7;',
		cases: [{ part: 'list', faults: ['rate-limit-seconds:seconds=0'] }],
	},
	{
		name: 'pages without end',
		file: `${LIST}/judgement.ts`,
		find: 'isLast: isStale || !mayGoOn',
		put: 'isLast: false',
		cases: [{ part: 'list', clients: 100, dialect: { totals: 'absent' }, options: { pageSize: 10 } }],
	},
	{
		name: 'sends the page under one name only',
		file: `${LIST}/numbering.ts`,
		find: 'await this.send(other, number',
		put: "await this.send('page_no', number",
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, pageParameter: 'page' } }],
	},
	{
		name: 'exchanges the key for every page',
		file: `${SERVICE}/tokens.ts`,
		find: 'const known = exchanges.get(owner);',
		put: 'const known = undefined as Exchange | undefined;',
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
				faults: ['status:code=402,skip=3,times=1', 'hang:skip=4'],
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
		name: 'misses who stands at a seam',
		file: `${LIST}/snapshot.ts`,
		find: "options.consistency === 'exact' &&",
		put: 'false &&',
		cases: [...Array(20).keys()].map((seed) => ({
			part: 'list',
			seed,
			clients: 100,
			maxPageLimit: 25,
			dialect: capped,
			moves: 'swapped',
			options: { parallelRequests: 1 },
		})),
	},
	{
		name: 'knows but one way to say that there is no such page',
		file: `${LIST}/pages.ts`,
		find: 'NO_SUCH_PAGE.includes(status) || (isClientError(status) && !isMoreTold)',
		put: 'status === 404',
		cases: [{ part: 'list', clients: 100, dialect: { ...capped, beyondLast: '416' }, options: { pageSize: 10 } }],
	},
	{
		name: 'takes "nothing" for an answer that was cut off',
		file: `${SERVICE}/response.ts`,
		find: 'if (isNoContent(answer))',
		put: 'if (false)',
		cases: [{ part: 'list', clients: 100, dialect: { ...capped, beyondLast: '204' }, options: { pageSize: 10 } }],
	},
	{
		name: 'tries smaller pages where a name is refused',
		file: `${LIST}/numbering.ts`,
		find: 'if (isRefusedName(first) &&',
		put: 'if (false &&',
		cases: [{ part: 'list', dialect: { pageParameter: 'page', otherParameters: 'refused-422' } }],
	},
	{
		name: 'believes in page numbers',
		file: `${LIST}/judgement.ts`,
		find: 'const isBarren = newRows === 0;',
		put: 'const isBarren = newRows === 0 || (page.pageNumber ?? number) !== number;',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, pageNumber: 'always-one', totals: 'absent' } }],
	},
	{
		name: 'ends at a short page',
		file: `${LIST}/judgement.ts`,
		find: 'isLast: isStale || (!isFull && told === found && !isMoreTold)',
		put: 'isLast: !isFull',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, hiddenRows: 'after-paging' } }],
	},
	{
		name: 'reads made-up clients for ever',
		file: `${LIST}/snapshot.ts`,
		find: 'return this.round.clients.size > this.most;',
		put: 'return false;',
		cases: [{ part: 'list', clients: 100, dialect: { beyondLast: 'more-rows' }, options: { pageSize: 10 } }],
	},
	{
		name: 'takes the total of a page for that of the list',
		file: `${LIST}/doubt.ts`,
		find: 'return total > firstRows ? most :',
		put: 'return total > 0 ? most :',
		cases: [{ part: 'list', clients: 10_000, dialect: { ...capped, totals: 'of-page' } }],
	},
	{
		name: 'overlooks that clients came twice',
		file: `${LIST}/round.ts`,
		find: 'if (!isPageAgain) this.repeats += known;',
		put: '',
		cases: [{ part: 'list', clients: 150, dialect: { ...capped, order: 'by-page' } }],
	},
	{
		name: 'counts tokens that brought pages',
		file: `${SERVICE}/renewal.ts`,
		find: 'this.refusals = 0;\n',
		put: '\n',
		cases: [{ part: 'list', clients: 1000, dialect: capped, tokenRequests: 1 }],
	},
	{
		name: 'comes back as soon as the service says',
		file: `${SERVICE}/waiting.ts`,
		find: 'return Math.max(growing / 2',
		put: 'return askedMs;\nreturn Math.max(growing / 2',
		cases: [
			{
				part: 'list',
				clients: 1000,
				dialect: { rateLimit: 'zero' },
				options: { pageSize: 10, parallelRequests: 5 },
			},
		],
	},
	{
		name: 'knows but a few of the ways to be busy',
		file: `${SERVICE}/answer.ts`,
		find: 'status >= 500 && status < 600 &&',
		put: 'status === 503 &&',
		cases: [{ part: 'list', faults: ['status:code=520,times=1'] }],
	},
	{
		name: 'asks for a token in one way only',
		file: `${SERVICE}/exchange.ts`,
		find: 'const WRONG_METHOD = [404, 405, 501];',
		put: 'const WRONG_METHOD = [405];',
		cases: [{ part: 'list', dialect: { tokenMethod: 'POST', wrongMethod: '501' } }],
	},
	{
		name: 'leaves upper and lower case to the service',
		file: `${LIST}/clients.ts`,
		find: 'return shown.length > 0 && this.areKnown(shown);',
		put: 'return true;',
		cases: [...Array(60).keys()].map((seed) => ({
			part: 'list',
			seed,
			clients: 100,
			isOdd: true,
			filters: ['clientEmail'],
		})),
	},
	{
		name: 'leaves the writing of choices to the service',
		file: `${LIST}/clients.ts`,
		find: 'if (!this.areKnown(await this.show(changed))) return false;',
		put: '',
		cases: [...Array(20).keys()].map((seed) => ({
			part: 'list',
			seed,
			clients: 100,
			filters: ['requestStatus'],
			dialect: { choiceFilters: 'as-stored', statusCase: 'mixed' },
		})),
	},
	{
		name: 'believes what is said of the size of pages',
		file: `${LIST}/judgement.ts`,
		find: 'return this.isEchoWrong ? undefined : limit;',
		put: 'return limit;',
		cases: [{ part: 'list', clients: 1000, dialect: { ...capped, pageLimitEcho: 'asked', totals: 'too-low' } }],
	},
	{
		name: 'blames the address in the middle of a list',
		file: `${SERVICE}/connection.ts`,
		find: "this.isProven ||= outcome.kind === 'page';",
		put: '',
		cases: ['html', 'wrong-envelope'].map((fault) => ({
			part: 'list',
			clients: 1000,
			dialect: capped,
			faults: [`${fault}:skip=6,times=3`],
			options: { parallelRequests: 1 },
		})),
	},
	{
		name: 'merges groups of one name',
		file: `${LIST}/tally.ts`,
		find: 'JSON.stringify([client.group_token ?? null, client.group_name ?? null])',
		put: 'String(client.group_name)',
		cases: [{ part: 'listGroups', clients: 100, isOdd: true }],
	},
];
