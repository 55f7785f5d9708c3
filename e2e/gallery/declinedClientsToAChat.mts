import { expect } from '@jest/globals';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise = 'sends a message for a client that is declined, and for one that is added as declined';

export async function play(stage: Stage): Promise<void> {
	const client = await stage.add({ ...ada, request_status: 'Pending' });
	await stage.createActive('declined-clients-to-a-chat');
	await stage.change(client, { request_status: 'Declined' });
	await stage.add({ ...bob, request_status: 'Declined' });
	expect(await stage.messagesOnce(2)).toEqual([
		'Ada (Retail) was declined (before: Pending). Email: ada@example.com',
		'Bob (Retail) was declined. Email: bob@example.com',
	]);
}
