import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';
import type { RunResult } from '../../support/engine.mts';
import { Random } from '../../support/random.mts';
import type { Case, Sort } from './cases.mts';
import type { Sent } from './clients.mts';
import {
	chooseFilters,
	compareBy,
	expectClients,
	groupChoices,
	groups,
	tally,
	type Expected,
} from './expectClients.mts';
import type { Message } from './messages.mts';
import type { World } from './world.mts';

export interface Result {
	rows: IDataObject[];
	/** The warnings that clients may be missing. */
	warnings: string[];
	message?: Message;
}

export interface Plan {
	run(world: World): Promise<Result>;
	/** Errors in the result, given the clients that stayed the same and those that were added, removed or changed. */
	judge(result: Result, clients: Sent[], changed: Sent[]): string[];
}

export function planOperation(testCase: Case, clients: Sent[]): Plan {
	const { operation, limit, options } = testCase;
	const random = new Random(testCase.seed);
	const filters = chooseFilters(testCase, clients, random);
	const run = (parameters: INodeParameters) => async (world: World) =>
		toResult(await world.engine.run({ parameters: { operation, options, ...parameters } }));
	switch (operation) {
		case 'find': {
			const wanted = Array.from({ length: testCase.items }, () => chooseFind(testCase, clients, random));
			return {
				run: async (world) => await findEach(world, options, wanted),
				judge: ({ rows, warnings }, all) =>
					wanted.flatMap(({ expect }, index) => {
						const own = rows.filter(({ item }) => item === index).map(({ client }) => client as IDataObject);
						return judgeClients(own, expect(all), 0, warnings.length > 0);
					}),
			};
		}
		case 'count':
			return {
				run: run({ filters }),
				judge: ({ rows }, all) => judgeTally(rows, expectClients(all, filters, testCase)),
			};
		case 'listGroups':
			return { run: run({}), judge: ({ rows }, all) => judgeSame(rows, groups(all)) };
		case 'searchGroups':
			return { run: searchGroups, judge: ({ rows }, all) => judgeSame(rows, groupChoices(all)) };
		default:
			return {
				run: run({ filters, returnAll: limit === 0, limit: limit || 1 }),
				judge({ rows, warnings }, all, changed) {
					const { demanded } = expectClients(all, filters, testCase);
					const { allowed } = expectClients([...all, ...changed], filters, testCase);
					const isIncomplete = warnings.length > 0;
					return [
						...judgeClients(rows, { demanded, allowed }, limit, isIncomplete),
						...(options.sort ? judgeSorted(rows, demanded, limit, options.sort, isIncomplete) : []),
					];
				},
			};
	}
}

function toResult({ json, error, run }: RunResult): Result {
	const [task] = Object.values(run.data.resultData.runData).flat();
	const warnings = (task?.hints ?? []).filter(({ type }) => type === 'warning').map(({ message }) => message);
	return { rows: json, warnings, message: error };
}

/** Finds all of them in one run. Every row has the index of its input item. */
async function findEach({ engine }: World, options: Case['options'], wanted: Wanted[]): Promise<Result> {
	const parameters = {
		operation: 'find',
		findBy: '={{ $json.findBy }}',
		referenceId: '={{ $json.value }}',
		email: '={{ $json.value }}',
		options,
	};
	const input = wanted.map(({ findBy, value }) => ({ json: { findBy, value } }));
	const result = await engine.run({ parameters, input });
	const rows = result.items.map(({ json, pairedItem }) => ({
		item: (pairedItem as IPairedItemData).item,
		client: json,
	}));
	return { ...toResult(result), rows };
}

async function searchGroups({ engine }: World): Promise<Result> {
	return { rows: (await engine.searchGroups()).results as unknown as IDataObject[], warnings: [] };
}

interface Wanted {
	findBy: 'email' | 'referenceId';
	value: string;
	expect(all: Sent[]): Expected;
}

