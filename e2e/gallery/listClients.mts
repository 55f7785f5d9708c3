import { expect } from '@jest/globals';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise = 'returns all clients, newest first';

export async function play(stage: Stage): Promise<void> {
	await stage.add(ada);
	await stage.add(bob);
	const run = await stage.n8n.run(await stage.create('list-clients'), 'When clicking ‘Execute workflow’');
	expect(run.items('List Clients')).toEqual([...stage.service.app.environment('sandbox').served()].reverse());
}
