import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';
import { Random } from '../../support/random.mts';
import { isUnsteady, type Case, type Sort } from '../cases/cases.mts';
import type { Sent } from '../cases/data.mts';
import {
	chooseFilters,
	compareBy,
	expectClients,
	groupChoices,
	groups,
	tally,
	type Expected,
} from '../promises/oracle.mts';
import type { World } from '../world/world.mts';

/** What a user gets. */
export interface Result {
	rows: IDataObject[];
	/** That clients may be missing. */
	hints: string[];
	/** What may be wrong where no client matched. */
	advice: string[];
	told?: { name: string; message: string; description?: unknown };
}

const USUAL_TIMEOUT = 30;
const ADVICE = /^(No client matched|No client has|\d+ of \d+ items found no client|This ran for)/;

export interface Plan {
	run(world: World): Promise<Result>;
	/** What is wrong with the rows, given the clients that were there all the time and those that came or went. */
	judge(rows: IDataObject[], clients: Sent[], changed: Sent[], isDoubted: boolean): string[];
}

/** What is done in a case, and what has to come of it. */
export function planOperation(testCase: Case, clients: Sent[]): Plan {
	const { part, limit, options } = testCase;
	const random = new Random(testCase.seed);
	const filters = chooseFilters(testCase, clients, random);
	const run = (parameters: INodeParameters) => async (world: World) =>
		await runNode(world, { operation: part, options, ...parameters });
	switch (part) {
		case 'find': {
			const { findBy, value, expect } = chooseFind(testCase, clients, random);
			return {
				run: run({ findBy, [findBy]: value }),
				judge: (rows, all, _, isDoubted) => judgeClients(rows, expect(all), 0, isDoubted),
			};
		}
		case 'items': {
			const wanted = Array.from({ length: testCase.items }, () => chooseFind(testCase, clients, random));
			return {
				run: async (world) => await findEach(world, options, wanted),
				judge: (rows, all, _, isDoubted) =>
					wanted.flatMap(({ expect }, index) => {
						const own = rows.filter(({ item }) => item === index).map(({ client }) => client as IDataObject);
						return judgeClients(own, expect(all), 0, isDoubted);
					}),
			};
		}
		case 'count':
			return {
				run: run({ filters }),
				judge: (rows, all, _, isDoubted) => judgeTally(rows, expectClients(all, filters, testCase), isDoubted),
			};
		case 'listGroups':
			return { run: run({}), judge: (rows, all, _, isDoubted) => judgeSame(rows, groups(all), isDoubted) };
		case 'searchGroups':
			return {
				run: searchGroups,
				judge: (rows, all) => judgeSame(rows, groupChoices(all), isUnsteady(testCase.dialect)),
			};
		default:
			return {
				run: run({ filters, returnAll: limit === 0, limit: limit || 1 }),
				judge(rows, all, changed, isDoubted) {
					const stayed = expectClients(all, filters, testCase);
					const { allowed } = expectClients([...all, ...changed], filters, testCase);
					// Where the service makes up clients without end, the hint is about them; up to a limit, any clients will do.
					const isMadeUp = testCase.dialect.beyondLast === 'more-rows' && (isDoubted || limit > 0);
					const ids = new Set(allowed.map(({ reference_id: id }) => id));
					const real = isMadeUp ? rows.filter(({ reference_id: id }) => ids.has(id)) : rows;
					const expected = { demanded: stayed.demanded, allowed };
					return [
						// Sorted, those who are made up may come first.
						...judgeClients(real, expected, limit, isDoubted && (!isMadeUp || options.sort !== undefined)),
						...(options.sort ? judgeSorted(real, expected, limit, options.sort, isDoubted || isMadeUp) : []),
					];
				},
			};
	}
}

async function runNode({ engine }: World, parameters: INodeParameters): Promise<Result> {
	const { json, hints, error } = await engine.run({ parameters });
	return { rows: json, ...sortHints(withoutEmptyFilters(hints, parameters.filters)), told: error };
}

/** Looks for all of them in one run; every row says whom it came for. */
async function findEach({ engine }: World, options: Case['options'], wanted: Wanted[]): Promise<Result> {
	const parameters = {
		operation: 'find',
		findBy: '={{ $json.findBy }}',
		referenceId: '={{ $json.value }}',
		email: '={{ $json.value }}',
		// Whoever waits longer shares the reading of the others.
		options: { ...options, timeout: `={{ ${options.timeout ?? USUAL_TIMEOUT} + $itemIndex % 2 }}` },
	};
	const input = wanted.map(({ findBy, value }) => ({ json: { findBy, value } }));
	const { items, hints, error } = await engine.run({ parameters, input });
	const rows = items.map(({ json, pairedItem }) => ({ item: (pairedItem as IPairedItemData).item, client: json }));
	return { rows, ...sortHints(hints), advice: [], told: error };
}

