import { afterAll, describe, expect, it } from '@jest/globals';
import { AXES, type Dialect } from '../../../../sandbox/endpoints/dialect.mts';
import type { SandboxOptions } from '../../../../sandbox/server.mts';
import { idsOf, startService } from '../../../support/service.mts';

/*
 * 1,100 clients, automatic page size: one page of 100 to learn the total, then as few pages of about 1,000 as hold
 * 1,101 rows, since only a page that is not full proves the end of the list.
 */
const LEAST_REQUESTS = 3;
/** So that several requests are under way before the first answer comes. */
const SLOW: SandboxOptions = { faults: ['latency:ms=30'] };

interface Row {
	dialect: Partial<Dialect>;
	options?: SandboxOptions;
	list: number;
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
		list: LEAST_REQUESTS + 1,
		why: 'page 2 comes back as page 1, then under the other name',
	},
	{
		dialect: { pageParameter: 'page', overLimit: 'capped' },
		options: SLOW,
		list: 18,
		why: '11 pages of 100, the end, the cap, and 5 asked under the wrong name at once',
	},
	{ dialect: { pageParameter: 'both' }, list: LEAST_REQUESTS, why: 'the name that is sent first' },
	{ dialect: { overLimit: 'granted' }, list: LEAST_REQUESTS, why: 'any size' },
	{ dialect: { overLimit: 'capped' }, list: 13, why: '11 pages of 100, the end, and one that learned the cap' },
	{
		dialect: { overLimit: 'refused-400' },
		options: SLOW,
		list: 14,
		why: '11 pages of 100, the end, and two that were refused at once',
	},
	{
		dialect: { overLimit: 'refused-422' },
		options: SLOW,
		list: 14,
		why: '11 pages of 100, the end, and two that were refused at once',
	},
	{ dialect: { order: 'created-ascending' }, list: LEAST_REQUESTS, why: 'order does not matter' },
	{ dialect: { order: 'created-descending' }, list: LEAST_REQUESTS, why: 'order does not matter' },
	{ dialect: { order: 'arbitrary' }, list: LEAST_REQUESTS, why: 'order does not matter' },
	{
		dialect: { order: 'shuffled' },
		list: LEAST_REQUESTS + 1,
		why: 'clients repeat, so all are read again on one page',
	},
	...(['empty', '404', '400', 'last-page'] as const).map((beyondLast) => ({
		dialect: { beyondLast },
		list: LEAST_REQUESTS,
		why: 'no page beyond the last is asked for',
	})),
	...(['empty', '404', '400', 'last-page'] as const).map((beyondLast) => ({
		dialect: { beyondLast, overLimit: 'capped' as const },
		list: 13,
		why: 'the page beyond the last is the end',
	})),
	{ dialect: { totals: 'numbers' }, list: LEAST_REQUESTS, why: 'they agree with the rows' },
	{ dialect: { totals: 'strings' }, list: LEAST_REQUESTS, why: 'they agree with the rows' },
	{ dialect: { totals: 'zero' }, list: 4, why: 'pages of 1,000 to the end, then one page confirms them' },
	{ dialect: { totals: 'absent' }, list: 4, why: 'pages of 1,000 to the end, then one page confirms them' },
	{
		dialect: { totals: 'too-high' },
		list: 4,
		why: 'clients seem to be missing, then one page confirms those that came',
	},
	{ dialect: { totals: 'too-low' }, list: 4, why: 'the total is wrong, then one page confirms the rows' },
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
	...(['capitalised', 'lower'] as const).map((statusCase) => ({
		dialect: { statusCase },
		list: LEAST_REQUESTS,
		why: 'records are passed through',
	})),
	...(['none', 'fields', 'statuses'] as const).map((extras) => ({
		dialect: { extras },
		list: LEAST_REQUESTS,
		why: 'records are passed through',
	})),
	{ dialect: { rateLimit: 'none' }, list: LEAST_REQUESTS, why: 'no limit' },
	...(['seconds', 'date', 'bare'] as const).map((rateLimit) => ({
		dialect: { rateLimit },
		options: { requestsPerSecond: 2 },
		list: LEAST_REQUESTS,
		why: 'refused requests are repeated after a wait, and only those',
	})),
];

describe('List Clients with Return All gives 1,100 clients, each once, with the fewest requests', () => {
	const report: string[] = [];
	afterAll(() => {
		process.stdout.write(`\nRequests for 1,100 clients under each reading\n${report.join('\n')}\n`);
	});

	it.each(ROWS)('$dialect', async ({ dialect, options, list, token = 1, why }) => {
		const throttled: string[] = [];
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
		expect(hints).toEqual([]);
		expect(idsOf(json)).toEqual(service.ids());
		expect({ lists, tokens }).toEqual({ lists: list, tokens: token });
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
