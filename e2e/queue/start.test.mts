import { afterAll, expect, it } from '@jest/globals';
import { Demo } from '../support/demo.mts';

const STEP_MS = 360_000;

let demo: Demo | undefined;
afterAll(async () => await demo?.stop());

it(
	'npm start -- --queue lists clients with a worker of a cluster, and stops with Ctrl-C',
	async () => {
		demo = await Demo.prepare('--queue');
		expect(await demo.start()).toMatch(/^Listed by worker-\d: 250 clients/m);
		expect(await demo.stop()).toBe('Stopped.');
	},
	STEP_MS,
);