function chooseFind(testCase: Case, clients: Sent[], random: Random): Wanted {
	const client = random.one(clients) ?? { email: 'nobody@example.com', reference_id: 'NOBODY' };
	if (random.chance(0.5)) {
		const value = random.one([String(client.email), String(client.email).toUpperCase(), ' nobody@example.com']);
		return { findBy: 'email', value, expect: (all: Sent[]) => expectClients(all, { clientEmail: value }, testCase) };
	}
	const id = String(client.reference_id);
	const value = random.one([id, ` ${id} `, id.toLowerCase(), 'NOBODY']);
	const expect = (all: Sent[]): Expected => {
		const exact = all.filter((one) => one.reference_id === value.trim());
		const similar = all.filter((one) => String(one.reference_id).toLowerCase() === value.trim().toLowerCase());
		const found = exact.length === 0 && similar.length === 1 ? similar : exact;
		return { allowed: found, demanded: found };
	};
	return { findBy: 'referenceId', value, expect };
}

function judgeClients(
	rows: IDataObject[],
	{ allowed, demanded }: Expected,
	limit: number,
	isIncomplete: boolean,
): string[] {
	const broken: string[] = [];
	const returned = rows.map((row) => JSON.stringify(row));
	const possible = new Set(allowed.map((client) => JSON.stringify(client)));
	const repeated = returned.length - new Set(rows.map(({ reference_id: id }) => id)).size;
	if (repeated > 0) broken.push(`${repeated} clients were returned twice`);
	const foreign = returned.filter((row) => !possible.has(row));
	if (foreign.length > 0)
		broken.push(`${foreign.length} clients do not match or are not as they were sent: ${foreign[0].slice(0, 300)}`);
	if (limit > 0 && returned.length > limit)
		broken.push(`${returned.length} clients were returned, more than the limit of ${limit}`);
	const got = new Set(returned);
	const missing = demanded.filter((client) => !got.has(JSON.stringify(client)));
	const isEnough = limit > 0 ? returned.length >= Math.min(limit, demanded.length) : missing.length === 0;
	if (!isEnough && !isIncomplete)
		broken.push(
			`${missing.length} of ${demanded.length} clients are missing: ${JSON.stringify(missing[0]).slice(0, 300)}`,
		);
	return broken;
}

/** Of the clients that stayed the same, a limit must not leave out an earlier one while a later one is returned. */
function judgeSorted(
	rows: IDataObject[],
	demanded: Sent[],
	limit: number,
	sort: Sort,
	isIncomplete: boolean,
): string[] {
	const wrong = rows.findIndex((row, index) => index > 0 && compareBy(sort, rows[index - 1], row) > 0);
	if (wrong > 0) return [`client ${wrong} is not in the order of ${sort}`];
	const last = rows.at(-1);
	if (limit === 0 || rows.length < limit || !last || isIncomplete) return [];
	const returned = new Set(rows.map(({ reference_id: id }) => id));
	const passed = demanded.filter((one) => !returned.has(one.reference_id as string) && compareBy(sort, one, last) < 0);
	return passed.length > 0 ? [`${passed.length} clients were left out in the order of ${sort}`] : [];
}

function judgeTally([row, ...more]: IDataObject[], { allowed, demanded }: Expected): string[] {
	if (more.length > 0) return ['more than one count was returned'];
	const isRight =
		demanded.length < allowed.length
			? Number(row.total) <= allowed.length && Number(row.total) >= demanded.length
			: isDeepStrictEqual(row, tally(allowed));
	return isRight ? [] : [`counted ${JSON.stringify(row)} instead of ${JSON.stringify(tally(allowed))}`];
}

function judgeSame(rows: IDataObject[], expected: object[]): string[] {
	const sorted = (list: object[]) => list.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort();
	return isDeepStrictEqual(sorted(rows), sorted(expected))
		? []
		: [`${rows.length} groups instead of ${expected.length}: ${JSON.stringify(rows).slice(0, 300)}`];
}
