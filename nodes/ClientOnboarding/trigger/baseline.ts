import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Client } from '../api/record';
import { decodeState } from './state/codec';
import type { State } from './state/state';
import { idHash } from './trackedClient';

/** Why a trigger takes the list as its baseline again. */
export type ResetReason = 'otherNode' | 'unreadable' | 'missing' | 'otherAccount';

export interface SavedState {
	/** Undefined if there is none that this trigger can go on from. */
	state?: State;
	reset?: ResetReason;
}

/** In these modes, n8n goes on with a workflow that was active before. */
const CONTINUED = ['init', 'leadershipChange'];

export function readSavedState(context: IPollFunctions): SavedState {
	const { state: text } = context.getWorkflowStaticData('node');
	if (text === undefined) return wasOverwritten(context) ? { reset: 'missing' } : {};
	try {
		const state = decodeState(String(text));
		return state.nodeId === context.getNode().id ? { state } : { reset: 'otherNode' };
	} catch {
		return { reset: 'unreadable' };
	}
}

/**
 * Whether a Code node has overwritten the state: when an execution changes static data, n8n saves all of it from the copy that the
 * execution started with, which for workers of n8n 2.41 is empty.
 */
function wasOverwritten(context: IPollFunctions): boolean {
	const hasOtherData = Object.keys(context.getWorkflowStaticData('global')).length > 0;
	return hasOtherData && CONTINUED.includes(context.getActivationMode());
}

const MESSAGES: Record<ResetReason, { message: string; advice: string }> = {
	otherNode: {
		message: 'The trigger was reset because its node ID changed',
		advice:
			'A trigger with the same name was deleted and added again, or the workflow was imported or deployed with new node IDs.',
	},
	unreadable: {
		message: 'The trigger was reset because its saved state cannot be read',
		advice: 'A newer version of this package may have saved it, or it was edited.',
	},
	missing: {
		message: 'The trigger was reset because its saved state is missing',
		advice: 'A Code node that writes workflow static data can overwrite it. Save such data in a data table instead.',
	},
	otherAccount: {
		message: 'The trigger was reset because the credential was changed',
		advice: 'The base URL or environment is different, or the new API key lists none of the known clients.',
	},
};

/** For a failed execution: changes since the last poll are not emitted, and somebody has to know. */
export function describeReset(context: IPollFunctions, reason: ResetReason, { clients }: State): Error {
	const { message, advice } = MESSAGES[reason];
	return new NodeOperationError(context.getNode(), message, {
		description: `${advice} The clients listed now (${clients.size}) are the new baseline. Changes between the last poll and this one are not emitted. Later changes are.`,
	});
}

/** One client that is known shows that a changed key belongs to the same account. */
export function continueAfterKeyChange({ state, reset }: SavedState, place: string, clients: Client[]): SavedState {
	if (!state) return { reset };
	const isSameAccount = state.place === place && clients.some((client) => state.clients.has(idHash(client)));
	return isSameAccount ? { state } : { reset: 'otherAccount' };
}
