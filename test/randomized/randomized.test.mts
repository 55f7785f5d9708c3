import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SETTINGS, SETTING_NAMES } from '../../sandbox/endpoints/behavior.mts';
import { byDepth, isQuick } from '../support/depth.mts';
import { Random } from '../support/random.mts';
import { coverPairs } from './cases/cover.mts';
import { PARTS } from './cases/schedule.mts';

const TIMEOUT_MS = 25 * 60_000;
const SEED = 7;

/** Runs `npm run test:random` with these flags. Returns what it printed if it found a broken promise. */
async function findBroken(...flags: string[]): Promise<string> {
	return await new Promise((resolve) => {
		execFile(process.execPath, [join(__dirname, 'run.mjs'), '--seed', `${SEED}`, ...flags], (error, stdout, stderr) =>
			resolve(error ? stdout + stderr : ''),
		);
	});
}

it(
	'Every operation keeps its promises under every pair of behaviors and in random cases',
	async () => {
		const cases = byDepth({ quick: 40, deep: 400, long: 3_000 });
		const parts = isQuick ? PARTS.filter((part) => part !== 'hostile') : PARTS;
		expect(await findBroken('--cases', `${cases}`, '--only', parts.join())).toBe('');
	},
	TIMEOUT_MS,
);

it('The pairwise cases cover every pair of behaviors', () => {
	const behaviors = coverPairs(new Random(SEED));
	for (const a of SETTING_NAMES) {
		for (const b of SETTING_NAMES.filter((other) => other !== a)) {
			const met = new Set(behaviors.map((behavior) => `${behavior[a]} ${behavior[b]}`));
			expect(met.size).toBe(SETTINGS[a].behaviors.length * SETTINGS[b].behaviors.length);
		}
	}
});
