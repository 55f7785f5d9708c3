import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AXES, type Dialect } from '../../../../sandbox/endpoints/dialect.mts';
import type { SandboxOptions } from '../../../../sandbox/server.mts';
import { backOff } from '../../../../nodes/ClientOnboarding/service/waiting';
import { oneOf } from '../../../support/depth.mts';
import { idsOf, startService } from '../../../support/service.mts';

/* 1,100 clients, automatic page size: one page of 100 to learn the total, then one with all of them and room for more. */
const LEAST_REQUESTS = 2;
/* One page that learns the cap, 11 pages of 100 and their end, ten seams, and a look at both ends of the list. */
const LEAST_IF_CAPPED = 25;
/** So that several requests are under way before the first answer comes. */
const SLOW: SandboxOptions = { faults: ['latency:ms=30'] };

interface Row {
	dialect: Partial<Dialect>;
	options?: SandboxOptions;
	list: number;
	isAtMost?: boolean;
	token?: number;
	why: string;
}

const ROWS: Row[] = [
	{ dialect: { tokenMethod: 'GET' }, list: LEAST_REQUESTS, why: 'asked with GET first' },
	{ dialect: { tokenMethod: 'POST' }, list: LEAST_REQUESTS, token: 2, why: 'GET is refused with 405, then POST' },
	{ dialect: { tokenMethod: 'both' }, list: LEAST_REQUESTS, why: 'asked with GET first' },
	...(['seconds', 'milliseconds', 'minutes', 'epoch', 'text', 'zero', 'negative', 'absent'] as const).map(
		(expiresIn) => ({
			dialect: { expiresIn },
			list: LEAST_REQUESTS,
			why: 'the lifetime is not looked at',
		}),
	),
	...(['401', '403', 'envelope-401', 'envelope-403'] as const).map((tokenRefusal) => ({
		dialect: { tokenRefusal },
		list: LEAST_REQUESTS,
		why: 'no token is refused',
	})),
	{ dialect: { pageParameter: 'page_no' }, list: LEAST_REQUESTS, why: 'the name that is sent first' },
	{
		dialect: { pageParameter: 'page' },
		list: LEAST_REQUESTS,
		why: 'no second page is needed',
	},
	{
		dialect: { pageParameter: 'page', overLimit: 'capped' },
		options: SLOW,
		list: LEAST_IF_CAPPED + 6,
		why: '5 more that were asked under the wrong name at once, 1 that compares the names',
	},
	{ dialect: { pageParameter: 'both' }, list: LEAST_REQUESTS, why: 'the name that is sent first' },
	{ dialect: { pageParameter: 'neither' }, list: LEAST_REQUESTS, why: 'no second page is needed' },
	{ dialect: { overLimit: 'granted' }, list: LEAST_REQUESTS, why: 'any size' },
	{ dialect: { overLimit: 'capped' }, list: LEAST_IF_CAPPED, why: 'the cap, 11 pages, their end, 10 seams, both ends' },
	{
		dialect: { overLimit: 'refused-400' },
		options: SLOW,
		list: LEAST_IF_CAPPED + 2,
		isAtMost: true,
		why: 'sizes that were refused',
	},
	{
		dialect: { overLimit: 'refused-422' },
		options: SLOW,
		list: LEAST_IF_CAPPED + 2,
		isAtMost: true,
		why: 'sizes that were refused',
	},
	{
		dialect: { overLimit: 'refused-413' },
		options: SLOW,
		list: LEAST_IF_CAPPED + 2,
		isAtMost: true,
		why: 'sizes that were refused',
	},
	{
		dialect: { overLimit: 'refused-500' },
		options: SLOW,
		list: LEAST_IF_CAPPED + 14,
		isAtMost: true,
		why: 'a page of 1,101 and two of 1,000 that broke the service, five times each',
	},
	{
		dialect: { overLimit: 'empty' },
		options: SLOW,
		list: LEAST_IF_CAPPED + 2,
		isAtMost: true,
		why: 'sizes that came without clients',
	},
	{ dialect: { order: 'created-ascending' }, list: LEAST_REQUESTS, why: 'order does not matter' },
	{ dialect: { order: 'created-descending' }, list: LEAST_REQUESTS, why: 'order does not matter' },
	{ dialect: { order: 'arbitrary' }, list: LEAST_REQUESTS, why: 'order does not matter' },
	{
		dialect: { order: 'shuffled' },
		list: LEAST_REQUESTS,
		why: 'one page holds them all',
	},
	...AXES.beyondLast.readings.map((beyondLast) => ({
		dialect: { beyondLast },
		list: LEAST_REQUESTS,
		why: 'no page beyond the last is asked for',
	})),
	...AXES.beyondLast.readings
		.filter((beyondLast) => beyondLast !== 'more-rows')
		.map((beyondLast) => ({
			dialect: { beyondLast, overLimit: 'capped' as const },
			list: LEAST_IF_CAPPED,
			why: 'the page beyond the last is the end',
		})),
	{ dialect: { totals: 'numbers' }, list: LEAST_REQUESTS, why: 'they agree with the rows' },
	{ dialect: { totals: 'strings' }, list: LEAST_REQUESTS, why: 'they agree with the rows' },
	{ dialect: { totals: 'zero' }, list: LEAST_REQUESTS + 1, why: 'a page proves the end' },
	{ dialect: { totals: 'absent' }, list: LEAST_REQUESTS + 1, why: 'a page proves the end' },
	{ dialect: { totals: 'pages-only' }, list: LEAST_REQUESTS + 1, why: 'a page proves the end' },
	{
		dialect: { totals: 'too-high' },
		list: 10,
		isAtMost: true,
		why: 'clients seem to be missing, so it is read twice, with a look at both ends',
	},
	{ dialect: { totals: 'too-low' }, list: 8, why: 'two pages, two that prove the end, a seam, both ends' },
	{
		dialect: { totals: 'of-page' },
		list: LEAST_IF_CAPPED + 2,
		isAtMost: true,
		why: 'the next page of the same size tells',
	},
	{ dialect: { order: 'by-page' }, list: LEAST_REQUESTS, why: 'all come in one page' },
	{ dialect: { order: 'by-status' }, list: LEAST_REQUESTS, why: 'all come in one page' },
	...(['exact', 'contains', 'group-name', 'ignored'] as const).map((emailFilter) => ({
		dialect: { emailFilter },
		list: LEAST_REQUESTS,
		why: 'no filter is set',
	})),
	...(['exact', 'any-case', 'contains'] as const).map((groupFilter) => ({
		dialect: { groupFilter },
		list: LEAST_REQUESTS,
		why: 'no filter is set',
	})),
	...(['all', 'any', 'first'] as const).map((severalFilters) => ({
		dialect: { severalFilters },
		list: LEAST_REQUESTS,
		why: 'no filter is set',
	})),
	...AXES.choiceFilters.readings.map((choiceFilters) => ({
		dialect: { choiceFilters },
		list: LEAST_REQUESTS,
		why: 'no filter is set',
	})),
	...AXES.statusCase.readings.map((statusCase) => ({
		dialect: { statusCase },
		list: LEAST_REQUESTS,
		why: 'records are passed through',
	})),
	...(['none', 'fields', 'statuses'] as const).map((extras) => ({
		dialect: { extras },
		list: LEAST_REQUESTS,
		why: 'records are passed through',
	})),
	...AXES.wrongMethod.readings.map((wrongMethod) => ({
		dialect: { wrongMethod, tokenMethod: 'POST' as const },
		list: LEAST_REQUESTS,
		token: 2,
		why: 'GET is refused in its way, then POST',
	})),
	...AXES.otherParameters.readings.map((otherParameters) => ({
		dialect: { otherParameters },
		list: LEAST_REQUESTS,
		why: 'the name that is sent first is the right one',
	})),
	...(['refused-400', 'refused-422'] as const).map((otherParameters) => ({
		dialect: { otherParameters, pageParameter: 'page' as const },
		list: LEAST_REQUESTS + 1,
		why: 'the first name is refused',
	})),
	...AXES.pageNumber.readings.map((pageNumber) => ({
		dialect: { pageNumber, overLimit: 'capped' as const },
		list: LEAST_IF_CAPPED,
		why: 'rows decide',
	})),
	...AXES.pageNumber.readings.map((pageNumber) => ({
		dialect: { pageNumber, overLimit: 'capped' as const, totals: 'absent' as const },
		list: LEAST_IF_CAPPED + 4,
		isAtMost: true,
		why: 'rows decide',
	})),
	{ dialect: { pageSizes: 'any' }, list: LEAST_REQUESTS, why: 'any size' },
	{
		dialect: { pageSizes: 'minimum', overLimit: 'capped' },
		list: LEAST_IF_CAPPED + 12,
		isAtMost: true,
		why: 'larger pages lie across the seams',
	},
	{
		dialect: { pageSizes: 'steps', overLimit: 'capped' },
		list: 2 * LEAST_IF_CAPPED + 15,
		isAtMost: true,
		why: 'no page lies across a seam, so two whole readings are compared',
	},
	{
		dialect: { pageSizes: 'fixed', overLimit: 'capped' },
		list: 2 * 46 + 20,
		isAtMost: true,
		why: '44 pages of 25, twice, as no page lies across a seam',
	},
	{ dialect: { pageLimitEcho: 'right' }, list: LEAST_REQUESTS, why: 'it is what was asked for' },
	{
		dialect: { pageLimitEcho: 'absent', overLimit: 'capped' },
		list: LEAST_IF_CAPPED + 4,
		isAtMost: true,
		why: 'a page that others follow tells the cap',
	},
	...(['asked', 'always-ten'] as const).map((pageLimitEcho) => ({
		dialect: { pageLimitEcho, overLimit: 'capped' as const },
		list: LEAST_IF_CAPPED + 4,
		isAtMost: true,
		why: 'rows decide',
	})),
	...(['last-changed', 'ties-by-size'] as const).map((order) => ({
		dialect: { order, overLimit: 'capped' as const },
		list: LEAST_IF_CAPPED + 15,
		isAtMost: true,
		why: 'where rows stand in another order on small pages, two whole readings are compared',
	})),
	{ dialect: { hiddenRows: 'none' }, list: LEAST_REQUESTS, why: 'nobody is hidden' },
	{
		dialect: { hiddenRows: 'after-paging' },
		list: 10,
		isAtMost: true,
		why: 'pages go on until the total is there',
	},
	{
		dialect: { hiddenRows: 'after-paging' as const, overLimit: 'capped' as const },
		list: LEAST_IF_CAPPED + 4,
		isAtMost: true,
		why: 'pages go on, short as they are',
	},
	{
		dialect: { hiddenRows: 'after-paging' as const, overLimit: 'capped' as const, totals: 'absent' as const },
		list: LEAST_IF_CAPPED + 4,
		isAtMost: true,
		why: 'pages go on, short as they are',
	},
	...AXES.emptyList.readings.map((emptyList) => ({
		dialect: { emptyList },
		list: LEAST_REQUESTS,
		why: 'the list is not empty',
	})),
	{ dialect: { emailFilter: 'any-case' }, list: LEAST_REQUESTS, why: 'no filter is set' },
	{ dialect: { rateLimit: 'none' }, list: LEAST_REQUESTS, why: 'no limit' },
	...(['seconds', 'date', 'bare', 'zero', 'past'] as const).map((rateLimit) => ({
		dialect: { rateLimit },
		options: { requestsPerSecond: 2 },
		list: LEAST_REQUESTS,
		why: 'refused requests are repeated after a wait, and only those',
	})),
];

