import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { type Stage } from '../support/stage.mts';

export const promise = 'sends one message to the chat when the polls of a trigger fail';

export async function play(stage: Stage): Promise<void> {
	const alert = await stage.create('alert-when-a-workflow-fails');
	await stage.activate(alert).catch((error: Error) => {
		// n8n 1.x starts error workflows without activation.
		expect(error.message).toContain('no node to start the workflow');
	});
	await stage.createActive('declined-clients-to-a-chat', {}, {}, { errorWorkflow: alert.id });
	const { app } = stage.service;
	app.rotateKey('sandbox', `key-${randomUUID()}`);
	app.environment('sandbox').tokens.revokeAll();
	// The trigger reports an outage at once, and again after an hour.
	expect(await stage.messagesOnce(1)).toEqual([
		expect.stringMatching(
			/^"Declined clients to a chat" failed: .*API key.* The next successful poll emits what has changed since the last successful one\./s,
		),
	]);
}
