import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { State } from './state/state';

/** The workflow was active before this process looked at it. */
const CONTINUED = ['init', 'leadershipChange'];

/**
 * Whether n8n has lost what this trigger remembered. When an execution changes static data, n8n writes all of it from the copy
 * that the execution began with, which for workers of n8n 2.41 is empty. The trigger cannot see that before it is loaded anew.
 */
export function hasForgotten(context: IPollFunctions, before: State | undefined): boolean {
	if (before) return false;
	const hasRunBefore = Object.keys(context.getWorkflowStaticData('global')).length > 0;
	return hasRunBefore || CONTINUED.includes(context.getActivationMode());
}

/** For a failed execution: whoever relies on the trigger has to know that something may be missing. */
export function forgotten(context: IPollFunctions, { conditions }: State): NodeOperationError {
	return new NodeOperationError(context.getNode(), 'n8n has nothing stored of what this trigger remembered', {
		description: `The trigger starts anew: it knows the ${conditions.size} clients that are listed now, and tells what happens to them from now on. If this workflow was active before, what happened to clients in the meantime was not told. A Code node that writes static data overwrites what the trigger remembers: keep such data elsewhere, such as in a data table.`,
	});
}

export function anotherAccount(context: IPollFunctions, { conditions }: State): NodeOperationError {
	return new NodeOperationError(context.getNode(), 'The credential belongs to another account or address than before', {
		description: `The trigger starts anew: it knows the ${conditions.size} clients that are listed there, and tells what happens to them from now on. What it knew before is forgotten, so with the credential of before it would start anew, too.`,
	});
}
