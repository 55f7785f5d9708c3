import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { RETRY_ADVICE } from '../api/errors';

const HOUR_MS = 60 * 60 * 1000;

/** By trigger, in this process: when its polls began to fail, and when that was last reported. */
const outages = new Map<string, { sinceMs: number; reportedMs: number }>();

/**
 * Reports a poll that did not succeed by a failed execution: the first one at once, then once an hour. Throwing instead would
 * leave a failed execution for every poll, and make n8n put off the activation when it starts.
 */
export function reportOutage(context: IPollFunctions, trigger: string, error: Error): void {
	const nowMs = Date.now();
	const { sinceMs, reportedMs } = outages.get(trigger) ?? { sinceMs: nowMs, reportedMs: -Infinity };
	const isDue = nowMs - reportedMs >= HOUR_MS;
	outages.set(trigger, { sinceMs, reportedMs: isDue ? nowMs : reportedMs });
	if (isDue) context.__emitError(describeOutage(context, error, sinceMs));
}

export function endOutage(trigger: string): void {
	outages.delete(trigger);
}

function describeOutage(
	context: IPollFunctions,
	error: Error & { description?: string | null },
	sinceMs: number,
): Error {
	const since = new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' ');
	const stop = /[.…!?]$/.test(error.message) ? '' : '.';
	const message = `${error.message}${stop} Outage since ${since} UTC. The next successful poll emits what has changed since the last successful one.`;
	const advice = (error.description ?? '').replace(RETRY_ADVICE, '').trim();
	const outlook = 'This message repeats once an hour until a poll succeeds.';
	return new NodeOperationError(context.getNode(), message, { description: `${advice} ${outlook}`.trim() });
}
