import { expect } from '@jest/globals';
import { startMailbox } from '../support/mailbox.mts';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise =
	'sends one email for each new client, none for existing ones, and names the client of an email that is refused';

export async function play(stage: Stage): Promise<void> {
	const mailbox = await startMailbox();
	mailbox.refused = 'refused@example.com';
	const smtp = await stage.n8n.createCredential('Mailbox for new clients', 'smtp', mailbox.credential);
	await stage.add(ada);
	const workflow = await stage.createActive('new-clients-to-an-email', {}, { credentials: [smtp] });
	const { clients } = stage.service.app.environment('sandbox');
	clients.add({ client_name: 'Eve', email: mailbox.refused });
	const { reference_id: id } = clients.add({ ...bob, request_status: 'Requested' });
	for (let number = 3; number <= 10; number++) clients.add({ client_name: `Client ${number}` });
	const failed = await stage.failedOnce(workflow);
	await mailbox.close();
	expect(failed.map(({ error }) => error?.message)).toEqual([
		expect.stringMatching(/^1 not sent\. Eve: Message failed: 451/),
	]);
	const subjects = mailbox.letters.map((letter) => /^Subject: New client: (.*)$/m.exec(letter)?.[1]);
	expect(subjects).toEqual(['Bob', ...[3, 4, 5, 6, 7, 8, 9, 10].map((number) => `Client ${number}`)]);
	const [head, body] = mailbox.letters[0].split('\n\n');
	expect(head).toContain('To: team@example.com');
	expect(body.trim().split('\n')).toEqual([
		'Bob is new.',
		'Status: Requested',
		'Group: Retail',
		'Email: bob@example.com',
		`Reference: ${id}`,
	]);
}
