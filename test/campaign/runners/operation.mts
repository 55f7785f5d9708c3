import { parseFault } from '../../../sandbox/faults/faults.mts';
import { hasLastingGaps, isHoled, isSlow, isUnsteady, TRAP, type Case } from '../cases/cases.mts';
import type { Sent } from '../cases/data.mts';
import { mostRequests } from '../promises/bounds.mts';
import type { Outcome } from '../promises/outcome.mts';
import { judgeText } from '../promises/texts.mts';
import { openWorld, type World } from '../world/world.mts';
import { planOperation, type Result } from './plan.mts';

const MOST_TRIES = 5;
const MOST_STRANGERS = 3;
/** So many requests to the list are enough for a page to have come. */
const ENOUGH_TO_BE_KNOWN = 6;

/** Reads with one operation of the node and holds what comes to the promises. */
export async function runOperation(testCase: Case): Promise<Outcome> {
	const world = await openWorld(testCase);
	const before = world.sent();
	const plan = planOperation(testCase, before);
	const run = async () =>
		await plan.run(world).catch((error: Error) => ({ rows: [], hints: [], advice: [], told: error }));
	const results: Result[] = await Promise.all(Array.from({ length: 1 + testCase.rivals }, run));
	const met = world.met();
	const isChanged = ({ reference_id: id }: Sent) => world.changed.has(String(id));
	const stayed = before.filter((client) => !isChanged(client));
	const changed = [...before.filter(isChanged), ...[...world.changed.values()].flat()];
	const broken = [
		...judgeRequests(testCase, world, Math.max(before.length, world.sent().length)),
		...results.flatMap((result) => judgeEnd(testCase, world, result)),
		...results
			.filter(({ told }) => !told)
			.flatMap((result) => [
				...plan.judge(result.rows, stayed, changed, result.hints.length > 0),
				...judgeHints(testCase, result, before),
				...judgeAdvice(testCase, result, before),
				...judgeAbsent(testCase, result, before, world.sent()),
			]),
	];
	broken.push(...(await world.close()));
	return {
		broken,
		clients: results.reduce((sum, { rows }) => sum + rows.length, 0),
		requests: world.asked.list + world.asked.token,
		faults: met.troubles + met.revocations,
	};
}

function judgeRequests(testCase: Case, world: World, rows: number): string[] {
	const most = mostRequests(testCase, rows, world.met());
	return (['list', 'token'] as const).flatMap((endpoint) =>
		world.asked[endpoint] > most[endpoint]
			? [`${world.asked[endpoint]} requests to the ${endpoint} endpoint, where ${most[endpoint]} are enough`]
			: [],
	);
}

/** Whether the run may end as it did: with clients, or with one message that is true. */
function judgeEnd(testCase: Case, world: World, { told, rows }: Result): string[] {
	const faults = world.faultsMet();
	const isEmpty = world.sent().length === 0 && (testCase.dialect.emptyList ?? 'page') !== 'page';
	if (told && isEmpty) return [];
	if (!told)
		return faults.some(isHopeless) && !isHoled(testCase)
			? [`success with ${rows.length} items under ${faults.join(' ')}`]
			: [];
	const broken = judgeText(told, world.host, faults);
	if (rows.length > 0) broken.push(`${rows.length} items beside a message`);
	if (isBearable(testCase, faults, world.met().revocations))
		broken.push(`a trouble that passes ended the run: ${told.message}`);
	return broken;
}

/** No request ever gets through. */
function isHopeless(text: string): boolean {
	const { kind, skip, times } = parseFault(text.replace(TRAP, 'x'));
	return skip === 0 && times === Infinity && (kind !== 'latency' || isSlow(text));
}

