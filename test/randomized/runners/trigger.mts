import { randomUUID } from 'node:crypto';
import type { SandboxOptions } from '../../../sandbox/server.mts';
import { describeFailure, findFailingRun } from '../../support/triggerRuns/findFailure.mts';
import type { Plan } from '../../support/triggerRuns/plan.mts';
import { forgetSecret, trackSecret } from '../../support/secrets.mts';
import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { nextHost } from '../world/world.mts';

const LONG = 1_000;
const SHRINKING_MS = 10_000;

/** A random trigger run: every event once, and a poll that could not read the whole list saves nothing. */
export async function runTrigger({ seed, clients, behavior, maxPageLimit, isSingleToken }: Case): Promise<Outcome> {
	// A poll reads only a part of the list if it is long, in order of creation, and only new clients are wanted.
	const isLong = clients >= LONG && behavior.order?.startsWith('created');
	const secrets = [`key-${randomUUID()}`];
	const counts = { clients: 0, requests: 0, faults: 0 };
	const service: SandboxOptions = {
		host: nextHost(),
		apiKey: secrets[0],
		// The clock of a trigger run stands still while the package pauses.
		behavior: { ...behavior, rateLimit: 'none', ...(behavior.overLimit === 'hang' && { overLimit: 'capped' }) },
		...(isLong && { clients }),
		// A run polls hundreds of times, so pages must not be small.
		maxPageLimit: Math.max(maxPageLimit, clients / 10),
		singleToken: isSingleToken,
		onAnswer(_info, { status, body }) {
			const { data } = Object(body) as { data?: { access_token?: string; results?: unknown[] } };
			if (data?.access_token) secrets.push(data.access_token);
			secrets.slice(-1).forEach(trackSecret);
			counts.requests += 1;
			counts.clients += data?.results?.length ?? 0;
			counts.faults += status >= 400 ? 1 : 0;
		},
	};
	trackSecret(secrets[0]);
	const fixed = (plan: Plan) => (isLong ? { ...plan, watch: { ...plan.watch, triggerOn: ['clientCreated'] } } : plan);
	const failure = await findFailingRun({ service, fixed, seed, runs: 1, shrinkingMs: SHRINKING_MS });
	secrets.forEach(forgetSecret);
	return { ...counts, broken: failure ? [`the trigger: ${describeFailure(failure)}`] : [] };
}
