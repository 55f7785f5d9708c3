import { expect } from '@jest/globals';
import { startMailbox } from '../support/mailbox.mts';
import { ada, bob, type Stage } from '../support/stage.mts';

export const promise = 'sends all clients as a CSV file, oldest first';

export async function play(stage: Stage): Promise<void> {
	const mailbox = await startMailbox();
	const smtp = await stage.n8n.createCredential('Mailbox for compliance', 'smtp', mailbox.credential);
	const fields = { client_type: 'individual' as const, request_status: 'Completed' };
	const young = await stage.add({ ...bob, ...fields, created_at: '2024-02-01T00:00:00.000Z' });
	const old = await stage.add({
		...ada,
		...fields,
		group_name: 'Retail, "North"',
		created_at: '2024-01-01T00:00:00.000Z',
	});
	const workflow = await stage.create('csv-for-compliance', {}, { credentials: [smtp] });
	const run = await stage.n8n.run(workflow, 'First of the month at 6');
	await mailbox.close();
	expect(run.error).toBeUndefined();
	const [letter] = mailbox.letters;
	const [, name] = /filename="?(clients-\d{4}-\d\d-\d\d\.csv)/.exec(letter) ?? [];
	expect(name).toBeDefined();
	const [, base64] = /filename=[^\n]*\n(?:[^\n]+\n)*\n([A-Za-z0-9+/=\n]+)/.exec(letter) ?? [];
	const csv = Buffer.from(base64, 'base64')
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	expect(csv.trim().split('\n')).toEqual([
		'reference_id,client_name,client_type,email,group_name,request_status,created_at',
		`${old.reference_id},Ada,individual,ada@example.com,"Retail, ""North""",Completed,${old.created_at}`,
		`${young.reference_id},Bob,individual,bob@example.com,Retail,Completed,${young.created_at}`,
	]);
}
