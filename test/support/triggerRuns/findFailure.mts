import fc from 'fast-check';
import type { SandboxOptions } from '../../../sandbox/server.mts';
import { TriggerRun } from './triggerRun.mts';
import { plans, type Plan } from './plan.mts';

export interface Search {
	/** How the service behaves. */
	service: SandboxOptions;
	/** Sets the parts of a plan that are not drawn at random. */
	fixed?: (plan: Plan) => Plan;
	seed: number;
	runs: number;
	/** Repeats the run that failed, as fast-check names it. */
	path?: string;
	/** The longest time to spend on a shorter run that fails. */
	shrinkingMs?: number;
}

/** The shortest run found that fails. */
export interface Failure {
	message: string;
	story: string[];
	path: string;
}

/** Makes random trigger runs until one fails, and then searches for the shortest that still does. */
export async function findFailingRun(search: Search): Promise<Failure | undefined> {
	const { service, fixed = (plan) => plan, seed, runs, path, shrinkingMs = 60_000 } = search;
	let shortest: Omit<Failure, 'path'> | undefined;
	let shrinkingEnds = Infinity;
	const property = fc.asyncProperty(plans.map(fixed), async (plan) => {
		if (Date.now() > shrinkingEnds) return;
		const run = new TriggerRun(plan, service);
		await run.run().catch((error: Error) => {
			shortest = { message: error.message, story: run.story };
			shrinkingEnds = Math.min(shrinkingEnds, Date.now() + shrinkingMs);
			throw error;
		});
	});
	const { failed, counterexamplePath } = await fc.check(property, { seed, path, numRuns: runs });
	return failed && shortest ? { ...shortest, path: counterexamplePath ?? '' } : undefined;
}

export function describeFailure({ story, message }: Failure): string {
	const steps = story.map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
	return [message, 'The shortest run in which this happens:', ...steps].join('\n');
}
