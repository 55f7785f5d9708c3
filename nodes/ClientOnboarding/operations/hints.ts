import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { emptyFilters } from '../parameters/emptyFilters';
import type { Output } from './operation';

const MAX_HINTS = 5;

/** Hints for the output panel: what may be missing, and why there may be no items. `keys`: equal for equal queries. */
export function describeOutputs(
	context: IExecuteFunctions,
	outcomes: Array<Output | Error>,
	keys: ReadonlyMap<number, string>,
): NodeExecutionHint[] {
	const outputs = outcomes.flatMap((outcome) => (outcome instanceof Error ? [] : [outcome]));
	const warnings = new Set(outputs.flatMap(({ warning }) => warning ?? []));
	// With a warning, a client that was not found may be one of those that are missing.
	const info =
		warnings.size > 0 ? [] : [describeNoMatch(outputs, outcomes.length) ?? describeEqualItems(outcomes.length, keys)];
	const unused = emptyFilters(context.getNode().parameters.filters);
	if (unused.length > 0) info.push(`These filters are empty and were ignored: ${unused.join(', ')}.`);
	return [
		...[...warnings].map((message) => ({ message, type: 'warning' as const })),
		...info.flatMap((message) => (message ? { message, type: 'info' as const } : [])),
	]
		.slice(0, MAX_HINTS)
		.map((hint) => ({ ...hint, location: 'outputPane' }));
}

function describeNoMatch(outputs: Output[], items: number): string | undefined {
	const noMatch = outputs.flatMap((output) => output.noMatch ?? []);
	const isSame = noMatch.length === items && new Set(noMatch).size === 1;
	if (noMatch.length === 0 || isSame) return noMatch[0];
	const advice = outputs.find((output) => output.noMatchAdvice)?.noMatchAdvice ?? '';
	return `No client was found for ${noMatch.length} of ${items} items. The first one: ${noMatch[0]} ${advice}`.trim();
}

function describeEqualItems(items: number, keys: ReadonlyMap<number, string>): string | undefined {
	const areEqual = items > 1 && keys.size === items && new Set(keys.values()).size === 1;
	return areEqual
		? `This node ran for ${items} items and returned the same result for each. To run it once, turn on "Execute Once" in the settings of this node.`
		: undefined;
}
