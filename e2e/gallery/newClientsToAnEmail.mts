import { expect } from '@jest/globals';
import { startMailbox } from '../support/mailbox.mts';
import { ada, bob, type Stage } from '../support/stage.mts';
import { until } from '../support/until.mts';

export const promise = 'sends an email for a new client, and none for existing ones';

export async function play(stage: Stage): Promise<void> {
	const mailbox = await startMailbox();
	const smtp = await stage.n8n.createCredential('Mailbox for new clients', 'smtp', mailbox.credential);
	await stage.add(ada);
	await stage.createActive('new-clients-to-an-email', {}, { credentials: [smtp] });
	const { reference_id: id } = await stage.add({ ...bob, request_status: 'Requested' });
	await until(() => mailbox.letters.length > 0);
	await mailbox.close();
	expect(mailbox.letters).toHaveLength(1);
	const [head, body] = mailbox.letters[0].split('\n\n');
	expect(head).toContain('To: team@example.com');
	expect(head).toContain('Subject: New client: Bob');
	expect(body.trim().split('\n')).toEqual([
		'Bob is new.',
		'Status: Requested',
		'Group: Retail',
		'Email: bob@example.com',
		`Reference: ${id}`,
	]);
}
