import fc from 'fast-check';
import type { SandboxOptions } from '../../../sandbox/server.mts';
import { Life } from './life.mts';
import { plans, type Plan } from './plan.mts';

export interface Hunt {
	/** How the service behaves. */
	service: SandboxOptions;
	/** What chance does not decide. */
	fixed?: (plan: Plan) => Plan;
	seed: number;
	histories: number;
	/** Where a history that failed is found again. */
	path?: string;
	/** Looking for a shorter one takes no longer than this. */
	shrinkingMs?: number;
}

/** A history that failed, and nothing shorter fails. */
export interface Failure {
	message: string;
	story: string[];
	path: string;
}

/** Lives through random histories until one fails, and then looks for the shortest that still does. */
export async function huntHistories(hunt: Hunt): Promise<Failure | undefined> {
	const { service, fixed = (plan) => plan, seed, histories, path, shrinkingMs = 60_000 } = hunt;
	let shortest: Omit<Failure, 'path'> | undefined;
	let shrinkingEnds = Infinity;
	const property = fc.asyncProperty(plans.map(fixed), async (plan) => {
		if (Date.now() > shrinkingEnds) return;
		const life = new Life(plan, service);
		await life.run().catch((error: Error) => {
			shortest = { message: error.message, story: life.story };
			shrinkingEnds = Math.min(shrinkingEnds, Date.now() + shrinkingMs);
			throw error;
		});
	});
	const { failed, counterexamplePath } = await fc.check(property, { seed, path, numRuns: histories });
	return failed && shortest ? { ...shortest, path: counterexamplePath ?? '' } : undefined;
}

/** What went wrong, and the steps that lead there. */
export function describeFailure({ story, message }: Failure): string {
	const steps = story.map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
	return [message, 'The shortest history in which this happens:', ...steps].join('\n');
}