/** That a filter is empty may be said only where one is. */
function withoutEmptyFilters(hints: string[], filters: unknown): string[] {
	const isEmpty = (value: unknown) => value === '' || JSON.stringify(value) === '[]';
	// A choice from a list is saved with the way it was made.
	const values = Object.values(Object(filters) as object).map((given: unknown) => Object(given).value ?? given);
	const hasEmpty = values.some(isEmpty);
	return hasEmpty ? hints.filter((hint) => !hint.startsWith('Empty filters were not used: ')) : hints;
}

function sortHints(all: string[]): Pick<Result, 'hints' | 'advice'> {
	return { advice: all.filter((hint) => ADVICE.test(hint)), hints: all.filter((hint) => !ADVICE.test(hint)) };
}

async function searchGroups({ engine }: World): Promise<Result> {
	try {
		return { rows: (await engine.searchGroups()).results as unknown as IDataObject[], hints: [], advice: [] };
	} catch (error) {
		return { rows: [], hints: [], advice: [], told: error as Error };
	}
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
	isDoubted: boolean,
): string[] {
	const broken: string[] = [];
	const came = rows.map((row) => JSON.stringify(row));
	const possible = new Set(allowed.map((client) => JSON.stringify(client)));
	const twice = came.length - new Set(came).size;
	if (twice > 0) broken.push(`${twice} clients came twice`);
	const foreign = came.filter((row) => !possible.has(row));
	if (foreign.length > 0)
		broken.push(
			`${foreign.length} clients came that do not match or are not as they were sent: ${foreign[0].slice(0, 300)}`,
		);
	if (limit > 0 && came.length > limit) broken.push(`${came.length} clients came, more than the limit of ${limit}`);
	const least = Math.min(limit || Infinity, demanded.length);
	const got = new Set(came);
	const missing = demanded.filter((client) => !got.has(JSON.stringify(client)));
	const isComplete = limit > 0 ? came.length >= least : missing.length === 0;
	if (!isComplete && !isDoubted)
		broken.push(
			`${missing.length} of ${demanded.length} clients are missing: ${JSON.stringify(missing[0]).slice(0, 300)}`,
		);
	return broken;
}

/** Of those that were there all the time, nobody who comes earlier may be left out for one who comes later. */
function judgeSorted(
	rows: IDataObject[],
	{ demanded }: Expected,
	limit: number,
	sort: Sort,
	isDoubted: boolean,
): string[] {
	const wrong = rows.findIndex((row, index) => index > 0 && compareBy(sort, rows[index - 1], row) > 0);
	if (wrong > 0) return [`client ${wrong} does not come in the order of ${sort}`];
	const last = rows.at(-1);
	if (limit === 0 || rows.length < limit || !last || isDoubted) return [];
	const came = new Set(rows.map(({ reference_id: id }) => id));
	const passed = demanded.filter((one) => !came.has(one.reference_id as string) && compareBy(sort, one, last) < 0);
	return passed.length > 0 ? [`${passed.length} clients were passed over in the order of ${sort}`] : [];
}

function judgeTally([row, ...more]: IDataObject[], { allowed, demanded }: Expected, isDoubted: boolean): string[] {
	if (more.length > 0) return ['more than one count came'];
	if (isDoubted || demanded.length < allowed.length) {
		const isPossible = Number(row.total) <= allowed.length && (isDoubted || Number(row.total) >= demanded.length);
		return isPossible ? [] : [`${row.total} clients were counted where there are ${allowed.length}`];
	}
	return isDeepStrictEqual(row, tally(allowed))
		? []
		: [`counted ${JSON.stringify(row)} instead of ${JSON.stringify(tally(allowed))}`];
}

function judgeSame(rows: IDataObject[], expected: object[], isDoubted: boolean): string[] {
	const sorted = (list: object[]) => list.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort();
	const isRight = isDoubted ? rows.length <= expected.length : isDeepStrictEqual(sorted(rows), sorted(expected));
	return isRight
		? []
		: [
				`${rows.length} groups came that are not the ${expected.length} there are: ${JSON.stringify(rows).slice(0, 300)}`,
			];
}
