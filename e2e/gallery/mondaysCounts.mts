import { expect } from '@jest/globals';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise = 'counts the new clients of the week by status';

export async function play(stage: Stage): Promise<void> {
	for (const request_status of ['Declined', 'Declined', 'Pending', 'Requested'])
		await stage.add({ ...ada, request_status });
	await stage.add({ ...bob, request_status: 'Completed', created_at: '2020-01-01T00:00:00.000Z' });
	await stage.n8n.run(await stage.create('mondays-counts'), 'Every Monday at 9');
	expect(await stage.messages()).toEqual(['New clients in the last 7 days: 4. 2 declined, 1 pending, 1 requested']);
}
