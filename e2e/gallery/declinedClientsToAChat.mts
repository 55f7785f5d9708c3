import { expect } from '@jest/globals';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise =
	'sends a message for a client that is declined or added as declined, and names the client of one that is refused';

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Pending' });
	const workflow = await stage.createActive('declined-clients-to-a-chat');
	await stage.change(client, { request_status: 'Declined' });
	await stage.add({ ...bob, request_status: 'Declined' });
	const messages = await stage.messagesOnce(2);
	expect(messages).toEqual([
		'Ada (Retail) was declined (before: Pending). Email: ada@example.com',
		'Bob (Retail) was declined. Email: bob@example.com',
	]);

	const { clients } = stage.service.app.environment('sandbox');
	// The test inbox refuses a message that is too long.
	clients.add({ client_name: 'Eve', email: `${'e'.repeat(4_000)}@example.com`, request_status: 'Declined' });
	const names = Array.from({ length: 9 }, (_, index) => `Client ${index + 1}`);
	for (const name of names) clients.add({ client_name: name, request_status: 'Declined' });
	const failed = await stage.failedOnce(workflow);
	expect(failed.map(({ error }) => error?.message)).toEqual([expect.stringMatching(/^1 not sent\. Eve: /)]);
	const later = (await stage.messages()).filter((text) => !messages.includes(text));
	expect(later.map((text) => text.slice(0, 8))).toEqual(names);
}
