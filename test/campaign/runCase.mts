import { setTimeout as sleep } from 'node:timers/promises';
import type { Case } from './cases.mts';
import { runCredential } from './credential.mts';
import { runFuzz } from './fuzz.mts';
import { runFuzzSockets } from './fuzzSockets.mts';
import { runHostile } from './hostile.mts';
import type { Outcome } from './outcome.mts';
import { runReading } from './reading.mts';
import { runTrigger } from './trigger.mts';

/** Longer than all tries of all faults of a case take, on a busy machine. */
const PATIENCE_MS = 240_000;

const RUNNERS: Partial<Record<Case['part'], (testCase: Case) => Promise<Outcome>>> = {
	credential: runCredential,
	trigger: runTrigger,
	fuzz: runFuzz,
	fuzzSockets: runFuzzSockets,
	hostile: runHostile,
};

/** Runs a case; whatever goes wrong is a broken promise. */
export async function runCase(testCase: Case): Promise<Outcome> {
	const given = new AbortController();
	const nothing = { clients: 0, requests: 0, faults: 0 };
	const run = RUNNERS[testCase.part] ?? runReading;
	return await Promise.race([
		run(testCase).catch((error: Error) => ({ ...nothing, broken: [`${error.name}: ${error.message}`] })),
		sleep(
			PATIENCE_MS,
			{ ...nothing, broken: [`no end after ${PATIENCE_MS / 1000} seconds`] },
			{ signal: given.signal },
		),
	]).finally(() => given.abort());
}
