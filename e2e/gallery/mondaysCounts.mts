import { expect } from '@jest/globals';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise = 'counts the new clients of the week by status, and stops if the list may be incomplete';

export async function play(stage: Stage): Promise<void> {
	for (const request_status of ['Declined', 'Declined', 'Pending', 'Requested'])
		await stage.add({ ...ada, request_status });
	await stage.add({ ...bob, request_status: 'Completed', created_at: '2020-01-01T00:00:00.000Z' });
	const workflow = await stage.create('mondays-counts');
	const report = async () => await stage.n8n.run(workflow, 'Every Monday at 9');
	await report();
	const messages = ['New clients in the last 7 days: 4. 2 declined, 1 pending, 1 requested'];
	expect(await stage.messages()).toEqual(messages);

	await stage.service.control('PATCH', '/behavior', { totals: 'too-high' });
	expect((await report()).error?.message).toMatch(/^The service reports 42 clients but returned 5/);
	expect(await stage.messages()).toEqual(messages);
}