describe('List Clients with Return All gives 1,100 clients, each once, with the fewest requests', () => {
	const report: string[] = [];
	// The first run of all is slow, as if the service were.
	beforeAll(async () => void (await (await startService()).engine.run()));
	afterAll(() => {
		process.stdout.write(`\nRequests for 1,100 clients under each reading\n${report.join('\n')}\n`);
	});

	it.each(oneOf(3, ROWS))('$dialect', async ({ dialect, options, list, isAtMost, token = 1, why }) => {
		const throttled: string[] = [];
		// A rate limit does not run ten times as fast as in life.
		if (options?.requestsPerSecond) backOff.firstMs = 500;
		const service = await startService({
			clients: 1100,
			dialect,
			...options,
			onAnswer: (info, { status }) => {
				if (status === 429) throttled.push(info.endpoint);
			},
		});
		const { json, error, hints } = await service.engine.run({ parameters: { returnAll: true } });

		const lists = service.listRequests().length - throttled.filter((endpoint) => endpoint === 'list').length;
		const tokens = service.tokenRequests().length - throttled.filter((endpoint) => endpoint === 'token').length;
		const name = Object.entries(dialect)
			.map((entry) => entry.join(' '))
			.join(', ');
		report.push(`  ${name.padEnd(44)} ${String(lists).padStart(2)} list, ${tokens} token  ${why}`);
		expect(error).toBeUndefined();
		// A total that is too high speaks of others.
		expect(hints).toEqual(dialect.totals === 'too-high' ? [expect.stringMatching(/^The service speaks of 1137 /)] : []);
		expect(idsOf(json)).toEqual(idsOf([...service.app.environment('sandbox').served()]));
		// What is asked ahead is a matter of chance where the first answers are about something else.
		expect(lists).toBeGreaterThanOrEqual(isAtMost ? LEAST_REQUESTS : list);
		expect(lists).toBeLessThanOrEqual(list);
		expect(tokens).toBe(token);
		expect(byId(json)).toEqual(byId(service.app.environment('sandbox').served()));
	});

	it('covers every reading of every axis', () => {
		const seen = ROWS.flatMap(({ dialect }) => Object.entries(dialect).map((entry) => entry.join(' ')));
		const all = Object.entries(AXES).flatMap(([axis, { readings }]) => readings.map((reading) => `${axis} ${reading}`));
		expect(all.filter((reading) => !seen.includes(reading))).toEqual([]);
	});
});

function byId(clients: Iterable<{ reference_id?: unknown }>): Map<unknown, unknown> {
	return new Map([...clients].map((client) => [client.reference_id, client]));
}
