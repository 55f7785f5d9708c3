import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { type Stage } from '../support/stage.mts';

export const promise = 'tells the chat when a trigger cannot look at the list any more';

export async function play(stage: Stage): Promise<void> {
	const alert = await stage.create('alert-when-a-workflow-fails');
	await stage.activate(alert).catch((error: Error) => {
		// n8n 1.x starts it without: there is nothing to activate.
		expect(error.message).toContain('no node to start the workflow');
	});
	await stage.createActive('declined-clients-to-a-chat', {}, {}, { errorWorkflow: alert.id });
	const { app } = stage.service;
	app.rotateKey('sandbox', `key-${randomUUID()}`);
	app.environment('sandbox').tokens.revokeAll();
	// One for each poll that fails.
	const messages = await stage.messagesOnce(2);
	for (const message of messages) expect(message).toMatch(/^"Declined clients to a chat" failed: .*API key/);
}
