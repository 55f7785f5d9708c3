import { expect } from '@jest/globals';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise = 'reports the clients in the pipeline by status and age, and sends nothing if there are none';

export async function play(stage: Stage): Promise<void> {
	const workflow = await stage.create('weekly-pipeline-report');
	const report = async () => await stage.n8n.run(workflow, 'Every Monday at 8');
	await stage.add({ ...bob, request_status: 'Completed' });
	expect((await report()).error).toBeUndefined();
	expect(await stage.messages()).toEqual([]);

	for (const created_at of ['2024-03-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z'])
		await stage.add({ ...ada, request_status: 'Pending', created_at });
	const { created_at: newest } = await stage.add({ ...ada, request_status: 'Requested' });
	expect((await report()).error).toBeUndefined();
	expect(await stage.messages()).toEqual([
		[
			'Clients in the pipeline: 3',
			'Pending, over 90 days: 2 (oldest created 2024-02-01)',
			`Requested, up to 7 days: 1 (oldest created ${newest.slice(0, 10)})`,
		].join('\n'),
	]);
}
