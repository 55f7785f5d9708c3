import { expect } from '@jest/globals';
import { ada, type Stage } from '../support/stage.mts';

export const promise = 'handles an event once, even if n8n runs it again';

const TRIGGER = 'Client Onboarding Trigger';

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Pending' });
	const workflow = await stage.createActive('completed-exactly-once');
	await stage.change(client, { request_status: 'Completed' });
	const message = 'Ada (Retail) has completed onboarding. Email: ada@example.com';
	expect(await stage.messagesOnce(1)).toEqual([message]);

	const emitted = (await stage.n8n.runs(workflow.id)).flatMap((run) => run.items(TRIGGER));
	expect(emitted).toHaveLength(1);
	const again = await stage.n8n.run(await stage.n8n.pin(workflow.id, TRIGGER, emitted), TRIGGER);
	expect(again.items(TRIGGER)).toEqual(emitted);
	expect(again.items('Remove Duplicates')).toEqual([]);
	expect(await stage.messages()).toEqual([message]);
}
