import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { HOSTILE_CREDENTIALS } from './hostileCredentials.mts';
import { HOSTILE_SERVICES } from './hostileServices.mts';

const HOSTILE: Record<string, () => Promise<string[]>> = { ...HOSTILE_CREDENTIALS, ...HOSTILE_SERVICES };

/** Runs the hostile service or credential with this name, or all of them. */
export async function runHostile({ name }: Case): Promise<Outcome> {
	const names = name === '' ? Object.keys(HOSTILE) : [name];
	const findings: Array<{ name: string; broken: string[] }> = [];
	// Not in parallel: a response of many megabytes blocks the process, and others would reach their timeout.
	for (const each of names)
		findings.push({ name: each, broken: await HOSTILE[each]().catch((error: Error) => [error.message]) });
	const [culprit] = findings.filter(({ broken }) => broken.length > 0);
	const broken = findings.flatMap((finding) => finding.broken.map((text) => `${finding.name}: ${text}`));
	return {
		broken,
		clients: 0,
		requests: names.length,
		faults: names.length,
		culprit: culprit && { name: culprit.name },
	};
}
