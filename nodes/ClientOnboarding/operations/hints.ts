import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { emptyFilters } from '../parameters/emptyFilters';
import type { Answer } from './operation';

const MAX_HINTS = 5;

/** Hints for the output panel: what may be missing, and why there may be no items. `keys`: equal for equal questions. */
export function describeAnswers(
	context: IExecuteFunctions,
	outcomes: Array<Answer | Error>,
	keys: ReadonlyMap<number, string>,
): NodeExecutionHint[] {
	const answers = outcomes.flatMap((outcome) => (outcome instanceof Error ? [] : [outcome]));
	const warnings = new Set(answers.flatMap(({ warning }) => warning ?? []));
	// With a warning, a client that was not found may be one of those that are missing.
	const info =
		warnings.size > 0 ? [] : [describeNoMatch(answers, outcomes.length) ?? describeEqualItems(outcomes.length, keys)];
	const unused = emptyFilters(context.getNode().parameters.filters);
	if (unused.length > 0) info.push(`These filters are empty and were ignored: ${unused.join(', ')}.`);
	return [
		...[...warnings].map((message) => ({ message, type: 'warning' as const })),
		...info.flatMap((message) => (message ? { message, type: 'info' as const } : [])),
	]
		.slice(0, MAX_HINTS)
		.map((hint) => ({ ...hint, location: 'outputPane' }));
}

function describeNoMatch(answers: Answer[], items: number): string | undefined {
	const noMatch = answers.flatMap((answer) => answer.noMatch ?? []);
	const isSame = noMatch.length === items && new Set(noMatch).size === 1;
	if (noMatch.length === 0 || isSame) return noMatch[0];
	return `No client was found for ${noMatch.length} of ${items} items. The first one: ${noMatch[0]}`;
}

function describeEqualItems(items: number, keys: ReadonlyMap<number, string>): string | undefined {
	const areEqual = items > 1 && keys.size === items && new Set(keys.values()).size === 1;
	return areEqual
		? `This node ran for ${items} items and returned the same result for each. To run it once, turn on "Execute Once" in the settings of this node.`
		: undefined;
}
