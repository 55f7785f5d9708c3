import { maxRequests } from './bounds.mts';
import { isShortLived, isSlow, isViolated, type Case } from './cases.mts';
import type { Sent } from './clients.mts';
import { Clock } from './clock.mts';
import { judgeMessage, readFault, WARNING } from './messages.mts';
import { planOperation, type Result } from './planOperation.mts';
import { openWorld, type World } from './world.mts';

/** A page is tried five times. */
const MAX_TEMPORARY = 4;
/** A read ends after eight refused tokens in a row. */
const MAX_REFUSED = 6;

/** Runs one operation of the node. Returns the broken promises. */
export async function checkOperation(testCase: Case): Promise<string[]> {
	const clock = new Clock();
	const world = await openWorld(testCase, clock);
	const before = world.sent();
	const plan = planOperation(testCase, before);
	const run = async () =>
		await plan.run(world).catch((error: Error) => ({ rows: [], warnings: [], message: error }) as Result);
	const results = await clock.run(
		async () => await Promise.all(Array.from({ length: 1 + testCase.rivals }, async () => await run())),
	);
	const isChanged = ({ reference_id: id }: Sent) => world.changed.has(String(id));
	const stayed = before.filter((client) => !isChanged(client));
	const changed = [...before.filter(isChanged), ...[...world.changed.values()].flat()];
	const judgeRows = (result: Result) => [
		...plan.judge(result, stayed, changed),
		...judgeAbsent(testCase, result, before, world.sent()),
	];
	const broken = [
		...judgeRequests(testCase, world, Math.max(before.length, world.sent().length)),
		...results.flatMap((result) => [
			...judgeEnd(testCase, world, result),
			...judgeWarnings(testCase, result),
			// With a warning, clients may be missing or made up by the service.
			...(result.message || (isViolated(testCase) && result.warnings.length > 0) ? [] : judgeRows(result)),
		]),
	];
	return [...broken, ...(await world.close())];
}

function judgeRequests(testCase: Case, world: World, rows: number): string[] {
	const max = maxRequests(testCase, rows, world);
	return (['list', 'token'] as const).flatMap((endpoint) =>
		world.requests[endpoint] > max[endpoint]
			? [`${world.requests[endpoint]} requests to the ${endpoint} endpoint, where ${max[endpoint]} are enough`]
			: [],
	);
}

/** A run ends with clients, or with one message that is true. */
function judgeEnd(testCase: Case, world: World, { message, rows }: Result): string[] {
	const faults = world.faultsMet();
	if (!message) return faults.some(isHopeless) ? [`success with ${rows.length} items under ${faults.join(' ')}`] : [];
	const broken = rows.length > 0 ? [`${rows.length} items beside a message`] : [];
	if (mayUseUpBudget(testCase)) return broken;
	return [
		...broken,
		...judgeMessage(message, world.host, faults),
		...(isBearable(testCase, world) ? [`a temporary error ended the run: ${message.message}`] : []),
	];
}

const REFUSALS_LIKE_FAULTS = ['500', 'envelope-500', 'redirect'];

/** If a refused token looks like another fault, it uses up tries. With many of them, 12 requests for a page may not be enough. */
function mayUseUpBudget(testCase: Case): boolean {
	const { behavior, revokeAt } = testCase;
	return REFUSALS_LIKE_FAULTS.includes(behavior.tokenRefusal ?? '') && (isShortLived(testCase) || revokeAt > 0);
}

/** Whether every request fails. */
function isHopeless(text: string): boolean {
	const { kind, skip, times } = readFault(text);
	return skip === 0 && times === Infinity && (kind !== 'latency' || isSlow(text));
}

/** Whether all faults end before the last try of any page. */
function isBearable({ behavior, maxPageLimit, options }: Case, { met, faultsMet }: World): boolean {
	const faults = faultsMet().map(readFault);
	const sum = (matches: (fault: ReturnType<typeof readFault>) => boolean) =>
		faults.filter(matches).reduce((total, { times }) => total + times, 0);
	// A size that was reduced is tried twice.
	const isReduced = /refused|hang/.test(behavior.overLimit ?? '') && (options.pageSize ?? 100) > maxPageLimit;
	// Until a page was returned, the address may be wrong; a refused API key always is.
	const isForeign = faults.some(
		(fault) => fault.class === 'strange' || (fault.class === 'refused' && fault.endpoint === 'token'),
	);
	if (isForeign && met.beforeFirstPage > 0) return false;
	if (faults.some(({ endpoint, code }) => endpoint === 'token' && code === 401)) return false;
	const isRefused = (fault: (typeof faults)[number]) => fault.class === 'refused' && fault.endpoint === 'list';
	return (
		sum((fault) => !isRefused(fault) && (fault.kind !== 'latency' || fault.ms > 1_000)) <=
			(isReduced ? 1 : MAX_TEMPORARY) && sum(isRefused) <= MAX_REFUSED
	);
}

/** Clients that existed before and after the run have to be in the list, changed or not. */
function judgeAbsent(testCase: Case, { rows, warnings }: Result, before: Sent[], after: Sent[]): string[] {
	const { operation, limit, filters } = testCase;
	if (operation !== 'list' || limit > 0 || filters.length > 0 || warnings.length > 0) return [];
	const [there, returned] = [after, rows].map(
		(clients) => new Set<unknown>(clients.map((client) => client.reference_id)),
	);
	const absent = before.filter(({ reference_id: id }) => there.has(id) && !returned.has(id));
	return absent.length > 0 ? [`${absent.length} clients that were there all the time are missing`] : [];
}

/** If the list does not change and the service follows its specification, there must be no warning. */
function judgeWarnings(testCase: Case, { warnings }: Result): string[] {
	const hasReason = testCase.moves !== 'none' || isViolated(testCase);
	return warnings.flatMap((warning) => [
		...(hasReason ? [] : [`a warning without a reason: ${warning}`]),
		...(WARNING.test(warning) ? [] : [`an unknown warning: ${warning}`]),
	]);
}
