import { setTimeout as sleep } from 'node:timers/promises';
import { runFuzz } from '../attacks/fuzz.mts';
import { runHostile } from '../attacks/hostile.mts';
import { pauses } from '../../support/haste.mts';
import type { Case } from '../cases/cases.mts';
import type { Outcome } from '../promises/outcome.mts';
import { runCredential } from '../runners/credential.mts';
import { runOperation } from '../runners/operation.mts';

pauses.divisor = 100;

/** Longer than all tries of a case take on a busy machine. */
const PATIENCE_MS = 240_000;

const RUNNERS: Partial<Record<Case['part'], (testCase: Case) => Promise<Outcome>>> = {
	credential: runCredential,
	fuzz: runFuzz,
	hostile: runHostile,
};

/** Runs a case. An unexpected error counts as a broken promise. */
export async function runCase(testCase: Case): Promise<Outcome> {
	const given = new AbortController();
	const nothing = { clients: 0, requests: 0, faults: 0 };
	const run = RUNNERS[testCase.part] ?? runOperation;
	return await Promise.race([
		run(testCase).catch((error: Error) => ({ ...nothing, broken: [`${error.name}: ${error.message}`] })),
		sleep(
			PATIENCE_MS,
			{ ...nothing, broken: [`no end after ${PATIENCE_MS / 1000} seconds`] },
			{ signal: given.signal },
		),
	]).finally(() => given.abort());
}