/** All troubles pass before the last try of any page. */
function isBearable({ dialect }: Case, faults: string[], revocations: number): boolean {
	const parsed = faults.map((text) => parseFault(text.replace(TRAP, 'x')));
	const refusals = parsed.filter(({ code, endpoint }) => [401, 403].includes(code) && endpoint === 'list');
	const rest = parsed.filter((fault) => !refusals.includes(fault));
	const sum = (list: typeof parsed) => list.reduce((total, { times }) => total + times, 0);
	// By then the service has given a page, unless it began with refusing sizes or with lists that are not there.
	const isSlowToTell = /refused|empty/.test(dialect.overLimit ?? '') || (dialect.emptyList ?? 'page') !== 'page';
	const mostFirst = isSlowToTell ? Infinity : ENOUGH_TO_BE_KNOWN;
	const strangers = rest.filter(
		({ kind, code, endpoint, skip }) => isStrange(kind, code) && (endpoint === 'token' || skip < mostFirst),
	);
	const isLasting = rest.some(
		({ kind, code, endpoint }) =>
			(!isForeign(kind) && code >= 400 && code < 500 && code !== 408 && code !== 425) ||
			(code === 204 && endpoint === 'list'),
	);
	// A service that minds its rate may refuse one of the tries on its own account.
	const mostTroubles = (dialect.rateLimit ?? 'none') === 'none' ? MOST_TRIES - 1 : MOST_TRIES - 2;
	return (
		!isLasting &&
		sum(strangers) < MOST_STRANGERS &&
		sum(rest.filter(({ kind, ms }) => kind !== 'latency' || ms > 1000)) <= mostTroubles &&
		sum(refusals) + revocations <= 2
	);
}

function isForeign(kind: string): boolean {
	return kind === 'wrong-envelope' || kind === 'html';
}

/** Another program answers, and not in the name of one that is busy. */
function isStrange(kind: string, code: number): boolean {
	return kind === 'redirect' || code === 304 || code === 511 || (isForeign(kind) && code < 500);
}

/** Whoever was there before and after has to be in the whole list, changed or not. */
function judgeAbsent({ part, limit, filters }: Case, { rows, hints }: Result, before: Sent[], after: Sent[]): string[] {
	if (part !== 'list' || limit > 0 || filters.length > 0 || hints.length > 0) return [];
	const [there, given] = [after, rows].map((clients) => new Set<unknown>(clients.map(({ reference_id: id }) => id)));
	const absent = before.filter(({ reference_id: id }) => there.has(id) && !given.has(id));
	return absent.length > 0 ? [`${absent.length} clients that were there all the time did not come`] : [];
}

/** What is said where no client matched has to be true. */
function judgeAdvice({ part, moves }: Case, { rows, advice }: Result, clients: Sent[]): string[] {
	const found = part === 'count' ? Number(rows[0]?.total) : rows.length;
	if (advice.length > 0 && found > 0) return [`${found} clients came, and yet: ${advice.join(' ')}`];
	return advice.flatMap((text) => {
		const [, name] = /no group is called "(.*)"; /.exec(text) ?? [];
		const isWrong = moves === 'none' && clients.some(({ group_name: group }) => isNamed(group, name));
		return isWrong ? [`there is such a group: ${text}`] : [];
	});
}

function isNamed(group: unknown, name: string | undefined): boolean {
	return name !== undefined && String(group).trim().toLowerCase() === name.trim().toLowerCase();
}

/** A hint tells that clients may be missing; it has to have a reason. */
function judgeHints(testCase: Case, { hints }: Result, clients: Sent[]): string[] {
	const { dialect, moves } = testCase;
	const isMoving = isUnsteady(dialect) || moves !== 'none';
	const isBlocked = isHoled(testCase) || hasLastingGaps(testCase) || dialect.pageParameter === 'neither';
	// Nothing tells a total that is too high from clients that were kept back.
	const isLiedTo = dialect.totals === 'too-high' && hints.every((hint) => hint.startsWith('The service speaks of '));
	const hasReason = isMoving || isBlocked || isLiedTo || dialect.beyondLast === 'more-rows';
	return hints.length > 0 && !hasReason
		? [`a doubt without a reason about ${clients.length} clients: ${hints.join(' ')}`]
		: [];
}
