import type { IPollFunctions } from 'n8n-workflow';

/** What one poll remembers for the next. */
export interface Memory {
	state: unknown;
	keep(state: string, hasEvents: boolean): void;
}

/** How many states of the past are recognised as such. */
const MAX_PAST = 1_000;

/**
 * n8n stores what a poll remembers only where the poll has events. What quiet polls learnt since is gone when the workflow is
 * edited, and so is the first look where n8n keeps durable cursors; here it lasts as long as the process.
 */
const quietPolls = new Map<string, { past: Set<unknown>; learnt: string }>();

export function nameTrigger(context: IPollFunctions): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

export function recall(context: IPollFunctions): Memory {
	const stored = context.getWorkflowStaticData('node');
	const key = nameTrigger(context);
	const quiet = quietPolls.get(key);
	const state = quiet?.past.has(nameOf(stored.state)) ? quiet.learnt : stored.state;
	return {
		state,
		keep(next, hasEvents) {
			if (hasEvents) {
				// n8n stores this one. What came before is no past any more: a state may come back, as when a client has come and gone.
				quietPolls.delete(key);
			} else if (next !== state) {
				const past = [...(quiet?.past ?? []), nameOf(stored.state)].slice(-MAX_PAST);
				quietPolls.set(key, { past: new Set(past), learnt: next });
			}
			if (next !== stored.state) stored.state = next;
		},
	};
}

/** A state begins with its checksum. */
function nameOf(state: unknown): unknown {
	return typeof state === 'string' ? state.slice(0, 20) : state;
}
