import { randomUUID } from 'node:crypto';
import type { SandboxOptions } from '../../../sandbox/server.mts';
import { describeFailure, huntHistories } from '../../support/histories/hunt.mts';
import type { Plan } from '../../support/histories/plan.mts';
import { forgetSecret, rememberSecret } from '../../support/secrets.mts';
import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { nextHost } from '../world/world.mts';

const LONG = 1_000;
const SHRINKING_MS = 10_000;

/** A random trigger run: every event once, and nothing saved of a poll that could not read all. */
export async function runTrigger({ seed, clients, behavior, maxPageLimit, isSingleToken }: Case): Promise<Outcome> {
	// Only of a long list in order of creation, and only for new clients, a poll reads no more than the end.
	const isLong = clients >= LONG && behavior.order?.startsWith('created');
	const secrets = [`key-${randomUUID()}`];
	const counts = { clients: 0, requests: 0, faults: 0 };
	const service: SandboxOptions = {
		host: nextHost(),
		apiKey: secrets[0],
		// The clock of a trigger run stands still while the package pauses.
		behavior: { ...behavior, rateLimit: 'none', ...(behavior.overLimit === 'hang' && { overLimit: 'capped' }) },
		...(isLong && { clients }),
		// It polls hundreds of times.
		maxPageLimit: Math.max(maxPageLimit, clients / 10),
		singleToken: isSingleToken,
		onAnswer(_info, { status, body }) {
			const { data } = Object(body) as { data?: { access_token?: string; results?: unknown[] } };
			if (data?.access_token) secrets.push(data.access_token);
			secrets.slice(-1).forEach(rememberSecret);
			counts.requests += 1;
			counts.clients += data?.results?.length ?? 0;
			counts.faults += status >= 400 ? 1 : 0;
		},
	};
	rememberSecret(secrets[0]);
	const fixed = (plan: Plan) => (isLong ? { ...plan, watch: { ...plan.watch, triggerOn: ['clientCreated'] } } : plan);
	const failure = await huntHistories({ service, fixed, seed, histories: 1, shrinkingMs: SHRINKING_MS });
	secrets.forEach(forgetSecret);
	return { ...counts, broken: failure ? [`the trigger: ${describeFailure(failure)}`] : [] };
}
